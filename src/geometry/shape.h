#pragma once

#include <array>
#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include "geometry/pose.h"

namespace carom::geometry {

/// A shape is a closed convex solid in its own frame. In planar scenes it is the section with z = 0 and moves in that
/// plane: a sphere is a disc, a box a rectangle, an ellipsoid an ellipse. Lengths in [m].
struct Sphere {  // |x| <= radius
  double radius = 1;
};
struct Box {  // |x_i| <= half_i
  Vector3 half = Vector3::Ones();
};
struct Capsule {  // all points within radius of the segment from (-half_length, 0, 0) to (half_length, 0, 0)
  double radius = 1, half_length = 1;
};
struct Cylinder {  // y^2 + z^2 <= radius^2, |x| <= half_length: the axis is x; in the plane a rectangle
  double radius = 1, half_length = 1;
};
struct Ellipsoid {  // sum (x_i / axes_i)^2 <= 1
  Vector3 axes = Vector3::Ones();
};
struct Superellipsoid {  // (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q <= 1, p and q >= 2
  Vector3 axes = Vector3::Ones();
  double p = 2, q = 2;
};
struct HalfSpace {  // normal . x <= 0, normal of length 1
  Vector3 normal = Vector3::UnitY();
};
struct Polygon {  // in the plane: the convex hull of corners, counter-clockwise, none superfluous
  std::vector<Eigen::Vector2d> corners;
};
struct Polytope {  // in space: the convex hull of corners; faces list corners counter-clockwise seen from outside
  std::vector<Vector3> corners;
  std::vector<std::vector<int>> faces;
};

using Shape = std::variant<Sphere, Box, Capsule, Cylinder, Ellipsoid, Superellipsoid, HalfSpace, Polygon, Polytope>;

/// Where bodies live: on the x axis, in the x-y plane, in space.
enum class Dimension { line = 1, plane = 2, space = 3 };

/// A shape at its place in the frame of a body; a compound body has several.
struct Part {
  Shape shape;
  Pose pose;
};

/// Mass properties of a solid of density 1: volume [m^3] (area [m^2] in the plane, length [m] on the line), centre and
/// inertia about it, in the frame of the shape. Half-spaces have none (volume infinity).
struct MassProperties {
  double volume = 0;
  Vector3 centre = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();
};
MassProperties mass_properties(const Shape& shape, Dimension dimension);

/// The box around a shape, parallel to the axes of the world; infinite for half-spaces.
struct Bounds {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 high = Vector3::Constant(-std::numeric_limits<double>::infinity());
};
Bounds bounds(const Shape& shape, const Pose& pose);

/// The largest distance of a point of the shape from the origin of its frame; infinite for half-spaces.
double reach(const Shape& shape);

/// The convex hull as a polygon or polytope with faces merged where they are flat. Throws InputError if the points have
/// no volume (no area).
Polygon convex_polygon(const std::vector<Eigen::Vector2d>& points);
Polytope convex_polytope(const std::vector<Vector3>& points);

}  // namespace carom::geometry
