#include "carom/simulate/overlaps.h"

#include <algorithm>
#include <cmath>

#include "carom/simulate/answer.h"

namespace carom {
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
  for (std::size_t i = 0; i < island.touches.size(); ++i) {
    const Touch& touch = island.touches[i];
    problem.problem.drift[static_cast<Index>(i)] =
        touch.point.gap + kTarget * kOverlapSlop * search.smaller_size(touch.pair);
  }
  // from a guess, as a step is
  const SolveOptions options{accuracy, Vector::Zero(static_cast<Index>(island.touches.size()))};
  const Answer moved = plastic_answer(problem.problem, accuracy, options);
  State moving{state.t, state.q, Vector::Zero(model.velocities())};
  moving.u(problem.rows) = moved.outcome.u_plus;
  return sensible_share(model, search, island, moving) * moving.u;
}

}  // namespace

Parted part_overlaps(const Model& model, const ContactRules& rules, const ContactSearch& search, State state,
                     double accuracy) {
  const auto is_deep = [&](const Touch& touch) {
    return is_too_deep(touch.point.gap, search.smaller_size(touch.pair));
  };
  for (int pass = 0;; ++pass) {
    double deepest = 0;
    bool any = false;
    const std::vector<Touch> touches = search.touching(state, kNearEnough);
    for (const Touch& touch : touches) {
      deepest = std::max(deepest, -touch.point.gap);
      any = any || is_deep(touch);
    }
    if (!any || pass == kPasses) return {std::move(state.q), deepest};
    Vector move = Vector::Zero(model.velocities());
    for (const Island& island : islands(model, touches))
      if (std::any_of(island.touches.begin(), island.touches.end(), is_deep))
        move += displacement(model, rules, search, state, island, accuracy);
    model.displace(state.q, move);
  }
}

}  // namespace carom
