// Volumes, centres and inertias of shapes of density 1, from their second moments P_ij = integral of x_i x_j.

#include <cmath>
#include <numbers>

#include "geometry/plane/section.h"
#include "geometry/shape.h"
#include "geometry/support.h"

namespace carom::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

/// From volume, centre and second moments about the centre.
MassProperties from_moments(double volume, const Vector3& centre, const Matrix3& P) {
  return {volume, centre, P.trace() * Matrix3::Identity() - P};
}
MassProperties symmetric(double volume, const Vector3& squares) {
  return from_moments(volume, Vector3::Zero(), squares.asDiagonal());
}

double beta(double x, double y) {
  return std::exp(std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y));
}

/// Integral of |x|^m over |x|^p + |y|^p <= 1 (Dirichlet).
double superellipse_moment(double p, double m) {
  return 4 / p / (m + 2) * beta((m + 1) / p, 1 / p);
}

MassProperties superellipsoid(const Superellipsoid& s) {
  const double a = s.axes.x(), b = s.axes.y(), c = s.axes.z();
  // Its section at height z is the superellipse shrunk by (1 - |z/c|^q)^(1/q).
  const auto along = [&](double m, double shrink) { return 2 / s.q * beta((m + 1) / s.q, 1 + shrink / s.q); };
  const double area = a * b * superellipse_moment(s.p, 0), square = a * b * superellipse_moment(s.p, 2);
  const double thick = c * along(0, 4);
  return symmetric(area * c * along(0, 2),
                   {a * a * square * thick, b * b * square * thick, c * c * area * c * along(2, 2)});
}

MassProperties polytope(const Polytope& s) {
  // Tetrahedra from an inner point to the triangles of the faces.
  Vector3 origin = Vector3::Zero();
  for (const Vector3& corner : s.corners) origin += corner / static_cast<double>(s.corners.size());
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (const std::vector<int>& face : s.faces)
    for (std::size_t i = 2; i < face.size(); ++i) {
      Matrix3 V;
      V << s.corners[face[0]] - origin, s.corners[face[i - 1]] - origin, s.corners[face[i]] - origin;
      const double tetrahedron = V.determinant() / 6;
      const Vector3 sum = V.rowwise().sum();
      volume += tetrahedron;
      first += tetrahedron / 4 * sum;
      second += tetrahedron / 20 * (V * V.transpose() + sum * sum.transpose());
    }
  const Vector3 centre = first / volume;
  return from_moments(volume, origin + centre, second - volume * centre * centre.transpose());
}

struct InSpace {
  MassProperties operator()(const Sphere& s) const {
    const double volume = 4.0 / 3 * kPi * std::pow(s.radius, 3);
    return symmetric(volume, Vector3::Constant(volume * s.radius * s.radius / 5));
  }
  MassProperties operator()(const Box& s) const {
    const double volume = 8 * s.half.prod();
    return symmetric(volume, volume / 3 * s.half.cwiseAbs2());
  }
  MassProperties operator()(const Capsule& s) const {
    const double r = s.radius, l = s.half_length, rod = 2 * kPi * r * r * l, ball = 4.0 / 3 * kPi * r * r * r;
    const double along = rod * l * l / 3 + ball * (r * r / 5 + l * l + 0.75 * l * r);
    const double across = rod * r * r / 4 + ball * r * r / 5;
    return symmetric(rod + ball, {along, across, across});
  }
  MassProperties operator()(const Cylinder& s) const {
    const double r2 = s.radius * s.radius, volume = 2 * kPi * r2 * s.half_length;
    return symmetric(volume, volume * Vector3(s.half_length * s.half_length / 3, r2 / 4, r2 / 4));
  }
  MassProperties operator()(const Ellipsoid& s) const {
    const double volume = 4.0 / 3 * kPi * s.axes.prod();
    return symmetric(volume, volume / 5 * s.axes.cwiseAbs2());
  }
  MassProperties operator()(const Superellipsoid& s) const { return superellipsoid(s); }
  MassProperties operator()(const HalfSpace&) const { return {.volume = std::numeric_limits<double>::infinity()}; }
  MassProperties operator()(const Polygon&) const { return {}; }
  MassProperties operator()(const Polytope& s) const { return polytope(s); }
};

MassProperties polygon(const Polygon& s) {
  const Eigen::Vector2d origin = s.corners.front();
  double area = 0;
  Eigen::Vector2d first = Eigen::Vector2d::Zero();
  Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
  for (std::size_t i = 2; i < s.corners.size(); ++i) {
    Eigen::Matrix2d V;
    V << s.corners[i - 1] - origin, s.corners[i] - origin;
    const double triangle = V.determinant() / 2;
    const Eigen::Vector2d sum = V.rowwise().sum();
    area += triangle;
    first += triangle / 3 * sum;
    second += triangle / 12 * (V * V.transpose() + sum * sum.transpose());
  }
  const Eigen::Vector2d centre = first / area;
  Matrix3 P = Matrix3::Zero();
  P.topLeftCorner<2, 2>() = second - area * centre * centre.transpose();
  return from_moments(area, {origin.x() + centre.x(), origin.y() + centre.y(), 0}, P);
}

MassProperties rectangle(double a, double b) {
  return symmetric(4 * a * b, {4 * a * b * a * a / 3, 4 * a * b * b * b / 3, 0});
}

struct InPlane {
  MassProperties operator()(const Sphere& s) const { return (*this)(Ellipsoid{Vector3::Constant(s.radius)}); }
  MassProperties operator()(const Box& s) const { return rectangle(s.half.x(), s.half.y()); }
  MassProperties operator()(const Capsule& s) const {
    const double r = s.radius, l = s.half_length, rod = 4 * r * l, disc = kPi * r * r;
    const double along = rod * l * l / 3 + disc * (r * r / 4 + l * l + 8 * l * r / (3 * kPi));
    return symmetric(rod + disc, {along, rod * r * r / 3 + disc * r * r / 4, 0});
  }
  MassProperties operator()(const Cylinder& s) const { return rectangle(s.half_length, s.radius); }
  MassProperties operator()(const Ellipsoid& s) const {
    const double a = s.axes.x(), b = s.axes.y(), area = kPi * a * b;
    return symmetric(area, area / 4 * Vector3(a * a, b * b, 0));
  }
  MassProperties operator()(const Superellipsoid& s) const {
    const double a = s.axes.x(), b = s.axes.y(), square = a * b * superellipse_moment(s.p, 2);
    return symmetric(a * b * superellipse_moment(s.p, 0), {a * a * square, b * b * square, 0});
  }
  MassProperties operator()(const HalfSpace&) const { return {.volume = std::numeric_limits<double>::infinity()}; }
  MassProperties operator()(const Polygon& s) const { return polygon(s); }
  MassProperties operator()(const Polytope& s) const { return polygon(plane::section(s)); }
};

MassProperties on_line(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape)) return {.volume = std::numeric_limits<double>::infinity()};
  const double low = support_point(shape, -Vector3::UnitX()).x(), high = support_point(shape, Vector3::UnitX()).x();
  const double length = high - low;
  return from_moments(length, {(low + high) / 2, 0, 0}, Vector3(std::pow(length, 3) / 12, 0, 0).asDiagonal());
}

}  // namespace

MassProperties mass_properties(const Shape& shape, Dimension dimension) {
  switch (dimension) {
    case Dimension::line:
      return on_line(shape);
    case Dimension::plane:
      return std::visit(InPlane{}, shape);
    default:
      return std::visit(InSpace{}, shape);
  }
}

}  // namespace carom::geometry
