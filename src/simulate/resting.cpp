#include "carom/simulate/resting.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {
namespace {

constexpr double kStill = 1e-12;  // of the speeds, of the accelerations without contacts: rounding

bool is_fixed(const Prescribed& known) {
  return known.angle.is_constant() &&
         std::all_of(known.position.begin(), known.position.end(),
                     [](const TimeFunction& time_function) { return time_function.is_constant(); });
}

bool is_constant(const Load& load) {
  const auto constant = [](const TimeFunction& time_function) { return time_function.is_constant(); };
  return std::all_of(load.force.begin(), load.force.end(), constant) &&
         std::all_of(load.torque.begin(), load.torque.end(), constant);
}

std::vector<char> driven_bodies(const Description& all) {
  std::vector<char> driven(all.bodies.size(), 0);
  const auto drive = [&](int body) {
    if (body >= 0) driven[body] = 1;
  };
  for (int body = 0; body < static_cast<int>(driven.size()); ++body)
    if (const auto& known = all.bodies[body].prescribed; known && !is_fixed(*known)) drive(body);
  for (const Load& load : all.loads)
    if (!is_constant(load)) drive(load.at.body);
  for (const StateLoad& load : all.state_loads) drive(load.at.body);
  for (const Spring& spring : all.springs) {
    drive(spring.a.body);
    drive(spring.b.body);
  }
  for (const TorsionSpring& spring : all.torsion_springs) {
    drive(spring.a);
    drive(spring.b);
  }
  for (const Joint& joint : all.joints)
    if (joint.motor) {
      drive(joint.a.body);
      drive(joint.b.body);
    }
  return driven;
}

/// Places in u of a body's velocities.
struct Span {
  Index first = 0, size = 0;
};
Span velocities_of(const Model& model, int body) {
  const Index size = model.dimension() == Dimension::line ? 1 : model.dimension() == Dimension::plane ? 3 : 6;
  return {model.first_velocity(body), size};
}

/// The fastest of velocities or accelerations of a body, where turns count by the length of the scene.
double fastest(const Model& model, int body, const Vector& u, double length) {
  const Span span = velocities_of(model, body);
  const Index axes = static_cast<Index>(model.dimension());
  const double along = u.segment(span.first, axes).cwiseAbs().maxCoeff();
  return span.size == axes
             ? along
             : std::max(along, length * u.segment(span.first + axes, span.size - axes).cwiseAbs().maxCoeff());
}

}  // namespace

Mode part_of(const Mode& mode, const Island& island) {
  Mode result;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const PartPair& parts = mode.closed[i].parts;
    const auto has = [&](int body) { return std::binary_search(island.bodies.begin(), island.bodies.end(), body); };
    if (has(parts.body_a) || has(parts.body_b)) result.add(mode.closed[i], mode.tangential[i]);
  }
  return result;
}

Mode joined(Mode mode, const Mode& other) {
  for (std::size_t i = 0; i < other.closed.size(); ++i) mode.add(other.closed[i], other.tangential[i]);
  return mode;
}

Resting::Resting(const Model& model)
    : model_(model), driven_(driven_bodies(model.description())), rests_(model.bodies().size(), 0) {}

bool Resting::may_rest(const Island& island) const {
  const auto driven = [&](int body) { return body >= 0 && driven_[body]; };
  for (const int body : island.bodies) {
    if (driven(body)) return false;
    for (const int joint : model_.group(body).joints) {
      const Joint& between = model_.description().joints[joint];
      if (driven(between.a.body) || driven(between.b.body)) return false;
    }
  }
  return std::none_of(island.pairs.begin(), island.pairs.end(),
                      [&](const ContactPair& pair) { return driven(pair.parts.body_a) || driven(pair.parts.body_b); });
}

void Resting::take(State& state, Mode& mode, const Scales& scales) {
  if (mode.empty() || std::all_of(driven_.begin(), driven_.end(), [](char driven) { return driven != 0; })) return;
  std::vector<Island> candidates = islands(model_, mode.closed);
  std::erase_if(candidates, [&](const Island& island) {
    return !may_rest(island) || std::any_of(island.bodies.begin(), island.bodies.end(), [&](int body) {
      return fastest(model_, body, state.u, scales.length) > kStill * scales.speed;
    });
  });
  if (candidates.empty()) return;
  const Vector acceleration = react(model_, state, mode).acceleration, free = react(model_, state, {}).acceleration;
  for (const Island& island : candidates) {
    double most = 0;
    for (const int body : island.bodies) most = std::max(most, fastest(model_, body, free, scales.length));
    if (std::any_of(island.bodies.begin(), island.bodies.end(),
                    [&](int body) { return !(fastest(model_, body, acceleration, scales.length) <= kStill * most); }))
      continue;
    for (const int body : island.bodies) {
      rests_[body] = 1;
      const Span span = velocities_of(model_, body);
      state.u.segment(span.first, span.size).setZero();
    }
  }
  Mode moving;
  for (std::size_t i = 0; i < mode.closed.size(); ++i)
    (rests(mode.closed[i]) ? mode_ : moving).add(mode.closed[i], mode.tangential[i]);
  mode = std::move(moving);
}

bool Resting::rests(const ContactPair& pair) const {
  return rests_[pair.parts.body_a] || rests_[pair.parts.body_b];
}

bool Resting::contains(const State& state, const Island& island) const {
  return std::all_of(island.bodies.begin(), island.bodies.end(), [&](int body) {
    const Span span = velocities_of(model_, body);
    return rests_[body] && state.u.segment(span.first, span.size).isZero(0);
  });
}

Mode Resting::release(const Island& island) {
  Mode released, kept;
  for (const int body : island.bodies) rests_[body] = 0;
  for (std::size_t i = 0; i < mode_.closed.size(); ++i)
    (rests(mode_.closed[i]) ? kept : released).add(mode_.closed[i], mode_.tangential[i]);
  mode_ = std::move(kept);
  return released;
}

void Resting::release_all() {
  std::fill(rests_.begin(), rests_.end(), 0);
  mode_ = {};
}

void Resting::hold(double* rates) const {
  if (mode_.empty()) return;
  for (int body = 0; body < static_cast<int>(rests_.size()); ++body) {
    if (!rests_[body]) continue;
    const Span span = velocities_of(model_, body);
    std::fill(rates + span.first, rates + span.first + span.size, 0.0);
  }
}

void Resting::archived(Archive& archive) {
  archive& rests_& mode_;
}

}  // namespace carom::simulate
