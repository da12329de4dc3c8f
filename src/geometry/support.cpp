#include "geometry/support.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace carom::geometry {
namespace {

double sign(double value) {
  return std::copysign(1.0, value);
}

/// (|u|^s + |v|^s)^(1/s) without overflow.
double norm(double u, double v, double s) {
  const double most = std::max(std::abs(u), std::abs(v));
  if (most <= 0) return 0;
  return most * std::pow(std::pow(std::abs(u) / most, s) + std::pow(std::abs(v) / most, s), 1 / s);
}

template <class Corners>
std::size_t farthest(const Corners& corners, const auto& direction) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (direction.dot(corners[i] - corners[best]) > 0) best = i;
  return best;
}

struct SupportPoint {
  const Vector3& d;

  Vector3 operator()(const Sphere& s) const { return s.radius * d.stableNormalized(); }
  Vector3 operator()(const Box& s) const { return {sign(d.x()) * s.half.x(), sign(d.y()) * s.half.y(), flat(s)}; }
  Vector3 operator()(const Capsule& s) const {
    Vector3 point = s.radius * d.stableNormalized();
    point.x() += sign(d.x()) * s.half_length;
    return point;
  }
  Vector3 operator()(const Cylinder& s) const {
    const Vector3 across = Vector3(0, d.y(), d.z()).stableNormalized();
    return {sign(d.x()) * s.half_length, s.radius * across.y(), s.radius * across.z()};
  }
  Vector3 operator()(const Ellipsoid& s) const {
    return s.axes.cwiseProduct(s.axes.cwiseProduct(d).stableNormalized());
  }
  Vector3 operator()(const Superellipsoid& s) const { return support_point(s, d); }
  Vector3 operator()(const HalfSpace&) const {
    throw InputError("shape", "a half-space is unbounded and has no farthest point");
  }
  Vector3 operator()(const Polygon& s) const {
    const Eigen::Vector2d& corner = s.corners[farthest(s.corners, Eigen::Vector2d(d.head<2>()))];
    return {corner.x(), corner.y(), 0};
  }
  Vector3 operator()(const Polytope& s) const { return s.corners[farthest(s.corners, d)]; }

  double flat(const Box& s) const { return d.z() == 0 ? 0 : sign(d.z()) * s.half.z(); }
};

}  // namespace

Vector3 support_point(const Superellipsoid& shape, const Vector3& direction) {
  // h(n) = (u^q' + |c n_z|^q')^(1/q'), u = (|a n_x|^p' + |b n_y|^p')^(1/p'), 1/p + 1/p' = 1; the point is its gradient.
  const double p = shape.p / (shape.p - 1), q = shape.q / (shape.q - 1);
  const Vector3 w = shape.axes.cwiseProduct(direction);
  const double u = norm(w.x(), w.y(), p), h = norm(u, w.z(), q);
  if (!(h > 0)) return {shape.axes.x(), 0, 0};
  const double level = std::pow(u / h, q - 1);
  const auto part = [&](int i) {
    return u > 0 ? shape.axes[i] * level * sign(w[i]) * std::pow(std::abs(w[i]) / u, p - 1) : 0.0;
  };
  return {part(0), part(1), shape.axes.z() * sign(w.z()) * std::pow(std::abs(w.z()) / h, q - 1)};
}

Vector3 support_point(const Shape& shape, const Vector3& direction) {
  return std::visit(SupportPoint{direction}, shape);
}

}  // namespace carom::geometry
