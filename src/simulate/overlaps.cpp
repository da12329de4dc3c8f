#include "carom/simulate/overlaps.h"

#include <algorithm>
#include <cmath>

#include "carom/simulate/crowd_answer.h"

namespace carom::simulate {
namespace {

constexpr double kNearEnough = 1e-8;  // of the smaller body's size: gaps up to this take part
constexpr double kTarget = 0.5;       // of the slop: how deep contacts are left
constexpr double kFarthest = 0.02;    // of its size: how far a body may be moved in a pass
constexpr int kPasses = 40;

/// Of a displacement, so that no body moves far.
double sensible_share(const Model& model, const ContactSearch& search, const Island& island, const State& moving) {
  double share = 1;
  for (const int body : island.bodies)
    if (const double reach = search.reach(body); reach > 0 && std::isfinite(reach))
      share = std::min(share, kFarthest * reach / model.twist(body, moving).velocity.norm());
  return share;
}

/// A displacement u+ instead of a velocity:  0 <= W'u+ + gap + target _|_ Lambda >= 0.
Vector displacement(const Model& model, const ContactRules& rules, const ContactSearch& search, const State& state,
                    const Island& island, double accuracy) {
  IslandProblem problem = impact_problem(model, rules, state, island, true);
  problem.problem.u_minus.setZero();
  for (std::size_t i = 0; i < island.pairs.size(); ++i) {
    const ContactPair& pair = island.pairs[i];
    problem.problem.drift[static_cast<Index>(i)] =
        pair.point.gap + kTarget * kOverlapSlop * search.smaller_size(pair.parts);
  }
  // from a guess, as a step is
  SolveOptions options{accuracy, Vector::Zero(static_cast<Index>(island.pairs.size()))};
  const Index each = problem.problem.u_minus.size() / static_cast<Index>(island.bodies.size());
  const std::optional<Answer> swept = crowd_answer(problem.problem, Newton{}, each, options);
  const Answer moved = swept ? *swept : plastic_answer(problem.problem, accuracy, options);
  State moving{state.t, state.q, Vector::Zero(model.velocities())};
  moving.u(problem.rows) = moved.outcome.u_plus;
  return sensible_share(model, search, island, moving) * moving.u;
}

}  // namespace

Parted part_overlaps(const Model& model, const ContactRules& rules, const ContactSearch& search, State state,
                     const TimeStepping& scheme) {
  const auto is_deep = [&](const ContactPair& pair) {
    return is_too_deep(pair.point.gap, search.smaller_size(pair.parts));
  };
  for (int pass = 0;; ++pass) {
    double deepest = 0;
    bool any = false;
    const std::vector<ContactPair> pairs = search.touching(state, kNearEnough);
    for (const ContactPair& pair : pairs) {
      deepest = std::max(deepest, -pair.point.gap);
      any = any || is_deep(pair);
    }
    if (!any || pass == kPasses) return {std::move(state.q), deepest};
    Vector move = Vector::Zero(model.velocities());
    for (const Island& island : islands(model, pairs))
      if (std::any_of(island.pairs.begin(), island.pairs.end(), is_deep))
        move += displacement(model, rules, search, state, island,
                             accuracy_for(scheme, model.dimension(), island.pairs.size()));
    model.displace(state.q, move);
  }
}

}  // namespace carom::simulate
