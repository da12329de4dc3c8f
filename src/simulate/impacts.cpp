#include "carom/simulate/impacts.h"

#include <algorithm>

#include "carom/simulate/magnitudes.h"

namespace carom::simulate {
namespace {

constexpr int kMostImpactsAtOnce = 60;   // of an island
constexpr std::size_t kFewContacts = 3;  // whose other solutions are soon found, so that the choice is the law's
constexpr double kJamTolerance = 1e-6;   // of velocities after an impact without collision of several contacts

bool rises_to_one(const SharedRestitution& e_of) {
  return e_of && e_of->at(0, 0) >= 1;
}

}  // namespace

Impacts::Impacts(const Model& model, const ContactRules& rules, const ImpactLaw& law, const LawSets& sets,
                 const EventDriven& scheme, Journal& journal)
    : model_(model), rules_(rules), law_(law), sets_(sets), scheme_(scheme), journal_(journal) {
  const Description& all = model.description();
  for (const Material& one : all.materials) some_elastic_at_rest_ = some_elastic_at_rest_ || rises_to_one(one.e_of);
  for (const PairRule& one : all.pairs) some_elastic_at_rest_ = some_elastic_at_rest_ || rises_to_one(one.e_of);
}

void Impacts::begin(const std::vector<ContactPair>& touching) {
  if (!reads(law_, "E0")) return;
  for (const ContactPair& pair : touching) {
    const PairProperties known = rules_.properties(pair.parts);
    if (known.E0 || known.preload) pressed_.insert(pair.parts);
  }
}

bool Impacts::is_elastic_at_rest(const Island& island) const {
  return some_elastic_at_rest_ && std::any_of(island.pairs.begin(), island.pairs.end(), [&](const ContactPair& pair) {
           return rises_to_one(rules_.properties(pair.parts).e_of);
         });
}

double Impacts::slow_for(const Island& island) const {
  return is_elastic_at_rest(island) ? std::max(slow(), kRestIfElastic * fastest_) : slow();
}

/// What was pressed at the start lets go of it once.
void Impacts::release(const Island& island, ImpactProblem& problem) {
  if (pressed_.empty()) return;
  for (std::size_t i = 0; i < island.pairs.size(); ++i)
    if (const PartPair& parts = island.pairs[i].parts; pressed_.contains(parts))
      problem.contacts[i].E0 = energy_at_start(rules_.properties(parts), problem.contacts[i]);
  for (const ContactPair& pair : island.pairs) pressed_.erase(pair.parts);
}

State Impacts::after(State before, const Island& island) {
  IslandProblem problem = impact_problem(model_, rules_, before, island);
  const double closing = approach(before, island);
  fastest_ = std::max(fastest_, closing);
  const bool at_rest = closing < slow_for(island);
  if (!at_rest) release(island, problem.problem);
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
    impact.contacts[i].e_of = nullptr;
    if (const double G = contacts.G.coeff(row, row); G > 0) push[row] = -nudge / G;
  }
  impact.u_minus += contacts.joints.project(impact.M.solve(Vector(impact.W * push)));
  // One contact exactly, in its impulse; several as springs.
  Answer found = answer(impact, Keller{}, scheme_.accuracy);
  if (found.rung != Rung::asked) found = answer(impact, Lzb{.tolerance = kJamTolerance}, scheme_.accuracy);
  return told(std::move(before), island, problem, found, false);
}

State Impacts::told(State before, const Island& island, const IslandProblem& problem, const Answer& found, bool at_rest,
                    const ImpactLaw* law) {
  journal_.impact(before, island, problem, found, at_rest, law);
  before.u(problem.rows) = without_vanishing(found.outcome.u_plus + problem.frame);
  return before;
}

void Impacts::bounce(State& state, const Island& island, const IslandProblem& problem, double closing) {
  fastest_ = std::max(fastest_, closing);
  journal_.expect(island.pairs.front().parts);
  const Answer found = answer(problem.problem, law_, scheme_.accuracy);
  journal_.bounce(state, island, problem, found);
  for (std::size_t i = 0; i < problem.rows.size(); ++i)
    state.u[problem.rows[i]] =
        without_vanishing(found.outcome.u_plus[static_cast<Index>(i)] + problem.frame[static_cast<Index>(i)]);
}

bool Impacts::collide(State& state, const std::vector<ContactPair>& pairs, double slow) {
  bool any = false;
  const std::vector<Island> all = islands(model_, pairs);
  for (int round = 0; round < kMostImpactsAtOnce; ++round) {
    bool approaching = false;
    for (const Island& island : all) {
      if (!(approach(state, island) > std::max(still(), slow))) continue;
      approaching = any = true;
      state = round + 1 < kMostImpactsAtOnce ? after(state, island) : stopped(state, island);
      if (!state.u.allFinite()) return any;
    }
    if (!approaching) break;
  }
  return any;
}

double Impacts::approach(const State& state, const Island& island) const {
  double fastest = 0;
  for (const ContactPair& pair : island.pairs) fastest = std::max(fastest, -normal_velocity(model_, state, pair));
  return fastest;
}

void Impacts::archived(Archive& archive) {
  archive& fastest_& pressed_;
}

}  // namespace carom::simulate
