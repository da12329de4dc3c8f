#include "carom/simulate/crossing.h"

#include <algorithm>
#include <cmath>

#include "carom/simulate/moreau_step.h"
#include "carom/simulate/step_checks.h"

namespace carom::simulate {
namespace {

constexpr double kLongestAcross = 1e-2;   // of the time in which a body moves by its size: a time step across events
constexpr double kAtRest = 1e-18;         // of the energies: all have come to rest
constexpr double kOverlapAcross = 1e-6;   // of the smaller body's size: what may be left of overlaps
constexpr double kAccuracyAcross = 1e-4;  // of velocities in such a step, far below its own error

/// A law that follows waves through an impact has no time steps: there every approach is stopped.
ImpactLaw law_of_steps(const ImpactLaw& law) {
  return has_path(law) ? ImpactLaw(Newton{}) : law;
}

}  // namespace

Crossing::Crossing(const Model& model, const ContactRules& rules, const ContactSearch& search, const ImpactLaw& law,
                   Journal& journal)
    : model_(model), rules_(rules), search_(search), law_(law_of_steps(law)), journal_(journal) {}

void Crossing::begin(double way, double unit) {
  left_ = static_cast<long>(std::ceil(way / (kLongestAcross * unit)));
  h_ = way / static_cast<double>(left_);
  carried_ = {};
}

void Crossing::end() {
  left_ = 0;
  tried_at_rest_ = false;
}

State Crossing::after(const State& state, double most, double unit, const std::vector<ContactPair>& touching,
                      const std::vector<ContactPair>& closed) {
  const double h = std::min(h_, most);
  // Of first order where contacts act, of second order else.
  journal_.approximate(state.t, Rung::crossed, std::pow(h / unit, touching.empty() ? 2 : 1), journal_.names(closed));
  const TimeStepping scheme{.step = h, .accuracy = kAccuracyAcross};
  MoreauStep step(model_, rules_, search_, law_, scheme, journal_);
  step.recall(carried_);
  State result = step.after(state, h);
  carried_.speed = step.memory().speed;
  carried_.carried = step.memory().carried;
  --left_;
  if (!result.u.allFinite()) return result;
  const double before = energy_of(model_, result);
  // Contacts that overlap are kept closed where they allow it; else bodies are moved apart, which may open some.
  State apart{result.t, parted(model_, search_, result), result.u};
  result.q = overlaps(apart) ? step.parted(result, kOverlapAcross).q : std::move(apart.q);
  journal_.summary.ledger.correction += energy_of(model_, result) - before;
  return result;
}

bool Crossing::overlaps(const State& state) const {
  const std::vector<ContactPair> pairs = search_.touching(state, 0);
  return std::any_of(pairs.begin(), pairs.end(), [&](const ContactPair& pair) {
    return is_deeper(pair.point.gap, kOverlapAcross, search_.smaller_size(pair.parts));
  });
}

bool Crossing::comes_to_rest(const State& state, const Scales& scales) {
  if (tried_at_rest_ || !(model_.M().kinetic_energy(state.u) <= kAtRest * scales.energy())) return false;
  tried_at_rest_ = true;
  return true;
}

}  // namespace carom::simulate
