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
  geometry::contact_points(a.shape, model.pose(pair.body_a, state) * a.pose, b.shape,
                           model.pose(pair.body_b, state) * b.pose, margin, model.dimension(), points);
  for (const geometry::ContactPoint& point : points) touches.push_back({pair, point});
}

TouchRows touch_rows(const Model& model, const State& state, const std::vector<Touch>& touches) {
  TouchRows rows{{}, Vector::Zero(static_cast<Index>(touches.size()))};
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t j = 0; j < touches.size(); ++j) {
    const auto& [pair, point] = touches[j];
    const auto emit = [&](Index row, double value) { entries.emplace_back(row, static_cast<Index>(j), value); };
    for (const auto& [body, at, sign] :
         {std::tuple(pair.body_a, &point.point_a, -1.0), std::tuple(pair.body_b, &point.point_b, 1.0)}) {
      const Pose pose = model.pose(body, state);
      model.direction(body, pose, *at - pose.position, sign * point.normal, emit);
      if (model.first_velocity(body) < 0)
        rows.drift[static_cast<Index>(j)] += sign * point.normal.dot(point_velocity(model, state, body, *at));
    }
  }
  rows.W = numerics::by_columns(model.velocities(), static_cast<Index>(touches.size()), entries);
  return rows;
}

double normal_velocity(const Model& model, const State& state, const Touch& touch) {
  return touch.point.normal.dot(point_velocity(model, state, touch.pair.body_b, touch.point.point_b) -
                                point_velocity(model, state, touch.pair.body_a, touch.point.point_a));
}

Vector touch_bias(const Model& model, const State& state, const std::vector<Touch>& touches) {
  Vector bias(static_cast<Index>(touches.size()));
  std::vector<Touch> found;
  for (std::size_t j = 0; j < touches.size(); ++j) {
    const double dt = short_time(model, state, touches[j]);
    const State later = moved_on(model, state, dt), earlier = moved_on(model, state, -dt);
    const double gain = normal_velocity(model, later, followed(model, later, touches[j], found)) -
                        normal_velocity(model, earlier, followed(model, earlier, touches[j], found));
    bias[static_cast<Index>(j)] = gain / (2 * dt);
  }
  return bias;
}

}  // namespace carom
