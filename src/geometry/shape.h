#pragma once

#include <string>

#include "carom/geometry/convex_shape.h"
#include "carom/geometry/shapes/box.h"
#include "carom/geometry/shapes/capsule.h"
#include "carom/geometry/shapes/cylinder.h"
#include "carom/geometry/shapes/ellipsoid.h"
#include "carom/geometry/shapes/half_space.h"
#include "carom/geometry/shapes/polygon.h"
#include "carom/geometry/shapes/polytope.h"
#include "carom/geometry/shapes/sphere.h"
#include "carom/geometry/shapes/superellipsoid.h"

namespace carom::geometry {

template <ConvexShape... S>
using AnyOf = std::variant<S...>;

/// Every shape. A new shape is one more name here.
using Shape = AnyOf<Sphere, Box, Capsule, Cylinder, Ellipsoid, Superellipsoid, HalfSpace, Polygon, Polytope>;

/// Calls visit(shape) with a default value of each shape, in the order of the list.
template <class Visitor>
void for_each_shape(Visitor&& visit) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit(std::variant_alternative_t<i, Shape>{}), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Shape>>{});
}

/// A shape at its place in the frame of a body; a compound body has several.
struct Part {
  Shape shape;
  Pose pose;
  std::string name = {};  // for results; empty: none
};

/// What each shape says of itself, for any of them (convex_shape.h). Positions and normals here are in the world.
/// InputErrors: a half-space has no farthest point, a polygon no mass in space, an edge no shape operator.
MassProperties mass_properties(const Shape& shape, Dimension dimension);
Bounds bounds(const Shape& shape, const Pose& pose);
double reach(const Shape& shape);                        // infinite for half-spaces
std::optional<double> ball_radius(const Shape& shape);   // nothing: it is no ball
std::optional<Vector3> flat_normal(const Shape& shape);  // of a half-space, outward; nothing: it is a solid
Vector3 support_point(const Shape& shape, const Vector3& direction);  // in the shape's frame
Curvature curvature(const Shape& shape, const Pose& pose, const Vector3& point, const Vector3& normal);
/// In an orthonormal pair of tangents: dn = S dx.
Eigen::Matrix2d shape_operator(const Shape& shape, const Pose& pose, const Vector3& point, const Vector3& normal,
                               const Vector3& tangent1, const Vector3& tangent2);

}  // namespace carom::geometry
