#pragma once

#include "carom/geometry/convex_shape.h"

namespace carom::geometry {

struct HalfSpace {  // normal . x <= 0, normal of length 1
  Vector3 normal = Vector3::UnitY();

  static constexpr std::array forms = {anywhere("plane")};
  static constexpr Bending bending = Bending::flat;
  std::vector<ShapeField> fields(const Form& form);

  double reach() const;
  void scale(double) {}
  /// It ends where its normal is an axis of the world, and nowhere else.
  Bounds bounds(const Pose& pose) const;
  MassProperties in_space() const;
  MassProperties in_plane() const { return in_space(); }
  Curvature curvature(const Vector3& x, const Vector3& n) const;
  double round_radius() const { return 0; }
};

}  // namespace carom::geometry
