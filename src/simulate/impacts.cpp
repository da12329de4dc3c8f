#include "carom/simulate/impacts.h"

#include <algorithm>

#include "carom/simulate/magnitudes.h"

namespace carom::simulate {
namespace {

constexpr std::size_t kFewContacts = 3;  // whose other solutions are soon found, so that the choice is the law's
constexpr double kJamTolerance = 1e-6;   // of velocities after an impact without collision of several contacts

}  // namespace

State Impacts::after(State before, const Island& island) {
  const IslandProblem problem = impact_problem(model_, rules_, before, island);
  const double closing = approach(before, island);
  fastest_ = std::max(fastest_, closing);
  const bool at_rest = closing < slow();
  SolveOptions options;
  if (island.pairs.size() > kFewContacts) options.others = Others::ignored;
  const std::optional<ImpactLaw> own = law_of(model_, sets_, island.pairs, problem.problem.contacts);
  const Answer found = at_rest ? plastic_answer(problem.problem, scheme_.accuracy, options)
                               : answer(problem.problem, own ? *own : law_, scheme_.accuracy, options);
  return told(std::move(before), island, problem, found, at_rest, own ? &*own : nullptr);
}

State Impacts::stopped(State before, const Island& island) {
  const IslandProblem problem = impact_problem(model_, rules_, before, island);
  Answer found = plastic_answer(problem.problem, scheme_.accuracy);
  found.rung = std::max(found.rung, Rung::plastic);
  return told(std::move(before), island, problem, found, false);
}

State Impacts::without_collision(State before, const Island& island, double nudge) {
  IslandProblem problem = impact_problem(model_, rules_, before, island);
  ImpactProblem& impact = problem.problem;
  const ContactProblem contacts = reduce(impact);
  Vector push = Vector::Zero(impact.W.cols());
  for (std::size_t i = 0; i < impact.contacts.size(); ++i) {
    const Index row = contacts.row[i];
    impact.contacts[i].e = 0;
    if (const double G = contacts.G.coeff(row, row); G > 0) push[row] = -nudge / G;
  }
  impact.u_minus += contacts.joints.project(impact.M.solve(Vector(impact.W * push)));
  // One contact exactly, in its impulse; several as springs.
  Answer found = answer(impact, Keller{}, scheme_.accuracy);
  if (found.rung != Rung::asked) found = answer(impact, Lzb{.tolerance = kJamTolerance}, scheme_.accuracy);
  return told(std::move(before), island, problem, found, false);
}

State Impacts::told(State before, const Island& island, const IslandProblem& problem, const Answer& found,
                    bool at_rest, const ImpactLaw* law) {
  journal_.impact(before, island, problem, found, at_rest, law);
  before.u(problem.rows) = without_vanishing(found.outcome.u_plus + problem.frame);
  return before;
}

void Impacts::bounce(State& state, const Island& island, const IslandProblem& problem, double closing) {
  fastest_ = std::max(fastest_, closing);
  const Answer found = answer(problem.problem, law_, scheme_.accuracy);
  journal_.bounce(state, island, problem, found);
  state.u(problem.rows) = without_vanishing(found.outcome.u_plus + problem.frame);
}

double Impacts::approach(const State& state, const Island& island) const {
  double fastest = 0;
  for (const ContactPair& pair : island.pairs) fastest = std::max(fastest, -normal_velocity(model_, state, pair));
  return fastest;
}

}  // namespace carom::simulate
