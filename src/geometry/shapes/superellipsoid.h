#pragma once

#include "carom/geometry/convex_shape.h"

namespace carom::geometry {

struct Superellipsoid {  // (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q <= 1, p and q >= 2
  Vector3 axes = Vector3::Ones();
  double p = 2, q = 2;

  static constexpr std::array forms = {but_not_on_line("superellipsoid")};
  static constexpr Bending bending = Bending::smooth;
  std::vector<ShapeField> fields(const Form& form);

  double reach() const;
  void scale(double factor) { axes *= factor; }
  /// The width h(n) = max n . x is the dual norm of the gauge.
  Vector3 support_point(const Vector3& direction) const;
  MassProperties in_space() const;
  MassProperties in_plane() const;
  Curvature curvature(const Vector3& x, const Vector3& n) const;
  double round_radius() const { return 0; }

  LevelSet level_set(const Vector3& x) const;
  double gauge(const Vector3& x) const;
  Matrix3 support_slopes(const Vector3& direction) const;
  /// rho = (a C2 c1, b C2 s1, c S2) with C2 = cos(m2)^(2/q), S2 = sin(m2)^(2/q), c1 = cos(m1)^(2/p), s1 =
  /// sin(m1)^(2/p), powers keeping the sign. Throws InputError where a sine or cosine vanishes and the exponent is not
  /// 2: there the parameters are singular, not the surface.
  SurfacePoint surface_point(double m1, double m2) const;
};

}  // namespace carom::geometry
