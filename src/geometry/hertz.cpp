#include "carom/geometry/hertz.h"

#include <cmath>
#include <numbers>
#include <string>

#include "carom/base/error.h"
#include "carom/geometry/infinity.h"

namespace carom::geometry {
namespace {

/// K(e) and D(e) = (K - E) / e^2, the complete elliptic integrals, by the arithmetic-geometric mean; kappa^2 = 1 - e^2.
struct Elliptic {
  double K = 0, D = 0;
};
Elliptic elliptic(double kappa) {
  const double e2 = (1 - kappa) * (1 + kappa);
  // E = K (1 - sum 2^(n-1) c_n^2), c_0 = e, c_1 = e^2 / (2 (1 + kappa)), c_(n+1) = c_n^2 / (4 a_(n+1))
  double a = (1 + kappa) / 2, g = std::sqrt(kappa), c_over_e2 = 1 / (2 * (1 + kappa)), power = 1, sum = 0.5;
  for (int n = 1; n < 40; ++n) {
    const double c = c_over_e2 * e2;
    sum += power * c * c_over_e2;
    if (c <= 1e-17 * a) break;
    const double next = (a + g) / 2;
    g = std::sqrt(a * g);
    a = next;
    c_over_e2 = c_over_e2 * c / (4 * a);
    power *= 2;
  }
  const double K = std::numbers::pi / (a + g);
  return {K, K * sum};
}

/// A/B of a contact ellipse whose axes have the ratio kappa <= 1.
double curvature_ratio(double kappa) {
  const Elliptic integrals = elliptic(kappa);
  return (integrals.K - integrals.D) / (kappa * kappa * integrals.D);
}

/// The ratio kappa of the axes of the contact ellipse: curvature_ratio falls from infinity to 1.
double axis_ratio(double A, double B) {
  double low = std::log(std::pow(B / A, 2.0 / 3)) - 1, high = 0;
  const double target = std::log(A / B);
  const auto excess = [&](double x) { return std::log(curvature_ratio(std::exp(x))) - target; };
  double x = low + 1;
  for (int i = 0; i < 200 && high - low > 1e-16; ++i) {
    const double value = excess(x);
    (value > 0 ? low : high) = x;
    const double h = 1e-6, slope = (excess(x + h) - excess(x - h)) / (2 * h);
    const double next = x - value / slope;
    if (std::abs(next - x) <= 1e-16 * std::max(1.0, std::abs(x))) return std::exp(next);
    x = next > low && next < high ? next : (low + high) / 2;
  }
  return std::exp(x);
}

/// The sum of two bounded curvatures whose principal directions make an angle.
RelativeCurvature summed(const Curvature& a, const Curvature& b, const Vector3& normal) {
  const Vector3 t1 = a.direction, t2 = normal.cross(t1);
  const double c = t1.dot(b.direction), s = t2.dot(b.direction);
  const double da = a.most - a.least, db = b.most - b.least;
  const double sum = a.most + a.least + b.most + b.least;
  const double difference = std::hypot(da + db * (c * c - s * s), db * 2 * c * s);
  return {(sum + difference) / 2, std::max(0.0, (sum - difference) / 2)};
}

/// An edge (infinitely curved across) and a surface: bounded along the edge only.
RelativeCurvature with_edge(const Curvature& edge, const Curvature& other, const Vector3& normal) {
  if (other.least == kInfinity) return {kInfinity, kInfinity};
  const Vector3 along = normal.cross(edge.direction);
  const double c = along.dot(other.direction), least = edge.least + other.least * (1 - c * c);
  if (c == 0) return {kInfinity, least};
  return {kInfinity, other.most == kInfinity ? kInfinity : least + other.most * c * c};
}

}  // namespace

double effective_modulus(const Elasticity& a, const Elasticity& b) {
  return 1 / ((1 - a.nu * a.nu) / a.E + (1 - b.nu * b.nu) / b.E);
}

RelativeCurvature relative_curvature(const Shape& a, const Pose& pose_a, const Vector3& point_a, const Shape& b,
                                     const Pose& pose_b, const Vector3& point_b, const Vector3& normal,
                                     [[maybe_unused]] Dimension dimension) {
  const Curvature of_a = curvature(a, pose_a, point_a, normal), of_b = curvature(b, pose_b, point_b, -normal);
  if (of_a.least == kInfinity || of_b.least == kInfinity) return {kInfinity, kInfinity};
  if (of_a.most == kInfinity) return with_edge(of_a, of_b, normal);
  if (of_b.most == kInfinity) return with_edge(of_b, of_a, normal);
  return summed(of_a, of_b, normal);
}

bool has_hertz_contact(const Shape& a, const Shape& b) {
  const auto bending = [](const Shape& shape) {
    return std::visit([](const auto& one) { return one.bending; }, shape);
  };
  const Bending of_a = bending(a), of_b = bending(b);
  const bool smooth = of_a == Bending::smooth || of_b == Bending::smooth;
  return smooth && of_a != Bending::straight && of_b != Bending::straight;
}

double hertz_stiffness(const RelativeCurvature& curvature, double effective_modulus) {
  const double A = curvature.A, B = curvature.B;
  if (!(B > 0) || !(A >= B) || A == kInfinity)
    throw InputError("curvature", "A = " + std::to_string(A) + ", B = " + std::to_string(B) +
                                      ": Hertz's theory needs a point contact, infinity > A >= B > 0");
  // delta = p_0 b K / E*, P = 2/3 pi a b p_0, a^2 = delta D / (K B/2)   [Johnson, Contact Mechanics, 4.2]
  const auto [K, D] = elliptic(axis_ratio(A, B));
  return 2 * std::numbers::pi / 3 * effective_modulus / K * std::sqrt(2 * D / (K * B));
}

HertzImpact hertz_impact(double k, double n, double m, double v) {
  const double s = 1 / (n + 1);
  const double depth = std::pow(m * v * v / (2 * s * k), s);
  const double constant = 2 * std::sqrt(std::numbers::pi) * std::exp(std::lgamma(1 + s) - std::lgamma(0.5 + s));
  return {depth, k * std::pow(depth, n), constant * depth / v, constant};
}

}  // namespace carom::geometry
