#include "carom/simulate/standing_islands.h"

#include <algorithm>

namespace carom::simulate {
namespace {

constexpr double kHeldStill = 1e-12;  // of what the smooth forces give a body in a step: less is rounding

/// Twice of it.
double kinetic_energy_of(const Body& body, const Vector& u) {
  const Index angular = u.size() == 6 ? 3 : u.size() == 3 ? 1 : 0;
  const Vector turn = u.tail(angular);
  return body.mass * u.head(u.size() - angular).squaredNorm() +
         turn.dot(body.inertia.bottomRightCorner(angular, angular) * turn);
}

bool is_same_meeting(const ContactPair& one, const ContactPair& other) {
  return one.same_as(other) && one.point.gap == other.point.gap && one.point.point_a == other.point.point_a &&
         one.point.point_b == other.point.point_b && one.point.normal == other.point.normal;
}

bool stands(const StandingIslands::Question& question) {
  if (!question.model.description().joints.empty()) return false;
  return std::all_of(question.island.bodies.begin(), question.island.bodies.end(), [&](int body) {
    return question.state.u.segment(question.model.first_velocity(body), question.velocities).isZero(0);
  });
}

}  // namespace

bool StandingIslands::Asked::is_same(const Asked& other) const {
  return q.size() == other.q.size() && h == other.h && fastest == other.fastest && q == other.q &&
         u_free == other.u_free && carried == other.carried &&
         std::equal(pairs.begin(), pairs.end(), other.pairs.begin(), other.pairs.end(), is_same_meeting);
}

StandingIslands::Asked StandingIslands::asked(const Question& question) {
  const auto& [model, state, island, u_free, carried, velocities, h, fastest] = question;
  const Index positions = velocities == 6 ? 7 : velocities;
  const Index count = static_cast<Index>(island.bodies.size());
  Asked result{island.pairs, {}, Vector(count * positions), Vector(count * velocities), h, fastest};
  for (const ContactPair& pair : island.pairs) {
    const Vector3* impulse = carried.find(pair);
    result.carried.push_back(impulse != nullptr ? *impulse : Vector3(Vector3::Zero()));
  }
  for (Index i = 0; i < count; ++i) {
    const int body = island.bodies[static_cast<std::size_t>(i)];
    result.q.segment(i * positions, positions) = state.q.segment(model.first_position(body), positions);
    result.u_free.segment(i * velocities, velocities) = u_free.segment(model.first_velocity(body), velocities);
  }
  return result;
}

const StandingIslands::Known* StandingIslands::find(const Question& question) const {
  const auto standing = by_first_body_.find(question.island.bodies.front());
  if (standing == by_first_body_.end() || !stands(question)) return nullptr;
  return standing->second.asked.is_same(asked(question)) ? &standing->second.known : nullptr;
}

void StandingIslands::keep(const Question& question, const IslandProblem& problem, const ImpactOutcome& outcome) {
  if (stands(question))
    by_first_body_.insert_or_assign(question.island.bodies.front(), Standing{asked(question), {problem, outcome}});
}

void let_stand(const Model& model, const Island& island, Index velocities, const WithoutContacts& without, Vector& u) {
  for (const int body : island.bodies) {
    const Index first = model.first_velocity(body);
    const auto energy = [&](const Vector& v) { return kinetic_energy_of(model.bodies()[body], v); };
    const Vector given = without.u_free.segment(first, velocities) - without.u_minus.segment(first, velocities);
    if (energy(u.segment(first, velocities)) <= kHeldStill * kHeldStill * energy(given))
      u.segment(first, velocities).setZero();
  }
}

}  // namespace carom::simulate
