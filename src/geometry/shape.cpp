#include "carom/geometry/shape.h"

#include <cmath>

#include "carom/base/error.h"

namespace carom::geometry {
namespace {

MassProperties on_line(const Shape& shape) {
  if (!std::isfinite(reach(shape))) return {.volume = reach(shape)};
  const double low = support_point(shape, -Vector3::UnitX()).x(), high = support_point(shape, Vector3::UnitX()).x();
  const double length = high - low;
  return from_moments(length, {(low + high) / 2, 0, 0}, Vector3(std::pow(length, 3) / 12, 0, 0).asDiagonal());
}

}  // namespace

MassProperties mass_properties(const Shape& shape, Dimension dimension) {
  if (dimension == Dimension::line) return on_line(shape);
  return std::visit(
      [&]<class S>(const S& one) -> MassProperties {
        if (dimension == Dimension::plane) return one.in_plane();
        if constexpr (is_in_space<S>)
          return one.in_space();
        else
          throw InputError("shape", "a polygon lives in the plane; in space a polytope has corners and faces");
      },
      shape);
}

Bounds bounds(const Shape& shape, const Pose& pose) {
  return std::visit(
      [&]<class S>(const S& one) -> Bounds {
        if constexpr (UnboundedShape<S>) {
          return one.bounds(pose);
        } else {
          const Matrix3 R = pose.orientation.toRotationMatrix();
          Bounds result;
          for (int i = 0; i < 3; ++i) {
            const Vector3 axis = R.row(i).transpose();
            result.high[i] = pose.position[i] + axis.dot(one.support_point(axis));
            result.low[i] = pose.position[i] + axis.dot(one.support_point(-axis));
          }
          return result;
        }
      },
      shape);
}

std::optional<double> ball_radius(const Shape& shape) {
  return std::visit(
      [](const auto& one) { return one.round_radius() == one.reach() ? std::optional(one.reach()) : std::nullopt; },
      shape);
}

std::optional<Vector3> flat_normal(const Shape& shape) {
  const auto* wall = std::get_if<HalfSpace>(&shape);
  return wall != nullptr ? std::optional(wall->normal) : std::nullopt;
}

double reach(const Shape& shape) {
  return std::visit([](const auto& one) { return one.reach(); }, shape);
}

Vector3 support_point(const Shape& shape, const Vector3& direction) {
  return std::visit(
      [&]<class S>(const S& one) -> Vector3 {
        if constexpr (BoundedShape<S>)
          return one.support_point(direction);
        else
          throw InputError("shape", "a half-space is unbounded and has no farthest point");
      },
      shape);
}

Curvature curvature(const Shape& shape, const Pose& pose, const Vector3& point, const Vector3& normal) {
  const Vector3 x = pose.to_local(point), n = pose.orientation.conjugate() * normal;
  Curvature result = std::visit([&](const auto& one) { return one.curvature(x, n); }, shape);
  result.direction = pose.orientation * result.direction;
  return result;
}

Eigen::Matrix2d shape_operator(const Shape& shape, const Pose& pose, const Vector3& point, const Vector3& normal,
                               const Vector3& tangent1, const Vector3& tangent2) {
  const Curvature k = curvature(shape, pose, point, normal);
  if (!std::isfinite(k.most)) throw InputError("surface", "edges and corners have no shape operator");
  const Eigen::Vector2d d(tangent1.dot(k.direction), tangent2.dot(k.direction));
  return k.least * Eigen::Matrix2d::Identity() + (k.most - k.least) * d * d.transpose();
}

}  // namespace carom::geometry
