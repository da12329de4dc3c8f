#pragma once

#include "carom/geometry/convex_shape.h"

namespace carom::geometry {

struct Ellipsoid {  // sum (x_i / axes_i)^2 <= 1
  Vector3 axes = Vector3::Ones();

  static constexpr std::array forms = {but_not_on_line("ellipsoid"), plate("ellipse")};
  static constexpr Bending bending = Bending::smooth;
  std::vector<ShapeField> fields(const Form& form);

  double reach() const { return axes.maxCoeff(); }
  void scale(double factor) { axes *= factor; }
  Vector3 support_point(const Vector3& direction) const;
  MassProperties in_space() const;
  MassProperties in_plane() const;
  Curvature curvature(const Vector3& x, const Vector3& n) const;
  double round_radius() const { return 0; }

  LevelSet level_set(const Vector3& x) const;
  double gauge(const Vector3& x) const;
  Matrix3 support_slopes(const Vector3& direction) const;
  /// rho = (a cos m2 cos m1, b cos m2 sin m1, c sin m2)
  SurfacePoint surface_point(double m1, double m2) const;
};

}  // namespace carom::geometry
