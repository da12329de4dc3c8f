#include "carom/geometry/shapes/ellipsoid.h"

#include <cmath>
#include <numbers>

namespace carom::geometry {

std::vector<ShapeField> Ellipsoid::fields(const Form& form) {
  if (form.plate) return {{"axes", Numbers{{&axes.x(), &axes.y()}}, "its two semi-axes [m]"}};
  return {{"axes", Numbers{{&axes.x(), &axes.y(), &axes.z()}}, "its three semi-axes [m]"}};
}

Vector3 Ellipsoid::support_point(const Vector3& d) const {
  return axes.cwiseProduct(axes.cwiseProduct(d).stableNormalized());
}

MassProperties Ellipsoid::in_space() const {
  const double volume = 4.0 / 3 * std::numbers::pi * axes.prod();
  return symmetric(volume, volume / 5 * axes.cwiseAbs2());
}

MassProperties Ellipsoid::in_plane() const {
  const double a = axes.x(), b = axes.y(), area = std::numbers::pi * a * b;
  return symmetric(area, area / 4 * Vector3(a * a, b * b, 0));
}

Curvature Ellipsoid::curvature(const Vector3& x, const Vector3&) const {
  return level_set(x).curvature();
}

LevelSet Ellipsoid::level_set(const Vector3& x) const {
  const Vector3 d = axes.cwiseAbs2().cwiseInverse();
  return {d.cwiseProduct(x), d.asDiagonal()};
}

double Ellipsoid::gauge(const Vector3& x) const {
  return x.cwiseQuotient(axes).norm();
}

Matrix3 Ellipsoid::support_slopes(const Vector3& direction) const {
  const Vector3 x = support_point(direction);
  const double h = axes.cwiseProduct(direction).norm();
  const Matrix3 M = axes.cwiseAbs2().asDiagonal();
  return (M - x * x.transpose()) / h;
}

SurfacePoint Ellipsoid::surface_point(double m1, double m2) const {
  const double c1 = std::cos(m1), s1 = std::sin(m1), c2 = std::cos(m2), s2 = std::sin(m2);
  const Vector3 rho = axes.cwiseProduct(Vector3(c2 * c1, c2 * s1, s2));
  return {rho, axes.cwiseProduct(Vector3(-c2 * s1, c2 * c1, 0)), axes.cwiseProduct(Vector3(-s2 * c1, -s2 * s1, c2)),
          level_set(rho)};
}

}  // namespace carom::geometry
