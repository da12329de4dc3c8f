#include "carom/geometry/space/crossing_curves.h"

#include <Eigen/LU>
#include <cmath>

namespace carom::geometry::space {
namespace {

constexpr double kParallelCurves = 1e-3;  // sine of the angle between the curves
constexpr int kCrossingSteps = 20;

}  // namespace

Vector3 Curve::at(double s) const {
  return kind == Kind::line ? Vector3(origin + s * u) : Vector3(origin + std::cos(s) * u + std::sin(s) * v);
}
Vector3 Curve::slope(double s) const {
  return kind == Kind::line ? u : Vector3(std::cos(s) * v - std::sin(s) * u);
}
Vector3 Curve::bend(double s) const {
  return kind == Kind::line ? Vector3(Vector3::Zero()) : Vector3(-std::cos(s) * u - std::sin(s) * v);
}

std::optional<Crossing> crossing(const Curve& a, double s, const Curve& b, double t, const Vector3& n_guess) {
  for (int step = 0; step < kCrossingSteps; ++step) {
    const Vector3 r = b.at(t) - a.at(s), x = a.slope(s), y = b.slope(t);
    const Eigen::Vector2d f(r.dot(x), r.dot(y));
    Eigen::Matrix2d df;
    df << r.dot(a.bend(s)) - x.dot(x), x.dot(y), -x.dot(y), r.dot(b.bend(t)) + y.dot(y);
    if (!(std::abs(df.determinant()) > kParallelCurves * kParallelCurves * x.squaredNorm() * y.squaredNorm()))
      return {};
    const Eigen::Vector2d change = df.inverse() * f;
    s -= change[0];
    t -= change[1];
    if (!(change.norm() < 1)) return {};
    if (change.norm() < 1e-14) break;
  }
  Vector3 n = a.slope(s).cross(b.slope(t)).stableNormalized();
  if (n.dot(n_guess) < 0) n = -n;
  const Vector3 p = a.at(s), q = b.at(t);
  return Crossing{s, t, p, q, n, n.dot(q - p)};
}

}  // namespace carom::geometry::space
