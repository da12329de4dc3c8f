#pragma once

#include "carom/geometry/convex_shape.h"

namespace carom::geometry {

struct Sphere {  // |x| <= radius
  double radius = 1;

  static constexpr std::array forms = {anywhere("sphere"), plate("disc")};
  static constexpr Bending bending = Bending::smooth;
  std::vector<ShapeField> fields(const Form& form);

  double reach() const { return radius; }
  void scale(double factor) { radius *= factor; }
  Vector3 support_point(const Vector3& direction) const { return radius * direction.stableNormalized(); }
  MassProperties in_space() const;
  MassProperties in_plane() const;
  Curvature curvature(const Vector3& x, const Vector3& n) const;
  double round_radius() const { return radius; }

  Vector3 corner(int) const { return Vector3::Zero(); }
  plane::Outline outline(const Pose& pose) const;
  space::Solid solid(const Pose& pose) const;
};

}  // namespace carom::geometry
