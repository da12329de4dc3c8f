#include "carom/simulate/magnitudes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::simulate {
namespace {

constexpr double kVanished = 1e-140;      // [m/s or rad/s]
constexpr double kLargest = 1e150;        // its square is still a number
constexpr double kFarthestTravel = 1e15;  // times the smallest body's size: a position has 16 digits
constexpr double kMostTurns = 1e15;       // [rad]
constexpr double kMostRecords = 1e8;
constexpr double kMostSteps = 1e10;
constexpr double kNoSize = std::numeric_limits<double>::infinity();

void require_number(const std::string& place, const Vector3& value) {
  for (Index k = 0; k < 3; ++k)
    if (!(std::abs(value[k]) <= kLargest))
      throw InputError(place,
                       fmt::format("{} is too large to compute with; numbers are below {:.0e}", value[k], kLargest));
}

double smallest_size(const Model& model) {
  double smallest = kNoSize;
  for (const Body& body : model.bodies()) {
    double size = 0;
    for (const geometry::Part& part : body.parts)
      size = std::max(size, part.pose.position.norm() + geometry::reach(part.shape));
    if (body.is_free() && size > 0) smallest = std::min(smallest, size);
  }
  return smallest;
}

/// A body may not come so far that its place cannot be told to a fraction of a size.
void require_near(const std::string& place, const std::string& what, double distance, double size) {
  if (distance > kFarthestTravel * size)
    throw InputError(place,
                     fmt::format("{}, {:.2g} times the size of the smallest body; positions have 16 digits, so at "
                                 "most {:.0e} times makes sense",
                                 what, distance / size, kFarthestTravel));
}

std::string led(const std::string& cause, double distance, double duration) {
  return fmt::format("{} leads {:.2g} m far in {:.6g} s", cause, distance, duration);
}

void require_times(const Scheme& scheme, const RunOptions& options) {
  if (!(options.duration > 0) || !std::isfinite(options.duration))
    throw InputError("duration", fmt::format("{} is not a positive time", options.duration));
  if (!(options.interval > 0) || !std::isfinite(options.interval))
    throw InputError("record.interval", fmt::format("{} is not a positive time", options.interval));
  if (const double records = options.duration / options.interval; records > kMostRecords)
    throw InputError("record.interval", fmt::format("{} asks for {:.2g} records; at most {:.0e} are written",
                                                    options.interval, records, kMostRecords));
  const auto* stepping = std::get_if<TimeStepping>(&scheme);
  if (!stepping) return;
  if (const double steps = options.duration / stepping->step; steps > kMostSteps)
    throw InputError("scheme.step",
                     fmt::format("{} needs {:.2g} steps; at most {:.0e} are made", stepping->step, steps, kMostSteps));
}

void require_start(const Model& model, const State& start, double duration, double size) {
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    if (!model.bodies()[i].is_free()) continue;
    const Vector3 position = model.pose(i, start).position;
    const Twist twist = model.twist(i, start);
    const auto place = [&](const char* key) { return fmt::format("bodies[{}].{}", i, key); };
    require_number(place("position"), position);
    require_number(place("velocity"), twist.velocity);
    require_number(place("angular_velocity"), twist.angular);
    require_near(place("position"), fmt::format("is {:.6g} m from the origin", position.norm()), position.norm(), size);
    const double travel = twist.velocity.norm() * duration;
    require_near(place("velocity"), led(fmt::format("{:.6g} m/s", twist.velocity.norm()), travel, duration), travel,
                 size);
    if (twist.angular.norm() * duration > kMostTurns)
      throw InputError(place("angular_velocity"),
                       fmt::format("{:.6g} rad/s over {:.6g} s turns by {:.2g} rad; angles have 16 digits, so at most "
                                   "{:.0e} makes sense",
                                   twist.angular.norm(), duration, twist.angular.norm() * duration, kMostTurns));
  }
}

/// Forces as they are at the start.
void require_loads(const Model& model, const State& start, double duration, double size) {
  const std::vector<Load>& loads = model.description().loads;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    Vector3 force, torque;
    for (std::size_t k = 0; k < 3; ++k) {
      force[static_cast<Index>(k)] = loads[i].force[k].at(start.t).value;
      torque[static_cast<Index>(k)] = loads[i].torque[k].at(start.t).value;
    }
    require_number(fmt::format("loads[{}].force", i), force);
    require_number(fmt::format("loads[{}].torque", i), torque);
    if (loads[i].at.body < 0) continue;
    const Body& body = model.bodies()[loads[i].at.body];
    const double travel = force.norm() / body.mass * duration * duration / 2;
    if (body.is_free())
      require_near(fmt::format("loads[{}].force", i),
                   led(fmt::format("{:.6g} N on {:.6g} kg", force.norm(), body.mass), travel, duration), travel, size);
  }
}

}  // namespace

void require_magnitudes(const Model& model, const State& start, const Scheme& scheme, const RunOptions& options) {
  require_times(scheme, options);
  const double size = smallest_size(model), duration = options.duration;
  const Vector3& gravity = model.description().gravity;
  require_number("gravity", gravity);
  const double fall = gravity.norm() * duration * duration / 2;
  require_near("gravity", led(fmt::format("{:.6g} m/s^2", gravity.norm()), fall, duration), fall, size);
  require_start(model, start, duration, size);
  require_loads(model, start, duration, size);
}

std::string body_out_of_range(const Model& model, const State& state) {
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const Index q = model.first_position(body), u = model.first_velocity(body);
    if (q < 0) continue;
    const Index positions = model.dimension() == Dimension::line ? 1 : model.dimension() == Dimension::plane ? 3 : 7;
    const Index velocities = positions == 7 ? 6 : positions;
    if (!state.q.segment(q, positions).allFinite() || !state.u.segment(u, velocities).allFinite())
      return model.bodies()[body].name;
  }
  return {};
}

double without_vanishing(double u) {
  return std::abs(u) < kVanished ? 0 : u;
}

Vector without_vanishing(const Vector& u) {
  return u.unaryExpr([](double value) { return without_vanishing(value); });
}

}  // namespace carom::simulate
