#include "geometry/surface.h"

#include <Eigen/LU>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "geometry/curvature.h"

namespace carom::geometry {
namespace {

/// First and second derivative of |u|^s, s >= 2.
std::pair<double, double> power_slopes(double u, double s) {
  const double m = std::abs(u);
  return {s * std::copysign(std::pow(m, s - 1), u), s * (s - 1) * std::pow(m, s - 2)};
}

SurfacePoint with_forms(const Vector3& rho, const Vector3& t1, const Vector3& t2, const LevelSet& level) {
  SurfacePoint result;
  result.rho = rho;
  result.t1 = t1;
  result.t2 = t2;
  result.n = level.gradient.stableNormalized();
  Eigen::Matrix<double, 3, 2> T;
  T << t1, t2;
  result.g = T.transpose() * T;
  result.b = -T.transpose() * level.hessian * T / level.gradient.norm();
  result.c = -result.b * result.g.inverse();
  result.gauss = result.b.determinant() / result.g.determinant();
  result.mean = -result.c.trace() / 2;
  return result;
}

/// sign(u) |u|^s and its derivative with respect to the angle, du the derivative of u.
std::pair<double, double> signed_power(double u, double du, double s) {
  if (s == 1) return {u, du};
  if (u == 0) throw InputError("surface", "the parameters are singular where a sine or cosine of them vanishes");
  const double m = std::pow(std::abs(u), s);
  return {std::copysign(m, u), s * m / std::abs(u) * du};
}

}  // namespace

LevelSet level_set(const Ellipsoid& shape, const Vector3& x) {
  const Vector3 d = shape.axes.cwiseAbs2().cwiseInverse();
  return {d.cwiseProduct(x), d.asDiagonal()};
}

LevelSet level_set(const Superellipsoid& shape, const Vector3& x) {
  // f = w^(q/p) + |z/c|^q, w = |x/a|^p + |y/b|^p. Near the z axis w may be too small for a number: with the larger m of
  // |x/a| and |y/b|, w = m^p v.
  const Vector3 u = x.cwiseQuotient(shape.axes);
  const double p = shape.p, q = shape.q, r = q / p, m = u.head<2>().cwiseAbs().maxCoeff();
  const Vector3 part = m > 0 ? Vector3(u / m) : Vector3::Zero();
  const double v = std::pow(std::abs(part.x()), p) + std::pow(std::abs(part.y()), p);
  const auto [vx, vxx] = power_slopes(part.x(), p);
  const auto [vy, vyy] = power_slopes(part.y(), p);
  const auto [fz, fzz] = power_slopes(u.z(), q);
  const Vector3 dv(vx, vy, 0), scale = shape.axes.cwiseInverse();
  Matrix3 H = Vector3(0, 0, fzz).asDiagonal();
  Vector3 g(0, 0, fz);
  if (m > 0) {
    const double f1 = r * std::pow(v, r - 1), f2 = r * (r - 1) * std::pow(v, r - 2), m2 = std::pow(m, q - 2);
    g += m * m2 * f1 * dv;
    H += m2 * f2 * dv * dv.transpose();
    H.diagonal() += m2 * f1 * Vector3(vxx, vyy, 0);
  } else if (q == 2) {  // on the z axis f is w^(2/p), curved like |x/a|^2 + |y/b|^2 along the axes
    H.diagonal() += Vector3(2, 2, 0);
  }
  return {scale.cwiseProduct(g), scale.asDiagonal() * H * scale.asDiagonal()};
}

SurfacePoint surface_point(const Ellipsoid& shape, double m1, double m2) {
  const double c1 = std::cos(m1), s1 = std::sin(m1), c2 = std::cos(m2), s2 = std::sin(m2);
  const Vector3 rho = shape.axes.cwiseProduct(Vector3(c2 * c1, c2 * s1, s2));
  return with_forms(rho, shape.axes.cwiseProduct(Vector3(-c2 * s1, c2 * c1, 0)),
                    shape.axes.cwiseProduct(Vector3(-s2 * c1, -s2 * s1, c2)), level_set(shape, rho));
}

SurfacePoint surface_point(const Superellipsoid& shape, double m1, double m2) {
  const auto [c1, dc1] = signed_power(std::cos(m1), -std::sin(m1), 2 / shape.p);
  const auto [s1, ds1] = signed_power(std::sin(m1), std::cos(m1), 2 / shape.p);
  const auto [c2, dc2] = signed_power(std::cos(m2), -std::sin(m2), 2 / shape.q);
  const auto [s2, ds2] = signed_power(std::sin(m2), std::cos(m2), 2 / shape.q);
  const Vector3 rho = shape.axes.cwiseProduct(Vector3(c2 * c1, c2 * s1, s2));
  return with_forms(rho, shape.axes.cwiseProduct(Vector3(c2 * dc1, c2 * ds1, 0)),
                    shape.axes.cwiseProduct(Vector3(dc2 * c1, dc2 * s1, ds2)), level_set(shape, rho));
}

Eigen::Matrix2d shape_operator(const Shape& shape, const Pose& pose, const Vector3& point, const Vector3& normal,
                               const Vector3& tangent1, const Vector3& tangent2) {
  const Curvature k = curvature(shape, pose, point, normal);
  if (!std::isfinite(k.most)) throw InputError("surface", "edges and corners have no shape operator");
  const Eigen::Vector2d d(tangent1.dot(k.direction), tangent2.dot(k.direction));
  return k.least * Eigen::Matrix2d::Identity() + (k.most - k.least) * d * d.transpose();
}

}  // namespace carom::geometry
