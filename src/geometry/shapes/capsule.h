#pragma once

#include "carom/geometry/convex_shape.h"

namespace carom::geometry {

struct Capsule {  // all points within radius of the segment from (-half_length, 0, 0) to (half_length, 0, 0)
  double radius = 1, half_length = 1;

  static constexpr std::array forms = {but_not_on_line("capsule")};
  static constexpr Bending bending = Bending::straight;
  std::vector<ShapeField> fields(const Form& form);

  double reach() const { return half_length + radius; }
  void scale(double factor);
  Vector3 support_point(const Vector3& direction) const;
  MassProperties in_space() const;
  MassProperties in_plane() const;
  Curvature curvature(const Vector3& x, const Vector3& n) const;
  double round_radius() const { return radius; }

  Vector3 corner(int i) const { return {i == 0 ? -half_length : half_length, 0, 0}; }
  plane::Outline outline(const Pose& pose) const;
  space::Solid solid(const Pose& pose) const;
};

}  // namespace carom::geometry
