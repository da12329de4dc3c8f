#pragma once

#include <string_view>

#include "carom/geometry/convex_shape.h"
#include "carom/geometry/shapes/polygon.h"

namespace carom::geometry {

struct Polytope {  // in space: the convex hull of corners; faces list corners counter-clockwise seen from outside
  std::vector<Vector3> corners;
  std::vector<std::vector<int>> faces;

  static constexpr std::array forms = {Form{.name = "polytope", .space = true}};
  static constexpr Bending bending = Bending::flat;
  std::vector<ShapeField> fields(const Form& form);

  double reach() const;
  void scale(double factor);
  Vector3 support_point(const Vector3& direction) const;
  MassProperties in_space() const;
  MassProperties in_plane() const { return section().in_plane(); }
  Curvature curvature(const Vector3& x, const Vector3& n) const;
  double round_radius() const { return 0; }

  Vector3 corner(int i) const { return corners[i]; }
  plane::Outline outline(const Pose& pose) const { return section().outline(pose); }
  space::Solid solid(const Pose& pose) const;  // refers to the polytope

  Polygon section() const;  // with z = 0; throws InputError if the plane misses it
};

/// The convex hull with faces merged where they are flat. Throws InputError if the points have no volume.
Polytope convex_polytope(const std::vector<Vector3>& points);

/// A convex solid of an OBJ text, and how many it has.
struct ObjSolid {
  Polytope solid;
  std::size_t pieces = 1;
};

/// `v x y z` are points, `f i j k ...` faces (i, i/t, i/t/n or i//n; negative numbers count from the last point), `o`
/// (or, if there is none, `g`) begins or continues an object; everything else is ignored. If all faces together make a
/// convex surface, they are one solid; else each object must make one, and they are counted from 0 in the order of the
/// file. Throws InputError, with the number of the line, on what cannot be read, and on what is not convex: what stands
/// back from the convex hull by more than a thousandth of the extent. Without faces it is the hull of the points.
ObjSolid read_obj(std::string_view text, std::size_t piece = 0);

}  // namespace carom::geometry
