#include "carom/simulate/scales.h"

#include <algorithm>
#include <cmath>

#include "carom/simulate/smooth_motion.h"

namespace carom::simulate {

namespace {

/// [m/s] of what starts at rest and is driven by its forces now, or by what loads and walls do next: that with which
/// the first term of its series leads as far as `length`.
double driven_speed(const Model& model, const State& state, double length) {
  double most = 0;
  const auto moves = [&](double derivative, int order) {  // of the place
    if (derivative != 0) most = std::max(most, length * std::pow(std::abs(derivative) / length, 1.0 / order));
  };
  const Vector acceleration = react(model, state, {}).acceleration;
  if (acceleration.size() > 0) moves(acceleration.cwiseAbs().maxCoeff(), 2);
  const Description& all = model.description();
  for (const Load& load : all.loads) {
    if (load.at.body < 0 || !all.bodies[load.at.body].is_free()) continue;
    const double mass = all.bodies[load.at.body].mass;
    for (const TimeFunction& one : load.force) moves(one.at(state.t).rate / mass, 3);
    for (const TimeFunction& one : load.torque) moves(one.at(state.t).rate / (mass * length), 3);
  }
  for (const Body& body : all.bodies)
    if (body.prescribed)
      for (const TimeFunction& one : body.prescribed->position) moves(one.at(state.t).acceleration, 2);
  return most;
}

}  // namespace

Scales::Scales(const Model& model, const State& state, double duration) {
  const Description& description = model.description();
  for (const Body& body : model.bodies()) {
    if (!body.is_free()) continue;
    mass = std::max(mass, body.mass);
    for (const geometry::Part& part : body.parts)
      if (const double reach = geometry::reach(part.shape); std::isfinite(reach)) length = std::max(length, reach);
  }
  for (const Joint& joint : description.joints)
    length = std::max({length, joint.length, joint.a.point.norm(), joint.b.point.norm()});
  if (length == 0 && state.q.size() > 0) length = state.q.cwiseAbs().maxCoeff();
  if (length == 0) length = 1;
  if (mass == 0) mass = 1;  // nothing moves but walls
  speed = std::sqrt(description.gravity.norm() * length);
  see(model, state);
  if (speed == 0) speed = driven_speed(model, state, length);
  if (speed == 0 || !std::isfinite(speed)) speed = length / duration;
}

void Scales::see(const Model& model, const State& state) {
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const Twist twist = model.twist(body, state);
    speed = std::max({speed, twist.velocity.norm(), length * twist.angular.norm()});
  }
}

}  // namespace carom::simulate
