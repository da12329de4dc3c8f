#pragma once

#include "carom/geometry/convex_shape.h"

namespace carom::geometry {

struct Polygon {  // in the plane: the convex hull of corners, counter-clockwise, none superfluous
  std::vector<Eigen::Vector2d> corners;

  static constexpr std::array forms = {plate("polygon")};
  static constexpr Bending bending = Bending::flat;
  std::vector<ShapeField> fields(const Form& form);

  double reach() const;
  void scale(double factor);
  Vector3 support_point(const Vector3& direction) const;
  MassProperties in_plane() const;
  Curvature curvature(const Vector3& x, const Vector3& n) const;
  double round_radius() const { return 0; }

  plane::Outline outline(const Pose& pose) const { return {corners, 0, pose}; }
};

/// The convex hull. Throws InputError if the points have no area.
Polygon convex_polygon(const std::vector<Eigen::Vector2d>& points);

}  // namespace carom::geometry
