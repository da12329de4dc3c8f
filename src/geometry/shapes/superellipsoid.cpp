#include "carom/geometry/shapes/superellipsoid.h"

#include <cmath>
#include <utility>

#include "carom/base/error.h"

namespace carom::geometry {
namespace {

constexpr double kFloor =
    1e-9;  // where a surface is flat the derivative of its support point is infinite: cut off here

/// The largest sqrt(u^2 + v^2) with |u/a|^p + |v/b|^p <= 1, p >= 2: by Hoelder's inequality for u^2, v^2.
double farthest_corner(double a, double b, double p) {
  if (p <= 2) return std::max(a, b);
  const double s = 2 * p / (p - 2), most = std::max(a, b);
  return most * std::pow(std::pow(a / most, s) + std::pow(b / most, s), 1 / s);
}

/// (|u|^s + |v|^s)^(1/s) without overflow.
double norm(double u, double v, double s) {
  const double most = std::max(std::abs(u), std::abs(v));
  if (most <= 0) return 0;
  return most * std::pow(std::pow(std::abs(u) / most, s) + std::pow(std::abs(v) / most, s), 1 / s);
}

/// First and second derivatives of the norm N = (u^s + v^s)^(1/s) for u, v >= 0.
struct NormSlopes {
  double N = 0, N_u = 0, N_v = 0, N_uu = 0, N_uv = 0, N_vv = 0;
};
NormSlopes norm_slopes(double u, double v, double s) {
  const double most = std::max(u, v);
  if (!(most > 0)) return {};
  const double N = most * std::pow(std::pow(u / most, s) + std::pow(v / most, s), 1 / s);
  const double a = std::max(u / N, kFloor), b = std::max(v / N, kFloor);
  const double A = std::pow(a, s - 2), B = std::pow(b, s - 2);
  return {N, A * a, B * b, (s - 1) / N * A * (B * b * b), -(s - 1) / N * A * a * B * b, (s - 1) / N * B * (A * a * a)};
}

/// First and second derivative of |u|^s, s >= 2.
std::pair<double, double> power_slopes(double u, double s) {
  const double m = std::abs(u);
  return {s * std::copysign(std::pow(m, s - 1), u), s * (s - 1) * std::pow(m, s - 2)};
}

/// sign(u) |u|^s and its derivative with respect to the angle, du the derivative of u.
std::pair<double, double> signed_power(double u, double du, double s) {
  if (s == 1) return {u, du};
  if (u == 0) throw InputError("surface", "the parameters are singular where a sine or cosine of them vanishes");
  const double m = std::pow(std::abs(u), s);
  return {std::copysign(m, u), s * m / std::abs(u) * du};
}

double beta(double x, double y) {
  return std::exp(std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y));
}

/// Integral of |x|^m over |x|^p + |y|^p <= 1 (Dirichlet).
double superellipse_moment(double p, double m) {
  return 4 / p / (m + 2) * beta((m + 1) / p, 1 / p);
}

}  // namespace

std::vector<ShapeField> Superellipsoid::fields(const Form&) {
  return {{"axes", Numbers{{&axes.x(), &axes.y(), &axes.z()}}, "its three semi-axes [m]"},
          {"exponents", Numbers{.places = {&p, &q}, .least = 2, .otherwise = 2}, "its exponents [p, q]"}};
}

double Superellipsoid::reach() const {
  return farthest_corner(farthest_corner(axes.x(), axes.y(), p), axes.z(), q);
}

Vector3 Superellipsoid::support_point(const Vector3& direction) const {
  // h(n) = (u^s + |c n_z|^s)^(1/s), u = (|a n_x|^r + |b n_y|^r)^(1/r), 1/p + 1/r = 1/q + 1/s = 1; the point is its
  // gradient.
  const double r = p / (p - 1), s = q / (q - 1);
  const Vector3 w = axes.cwiseProduct(direction);
  const double u = norm(w.x(), w.y(), r), h = norm(u, w.z(), s);
  if (!(h > 0)) return {axes.x(), 0, 0};
  const double level = std::pow(u / h, s - 1);
  const auto part = [&](int i) {
    return u > 0 ? axes[i] * level * std::copysign(1.0, w[i]) * std::pow(std::abs(w[i]) / u, r - 1) : 0.0;
  };
  return {part(0), part(1), axes.z() * std::copysign(1.0, w.z()) * std::pow(std::abs(w.z()) / h, s - 1)};
}

