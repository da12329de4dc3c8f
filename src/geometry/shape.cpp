#include "geometry/shape.h"

#include <algorithm>
#include <cmath>

#include "geometry/infinity.h"
#include "geometry/support.h"

namespace carom::geometry {
namespace {

/// A half-space whose normal is an axis of the world ends there; every other one is unbounded in all directions.
Bounds half_space_bounds(const HalfSpace& shape, const Pose& pose) {
  Bounds result{Vector3::Constant(-kInfinity), Vector3::Constant(kInfinity)};
  const Vector3 normal = pose.orientation * shape.normal;
  for (int i = 0; i < 3; ++i) {
    if (normal[i] == normal.norm()) result.high[i] = pose.position[i];
    if (normal[i] == -normal.norm()) result.low[i] = pose.position[i];
  }
  return result;
}

/// The largest sqrt(u^2 + v^2) with |u/a|^p + |v/b|^p <= 1, p >= 2: by Hoelder's inequality for u^2, v^2.
double farthest_corner(double a, double b, double p) {
  if (p <= 2) return std::max(a, b);
  const double s = 2 * p / (p - 2), most = std::max(a, b);
  return most * std::pow(std::pow(a / most, s) + std::pow(b / most, s), 1 / s);
}

struct Reach {
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Box& s) const { return s.half.norm(); }
  double operator()(const Capsule& s) const { return s.half_length + s.radius; }
  double operator()(const Cylinder& s) const { return std::hypot(s.half_length, s.radius); }
  double operator()(const Ellipsoid& s) const { return s.axes.maxCoeff(); }
  double operator()(const Superellipsoid& s) const {
    return farthest_corner(farthest_corner(s.axes.x(), s.axes.y(), s.p), s.axes.z(), s.q);
  }
  double operator()(const HalfSpace&) const { return kInfinity; }
  double operator()(const Polygon& s) const { return largest_norm(s.corners); }
  double operator()(const Polytope& s) const { return largest_norm(s.corners); }

  template <class Corners>
  static double largest_norm(const Corners& corners) {
    double result = 0;
    for (const auto& corner : corners) result = std::max(result, corner.norm());
    return result;
  }
};

}  // namespace

Bounds bounds(const Shape& shape, const Pose& pose) {
  if (const HalfSpace* half_space = std::get_if<HalfSpace>(&shape)) return half_space_bounds(*half_space, pose);
  const Matrix3 R = pose.orientation.toRotationMatrix();
  Bounds result;
  for (int i = 0; i < 3; ++i) {
    const Vector3 axis = R.row(i).transpose();
    result.high[i] = pose.position[i] + axis.dot(support_point(shape, axis));
    result.low[i] = pose.position[i] + axis.dot(support_point(shape, -axis));
  }
  return result;
}

double reach(const Shape& shape) {
  return std::visit(Reach{}, shape);
}

}  // namespace carom::geometry
