#include "simulate/impacts.h"

#include <algorithm>

namespace carom {

State Impacts::after(const State& before, const Island& island) {
  const IslandProblem problem = impact_problem(model_, rules_, before, island);
  const double closing = approach(before, island);
  fastest_ = std::max(fastest_, closing);
  const bool at_rest = closing < slow();
  const Answer found =
      at_rest ? plastic_answer(problem.problem, scheme_.accuracy) : answer(problem.problem, law_, scheme_.accuracy);
  journal_.impact(before, island, problem, found, at_rest);
  State after = before;
  after.u(problem.rows) = found.outcome.u_plus + problem.frame;
  return after;
}

double Impacts::approach(const State& state, const Island& island) const {
  double fastest = 0;
  for (const Touch& touch : island.touches) fastest = std::max(fastest, -normal_velocity(model_, state, touch));
  return fastest;
}

}  // namespace carom
