#include "carom/geometry/body_pair.h"

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/geometry/infinity.h"

namespace carom::geometry {
namespace {

constexpr double kAsNear = 1e-9;  // part of the size by which gaps of equal ones may differ

double size_of_parts(const Shape& a, const Shape& b) {
  const double size = std::min(reach(a), reach(b));
  return std::isfinite(size) ? size : 1;
}

/// Where the nearest points of two bodies are.
struct Nearest {
  ContactPoint point;
  Index a = -1, b = -1;
};
Nearest nearest_parts(const MovingBody& a, const MovingBody& b, Dimension dimension) {
  Nearest best;
  best.point.gap = kInfinity;
  for (Index i = 0; i < static_cast<Index>(a.parts.size()); ++i)
    for (Index j = 0; j < static_cast<Index>(b.parts.size()); ++j) {
      const Part &of_a = a.parts[i], &of_b = b.parts[j];
      if (!std::isfinite(std::min(reach(of_a.shape), reach(of_b.shape)))) continue;  // two half-spaces
      const ContactPoint point =
          nearest_points(of_a.shape, a.pose * of_a.pose, of_b.shape, b.pose * of_b.pose, dimension);
      if (point.gap < best.point.gap) best = {point, i, j};
    }
  if (a.parts.empty() || b.parts.empty()) throw InputError("shape", "a body without shapes has no distance to another");
  if (best.a < 0) throw InputError("shape", "two planes have no nearest points");
  return best;
}

/// Points whose gap is not larger than the least, but for rounding, each place once.
std::vector<ContactPoint> all_as_near(const MovingBody& a, const MovingBody& b, const Nearest& nearest, double size,
                                      Dimension dimension) {
  std::vector<ContactPoint> found, result = {nearest.point};
  const double near = kAsNear * size;
  for (const Part& of_a : a.parts)
    for (const Part& of_b : b.parts)
      if (std::isfinite(std::min(reach(of_a.shape), reach(of_b.shape))))
        contact_points(of_a.shape, a.pose * of_a.pose, of_b.shape, b.pose * of_b.pose, nearest.point.gap + near,
                       dimension, found);
  for (const ContactPoint& point : found) {
    if (point.gap > nearest.point.gap + near) continue;
    const bool known = std::any_of(result.begin(), result.end(), [&](const ContactPoint& other) {
      return std::max((point.point_a - other.point_a).norm(), (point.point_b - other.point_b).norm()) <= 1e3 * near;
    });
    if (!known) result.push_back(point);
  }
  return result;
}

std::optional<double> interference_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const Sphere *ball_a = std::get_if<Sphere>(&a), *ball_b = std::get_if<Sphere>(&b);
  if (ball_a && ball_b) return interference_distance(*ball_a, pose_a.position, *ball_b, pose_b.position);
  const auto flat = [](const Shape& shape) {
    return std::holds_alternative<Box>(shape) || std::holds_alternative<Polytope>(shape) ||
           std::holds_alternative<HalfSpace>(shape);
  };
  if (!flat(a) || !flat(b)) return std::nullopt;
  return interference_distance(polyhedron(a, pose_a), polyhedron(b, pose_b));
}

Vector3 velocity_at(const MovingBody& body, const Vector3& point) {
  return body.velocity + body.angular_velocity.cross(point - body.pose.position);
}

/// Of the material point in contact as the contact creeps over the body with xi.
Vector3 acceleration_at(const MovingBody& body, const Vector3& point, const Vector3& xi) {
  const Vector3 arm = point - body.pose.position;
  return body.acceleration + body.angular_acceleration.cross(arm) +
         body.angular_velocity.cross(body.angular_velocity.cross(arm) + xi);
}

}  // namespace

BodyPair body_pair(const MovingBody& a, const MovingBody& b, Dimension dimension) {
  const Nearest nearest = nearest_parts(a, b, dimension);
  const Shape &shape_a = a.parts[nearest.a].shape, &shape_b = b.parts[nearest.b].shape;
  const Pose pose_a = a.pose * a.parts[nearest.a].pose, pose_b = b.pose * b.parts[nearest.b].pose;
  const ContactPoint& point = nearest.point;
  const Vector3& n = point.normal;
  BodyPair pair;
  pair.point = point;
  pair.part_a = nearest.a;
  pair.part_b = nearest.b;
  pair.size = size_of_parts(shape_a, shape_b);
  pair.as_near = all_as_near(a, b, nearest, pair.size, dimension);
  pair.curvature_a = curvature(shape_a, pose_a, point.point_a, n);
  pair.curvature_b = curvature(shape_b, pose_b, point.point_b, -n);
  pair.relative = relative_curvature(shape_a, pose_a, point.point_a, shape_b, pose_b, point.point_b, n, dimension);
  if (dimension == Dimension::space) pair.interference = interference_of(shape_a, pose_a, shape_b, pose_b);

  pair.w << -n, -(point.point_a - a.pose.position).cross(n), n, (point.point_b - b.pose.position).cross(n);
  const Vector3 v_a = velocity_at(a, point.point_a), v_b = velocity_at(b, point.point_b), v = v_b - v_a;
  pair.gap_rate = n.dot(v);
  pair.slip = v - pair.gap_rate * n;
  const ContactMotion motion = contact_motion(point, contact_curvatures(shape_a, pose_a, shape_b, pose_b, point),
                                              {v_a, a.angular_velocity, v_b, b.angular_velocity}, pair.size, dimension);
  pair.gap_acceleration = motion.n_rate.dot(v) + n.dot(acceleration_at(b, point.point_b, motion.xi_b) -
                                                       acceleration_at(a, point.point_a, motion.xi_a));
  return pair;
}

std::optional<Vector3> endless_normal(const Shape& shape) {
  const HalfSpace* half_space = std::get_if<HalfSpace>(&shape);
  return half_space ? std::optional(half_space->normal) : std::nullopt;
}

double effective_radius(const RelativeCurvature& curvature) {
  if (curvature.A == kInfinity) return 0;
  return curvature.B > 0 ? 1 / std::sqrt(curvature.A * curvature.B) : kInfinity;
}

}  // namespace carom::geometry