MassProperties Superellipsoid::in_space() const {
  const double a = axes.x(), b = axes.y(), c = axes.z();
  // Its section at height z is the superellipse shrunk by (1 - |z/c|^q)^(1/q).
  const auto along = [&](double m, double shrink) { return 2 / q * beta((m + 1) / q, 1 + shrink / q); };
  const double area = a * b * superellipse_moment(p, 0), square = a * b * superellipse_moment(p, 2);
  const double thick = c * along(0, 4);
  return symmetric(area * c * along(0, 2),
                   {a * a * square * thick, b * b * square * thick, c * c * area * c * along(2, 2)});
}

MassProperties Superellipsoid::in_plane() const {
  const double a = axes.x(), b = axes.y(), square = a * b * superellipse_moment(p, 2);
  return symmetric(a * b * superellipse_moment(p, 0), {a * a * square, b * b * square, 0});
}

Curvature Superellipsoid::curvature(const Vector3& x, const Vector3&) const {
  return level_set(x).curvature();
}

LevelSet Superellipsoid::level_set(const Vector3& x) const {
  // f = w^(q/p) + |z/c|^q, w = |x/a|^p + |y/b|^p. Near the z axis w may be too small for a number: with the larger m of
  // |x/a| and |y/b|, w = m^p v.
  const Vector3 u = x.cwiseQuotient(axes);
  const double r = q / p, m = u.head<2>().cwiseAbs().maxCoeff();
  const Vector3 part = m > 0 ? Vector3(u / m) : Vector3::Zero();
  const double v = std::pow(std::abs(part.x()), p) + std::pow(std::abs(part.y()), p);
  const auto [vx, vxx] = power_slopes(part.x(), p);
  const auto [vy, vyy] = power_slopes(part.y(), p);
  const auto [fz, fzz] = power_slopes(u.z(), q);
  const Vector3 dv(vx, vy, 0), inverse = axes.cwiseInverse();
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
  return {inverse.cwiseProduct(g), inverse.asDiagonal() * H * inverse.asDiagonal()};
}

double Superellipsoid::gauge(const Vector3& x) const {
  const Vector3 u = x.cwiseQuotient(axes).cwiseAbs();
  const double w = std::pow(std::pow(u.x(), p) + std::pow(u.y(), p), 1 / p);
  return std::pow(std::pow(w, q) + std::pow(u.z(), q), 1 / q);
}

Matrix3 Superellipsoid::support_slopes(const Vector3& direction) const {
  const Vector3 w = axes.cwiseProduct(direction);
  const Vector3 sign = w.unaryExpr([](double value) { return std::copysign(1.0, value); });
  const double r = p / (p - 1), s = q / (q - 1);
  const NormSlopes u = norm_slopes(std::abs(w.x()), std::abs(w.y()), r), h = norm_slopes(u.N, std::abs(w.z()), s);
  Matrix3 H;
  H(0, 0) = h.N_uu * u.N_u * u.N_u + h.N_u * u.N_uu;
  H(0, 1) = h.N_uu * u.N_u * u.N_v + h.N_u * u.N_uv;
  H(1, 1) = h.N_uu * u.N_v * u.N_v + h.N_u * u.N_vv;
  H(0, 2) = h.N_uv * u.N_u;
  H(1, 2) = h.N_uv * u.N_v;
  H(2, 2) = h.N_vv;
  H.triangularView<Eigen::StrictlyLower>() = H.transpose();
  const Vector3 factors = axes.cwiseProduct(sign);
  return factors.asDiagonal() * H * factors.asDiagonal();
}

SurfacePoint Superellipsoid::surface_point(double m1, double m2) const {
  const auto [c1, dc1] = signed_power(std::cos(m1), -std::sin(m1), 2 / p);
  const auto [s1, ds1] = signed_power(std::sin(m1), std::cos(m1), 2 / p);
  const auto [c2, dc2] = signed_power(std::cos(m2), -std::sin(m2), 2 / q);
  const auto [s2, ds2] = signed_power(std::sin(m2), std::cos(m2), 2 / q);
  const Vector3 rho = axes.cwiseProduct(Vector3(c2 * c1, c2 * s1, s2));
  return {rho, axes.cwiseProduct(Vector3(c2 * dc1, c2 * ds1, 0)), axes.cwiseProduct(Vector3(dc2 * c1, dc2 * s1, ds2)),
          level_set(rho)};
}

}  // namespace carom::geometry
