#include "model/touch.h"

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "numerics/sparse_columns.h"

namespace carom {
namespace {

constexpr double kAngleOfDifference = 1e-5;  // [rad] turned between the two ends of a difference: error about 1e-10

const geometry::Part& part_of(const Model& model, int body, int part) {
  return model.bodies()[static_cast<std::size_t>(body)].parts[static_cast<std::size_t>(part)];
}

Vector3 point_velocity(const Model& model, const State& state, int body, const Vector3& point) {
  return model.twist(body, state).at(point - model.pose(body, state).position);
}

/// The same touch at another state nearby; where its feature is gone, the nearest point of the pair.
Touch followed(const Model& model, const State& state, const Touch& touch, std::vector<Touch>& found) {
  found.clear();
  find_touches(model, state, touch.pair, std::numeric_limits<double>::infinity(), found);
  const Touch* nearest = &found.front();
  for (const Touch& one : found) {
    if (one.same_as(touch)) return one;
    if (one.point.gap < nearest->point.gap) nearest = &one;
  }
  return *nearest;
}

/// The state a short time later (or earlier), moving on with the same velocities.
State moved_on(const Model& model, const State& state, double dt) {
  State moved = state;
  moved.t += dt;
  model.displace(moved.q, dt * state.u);
  return moved;
}

/// A time over which nothing turns or moves far: the angles and the distances relative to the curvatures stay small.
double short_time(const Model& model, const State& state, const Touch& touch) {
  double rate = 0;
  for (const auto& [body, part] :
       {std::pair(touch.pair.body_a, touch.pair.part_a), {touch.pair.body_b, touch.pair.part_b}}) {
    const Twist twist = model.twist(body, state);
    const double size = geometry::reach(part_of(model, body, part).shape);
    rate += twist.angular.norm() + (std::isfinite(size) ? twist.velocity.norm() / size : 0);
    if (const auto& known = model.bodies()[static_cast<std::size_t>(body)].prescribed;
        known && !known->angle.is_constant())
      rate += 1;
  }
  return rate > 0 ? kAngleOfDifference / rate : kAngleOfDifference;
}

}  // namespace

void find_touches(const Model& model, const State& state, const PartPair& pair, double margin,
                  std::vector<Touch>& touches) {
  const geometry::Part& a = part_of(model, pair.body_a, pair.part_a);
  const geometry::Part& b = part_of(model, pair.body_b, pair.part_b);
  std::vector<geometry::ContactPoint> points;
  const Pose pose_a = model.pose(pair.body_a, state), pose_b = model.pose(pair.body_b, state);
  geometry::contact_points(a.shape, pose_a * a.pose, b.shape, pose_b * b.pose, margin, model.dimension(), points);
  for (const geometry::ContactPoint& point : points)
    touches.push_back({pair, point, pose_a.to_local(point.point_a), pose_b.to_local(point.point_b)});
}

Eigen::Matrix3Xd tangents_of(const Vector3& normal, Dimension dimension) {
  if (dimension == Dimension::line) return Eigen::Matrix3Xd(3, 0);
  if (dimension == Dimension::plane) return Vector3(-normal.y(), normal.x(), 0);
  Eigen::Matrix3Xd result(3, 2);
  Index least = 0;
  normal.cwiseAbs().minCoeff(&least);
  result.col(0) = Vector3::Unit(least).cross(normal).normalized();
  result.col(1) = normal.cross(result.col(0));
  return result;
}

TouchRows touch_rows(const Model& model, const State& state, const std::vector<Touch>& touches,
                     const std::vector<char>& along) {
  TouchRows rows;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> drift;
  const auto add_row = [&](const Touch& touch, const Vector3& direction) {
    const PartPair& pair = touch.pair;
    const geometry::ContactPoint& point = touch.point;
    const Index column = static_cast<Index>(drift.size());
    drift.push_back(0);
    const auto emit = [&](Index row, double value) { entries.emplace_back(row, column, value); };
    for (const auto& [body, at, sign] :
         {std::tuple(pair.body_a, &point.point_a, -1.0), std::tuple(pair.body_b, &point.point_b, 1.0)}) {
      const Pose pose = model.pose(body, state);
      model.direction(body, pose, *at - pose.position, sign * direction, emit);
      if (model.first_velocity(body) < 0) drift.back() += sign * direction.dot(point_velocity(model, state, body, *at));
    }
  };
  for (std::size_t j = 0; j < touches.size(); ++j) {
    rows.row.push_back(static_cast<Index>(drift.size()));
    add_row(touches[j], touches[j].point.normal);
    if (along.empty() || !along[j]) continue;
    const Eigen::Matrix3Xd tangents = tangents_of(touches[j].point.normal, model.dimension());
    for (Index t = 0; t < tangents.cols(); ++t) add_row(touches[j], tangents.col(t));
  }
  rows.drift = Eigen::Map<const Vector>(drift.data(), static_cast<Index>(drift.size()));
  rows.W = numerics::by_columns(model.velocities(), rows.drift.size(), entries);
  return rows;
}

Vector3 relative_velocity(const Model& model, const State& state, const Touch& touch) {
  return point_velocity(model, state, touch.pair.body_b, touch.point.point_b) -
         point_velocity(model, state, touch.pair.body_a, touch.point.point_a);
}

Vector touch_bias(const Model& model, const State& state, const std::vector<Touch>& touches,
                  const std::vector<char>& along) {
  std::vector<double> bias;
  std::vector<Touch> found;
  for (std::size_t j = 0; j < touches.size(); ++j) {
    const double dt = short_time(model, state, touches[j]);
    const State later = moved_on(model, state, dt), earlier = moved_on(model, state, -dt);
    const Touch after = followed(model, later, touches[j], found), before = followed(model, earlier, touches[j], found);
    bias.push_back((normal_velocity(model, later, after) - normal_velocity(model, earlier, before)) / (2 * dt));
    if (along.empty() || !along[j]) continue;
    const Eigen::Matrix3Xd tangents = tangents_of(touches[j].point.normal, model.dimension());
    const Vector3 gain = relative_velocity(model, later, after) - relative_velocity(model, earlier, before);
    for (Index t = 0; t < tangents.cols(); ++t) bias.push_back(tangents.col(t).dot(gain) / (2 * dt));
  }
  return Eigen::Map<const Vector>(bias.data(), static_cast<Index>(bias.size()));
}

}  // namespace carom
