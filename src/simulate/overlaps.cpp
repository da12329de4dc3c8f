#include "carom/simulate/overlaps.h"

#include <algorithm>
#include <cmath>

#include "carom/simulate/crowd/crowd_overlaps.h"
#include "carom/simulate/crowd_answer.h"

namespace carom::simulate {
namespace {

constexpr double kNearEnough = 1e-8;  // of the smaller body's size: gaps up to this take part
constexpr double kTarget = 0.5;       // of what is left alone: how deep contacts are left
constexpr double kFarthest = 0.02;    // of its size: how far a body may be moved in a pass
constexpr int kPasses = 40;
constexpr int kNoBetter = 5;  // passes in a row after which the best one is taken: what is wedged cannot be parted

/// Of a displacement, so that no body moves far.
double sensible_share(const Model& model, const ContactSearch& search, const std::vector<int>& bodies,
                      const State& moving) {
  double share = 1;
  for (const int body : bodies)
    if (const double reach = search.reach(body); reach > 0 && std::isfinite(reach))
      share = std::min(share, kFarthest * reach / model.twist(body, moving).velocity.norm());
  return share;
}

/// A displacement u+ instead of a velocity:  0 <= W'u+ + gap + target _|_ Lambda >= 0.
Vector displacement(const Model& model, const ContactRules& rules, const ContactSearch& search, const State& state,
                    const Island& island, double slop, double accuracy) {
  IslandProblem problem = impact_problem(model, rules, state, island, true);
  problem.problem.u_minus.setZero();
  for (std::size_t i = 0; i < island.pairs.size(); ++i) {
    const ContactPair& pair = island.pairs[i];
    problem.problem.drift[static_cast<Index>(i)] = pair.point.gap + kTarget * slop * search.smaller_size(pair.parts);
  }
  // from a guess, as a step is
  SolveOptions options{accuracy, Vector::Zero(static_cast<Index>(island.pairs.size()))};
  const Index each = problem.problem.u_minus.size() / static_cast<Index>(island.bodies.size());
  const std::optional<Answer> swept = crowd_answer(problem.problem, Newton{}, each, options);
  const Answer moved = swept ? *swept : plastic_answer(problem.problem, accuracy, options);
  State moving{state.t, state.q, Vector::Zero(model.velocities())};
  moving.u(problem.rows) = moved.outcome.u_plus;
  return sensible_share(model, search, island.bodies, moving) * moving.u;
}

/// The same for a crowd; nothing where relaxing its contacts does not find it.
std::optional<Vector> displacement_of_crowd(const Model& model, const ContactSearch& search, const State& state,
                                            const BodyFrames& frames, const std::vector<ContactPair>& pairs,
                                            double slop, CrowdOverlaps& overlaps) {
  CrowdOverlaps::Depths depths;
  depths.tolerated.resize(static_cast<Index>(pairs.size()));
  for (std::size_t i = 0; i < pairs.size(); ++i)
    depths.tolerated[static_cast<Index>(i)] = slop * search.smaller_size(pairs[i].parts);
  depths.left = kTarget * depths.tolerated;
  std::optional<Vector> moved = overlaps.displacement(model, frames, pairs, depths);
  if (!moved) return std::nullopt;
  const State moving{state.t, state.q, *std::move(moved)};
  return sensible_share(model, search, overlaps.moved(), moving) * moving.u;
}

}  // namespace

Parted part_overlaps(const Model& model, const ContactRules& rules, const ContactSearch& search, NearContacts& near,
                     State state, double slop, const TimeStepping& scheme, CrowdOverlaps& overlaps, Crew& crew) {
  const auto is_deep = [&](const ContactPair& pair) {
    return is_deeper(pair.point.gap, slop, search.smaller_size(pair.parts));
  };
  const std::vector<double> at_rest(model.bodies().size(), 0);
  Parted best;
  double least = HUGE_VAL;
  int best_pass = 0;
  for (int pass = 0;; ++pass) {
    double deepest = 0, excess = 0;  // of all contacts that are too deep, in units of what is left alone
    const BodyFrames frames(model, state, crew);
    const std::vector<ContactPair>& pairs = near.within(state, frames, kNearEnough, 0, at_rest);
    for (const ContactPair& pair : pairs) {
      deepest = std::max(deepest, -pair.point.gap);
      if (is_deep(pair)) excess += -pair.point.gap / (slop * search.smaller_size(pair.parts)) - 1;
    }
    if (excess < least) {
      best = {state.q, deepest};
      least = excess;
      best_pass = pass;
    }
    if (excess == 0 || pass == kPasses || pass - best_pass >= kNoBetter) return best;
    const bool is_crowd = static_cast<Index>(pairs.size()) > kCrowd && model.description().joints.empty() &&
                          scheme.accuracy.value_or(1) > 0;
    if (is_crowd) {
      if (const auto move = displacement_of_crowd(model, search, state, frames, pairs, slop, overlaps)) {
        model.displace(state.q, *move);
        continue;
      }
    }
    Vector move = Vector::Zero(model.velocities());
    for (const Island& island : islands(model, pairs))
      if (std::any_of(island.pairs.begin(), island.pairs.end(), is_deep))
        move += displacement(model, rules, search, state, island, slop,
                             accuracy_for(scheme, model.dimension(), island.pairs.size()));
    model.displace(state.q, move);
  }
}

}  // namespace carom::simulate
