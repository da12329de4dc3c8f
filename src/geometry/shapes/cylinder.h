#pragma once

#include "carom/geometry/convex_shape.h"

namespace carom::geometry {

struct Cylinder {  // y^2 + z^2 <= radius^2, |x| <= half_length: the axis is x; in the plane a rectangle
  double radius = 1, half_length = 1;

  static constexpr std::array forms = {but_not_on_line("cylinder")};
  static constexpr Bending bending = Bending::straight;
  std::vector<ShapeField> fields(const Form& form);

  double reach() const;
  void scale(double factor);
  Vector3 support_point(const Vector3& direction) const;
  MassProperties in_space() const;
  MassProperties in_plane() const;
  Curvature curvature(const Vector3& x, const Vector3& n) const;
  double round_radius() const { return radius; }

  plane::Outline outline(const Pose& pose) const;
  /// The lowest point of each rim, and four fixed ones (corners) on the rim of an end that faces the plane. An upright
  /// cylinder has only these four.
  std::vector<SurfacePlace> rim_points(const Pose& pose, const Vector3& down) const;
};

}  // namespace carom::geometry
