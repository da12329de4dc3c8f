#pragma once

#include "carom/geometry/convex_shape.h"

namespace carom::geometry {

struct Box {  // |x_i| <= half_i
  Vector3 half = Vector3::Ones();

  static constexpr std::array forms = {anywhere("box"), plate("rectangle")};
  static constexpr Bending bending = Bending::flat;
  std::vector<ShapeField> fields(const Form& form);

  double reach() const { return half.norm(); }
  void scale(double factor) { half *= factor; }
  Vector3 support_point(const Vector3& direction) const;
  MassProperties in_space() const;
  MassProperties in_plane() const;
  Curvature curvature(const Vector3& x, const Vector3& n) const;
  double round_radius() const { return 0; }

  Vector3 corner(int i) const;  // has the signs of the bits of i, x first
  plane::Outline outline(const Pose& pose) const;
  space::Solid solid(const Pose& pose) const;
};

}  // namespace carom::geometry
