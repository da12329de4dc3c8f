#include "carom/simulate/step_checks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::simulate {
namespace {

constexpr double kMissed =
    1e-8;  // of the smaller body's size: a deeper overlap at the end of a step was missed inside it
constexpr double kMissedErrors = 100;   // of the tolerance: the same, where the motion is followed less accurately
constexpr double kBalance = 1e-6;       // of the energies: what a step may leave open
constexpr double kBalanceErrors = 1e3;  // of the tolerance: the same

/// How deep a pair is.
double overlap_of(const Model& model, const State& state, const PartPair& parts) {
  std::vector<ContactPair> found;
  find_contact_pairs(model, state, parts, -std::numeric_limits<double>::infinity(), found);
  return found.empty() ? 0 : std::max(0.0, -found.front().point.gap);
}

}  // namespace

double energy_of(const Model& model, const State& state) {
  return model.M().kinetic_energy(state.u) + potential_energy(model, state);
}

bool keeps_energy(const Model& model, const Moment& from, const Moment& end, const State& held, const Scales& scales,
                  double tolerance) {
  const double gained = energy_of(model, held) - energy_of(model, from.state), worked = end.work - from.work,
               damped = end.damped - from.damped, friction_work = end.friction_work - from.friction_work;
  const double moved =
      model.M().kinetic_energy(from.state.u) + model.M().kinetic_energy(end.state.u) + std::abs(worked);
  const double most = std::max(kBalance, kBalanceErrors * tolerance) * (moved + kBalance * scales.energy());
  return std::abs(gained - worked + damped + friction_work) <= most && friction_work >= -most;
}

bool leads_into_overlap(const Model& model, const ContactSearch& search, const State& start, const State& end,
                        double tolerance) {
  const double unseen = std::max(kMissed, kMissedErrors * tolerance);
  const std::vector<ContactPair> pairs = search.touching(end, 0);
  return std::any_of(pairs.begin(), pairs.end(), [&](const ContactPair& pair) {
    return pair.point.gap < -unseen * search.smaller_size(pair.parts) &&
           -pair.point.gap > 2 * overlap_of(model, start, pair.parts);
  });
}

Vector parted(const Model& model, const ContactSearch& search, const State& state) {
  Mode overlapping;
  for (const ContactPair& pair : search.touching(state, 0)) overlapping.add(pair, {});
  return project(model, state, overlapping).state.q;
}

bool same_mode(const Mode& a, const Mode& b) {
  if (a.closed.size() != b.closed.size()) return false;
  for (std::size_t i = 0; i < a.closed.size(); ++i)
    if (!a.closed[i].same_as(b.closed[i]) || a.tangential[i].mode != b.tangential[i].mode) return false;
  return true;
}

}  // namespace carom::simulate
