#include "carom/waves/outcome.h"

#include <algorithm>
#include <cmath>

namespace carom::waves {

RodResult result_of(const Rod& rod, const RodState& state) {
  const double m = rod.mass(), kinetic = 0.5 * m * state.velocity * state.velocity;
  return {rod.name, state.velocity, m * state.velocity, kinetic, std::max(0.0, state.kinetic + state.strain - kinetic)};
}

std::optional<double> restitution_of(const RodsProblem& problem, const RodsOutcome& outcome) {
  const std::size_t rods = problem.rods.size(), walls = problem.walls.size();
  if (rods + walls != 2 || rods == 0 || outcome.contacts.size() != 1) return {};
  if (outcome.contacts[0].intervals.empty()) return {};
  const double before = problem.rods[0].velocity - (rods == 2 ? problem.rods[1].velocity : 0);
  const double after = outcome.rods[0].velocity - (rods == 2 ? outcome.rods[1].velocity : 0);
  if (before == 0) return {};
  return -after / before;
}

void balance(const RodsProblem& problem, const std::vector<RodState>& states, double exchanged, RodsOutcome& outcome) {
  for (std::size_t i = 0; i < problem.rods.size(); ++i) {
    const Rod& rod = problem.rods[i];
    outcome.energy_before += 0.5 * rod.mass() * rod.velocity * rod.velocity;
    outcome.energy_after += states[i].kinetic + states[i].strain;
  }
  const double scale = std::max({outcome.energy_before, outcome.energy_after, exchanged});
  const double missing = std::abs(outcome.energy_after - outcome.energy_before - outcome.work);
  outcome.energy_error = scale > 0 ? missing / scale : 0;
}

}  // namespace carom::waves
