#include "simulate/impacts.h"

#include <fmt/format.h>

#include <algorithm>

#include "laws/newton.h"

namespace carom {
namespace {

void keep_worst(Certificate::Residuals& worst, const Certificate::Residuals& now) {
  worst.dynamics = std::max(worst.dynamics, now.dynamics);
  worst.kinematic = std::max(worst.kinematic, now.kinematic);
  worst.kinetic = std::max(worst.kinetic, now.kinetic);
  worst.complementarity = std::max(worst.complementarity, now.complementarity);
  worst.energetic = std::max(worst.energetic, now.energetic);
  worst.ledger = std::max(worst.ledger, now.ledger);
}

double largest(const Certificate::Residuals& residuals) {
  return std::max({residuals.dynamics, residuals.kinematic, residuals.kinetic, residuals.energetic, residuals.ledger});
}

/// A law that stops every approach and needs no parameters.
ImpactOutcome solve_plastic(ImpactProblem problem) {
  for (Contact& contact : problem.contacts) contact.e = 0;
  return carom::solve(problem, Newton{});
}

std::vector<Index> rows_of_normals(const ImpactProblem& problem) {
  std::vector<Index> rows;
  Index next = 0;
  for (const Contact& contact : problem.contacts) {
    rows.push_back(next);
    next += 1 + contact.tangents;
  }
  return rows;
}

/// A law may meet an impact in the middle of a run that is not of its kind: two contacts that close at once, say. That
/// ends the run, and its summary tells why.
ImpactOutcome solve_by(const ImpactLaw& law, const ImpactProblem& problem) {
  try {
    return carom::solve(problem, law);
  } catch (const InputError& error) {
    Impulses none;
    none.status = Status::no_solution;
    none.message = error.rule;
    return judge(reduce(problem), {.name = name_of(law)}, std::move(none));
  }
}

}  // namespace

Impacts::Impacts(const Model& model, const ContactRules& rules, const ImpactLaw& law, double rest, Observer& observer,
                 RunSummary& summary)
    : model_(model), rules_(rules), law_(law), rest_(rest), observer_(observer), summary_(summary) {}

bool Impacts::solve(State& state, const Island& island) {
  const IslandProblem island_problem = impact_problem(model_, rules_, state, island);
  const ImpactProblem& problem = island_problem.problem;
  const double closing = approach(state, island);
  fastest_ = std::max(fastest_, closing);
  const bool at_rest = closing < slow();
  const ImpactOutcome outcome = at_rest ? solve_plastic(problem) : solve_by(law_, problem);
  ++summary_.impacts;
  if (at_rest) ++summary_.resting_impacts;
  note_accumulation(state.t, island, at_rest);
  observer_.impact(model_, {state.t, &state, &problem, &outcome, island.touches, island.bodies, at_rest});
  account(state, island, island_problem, outcome);
  return apply(state, island_problem, outcome);
}

double Impacts::approach(const State& state, const Island& island) const {
  double fastest = 0;
  for (const Touch& touch : island.touches) fastest = std::max(fastest, -normal_velocity(model_, state, touch));
  return fastest;
}

void Impacts::solve_step(State& state, const Island& island, const Vector& smooth_impulse, const Vector& room,
                         double accuracy) {
  IslandProblem island_problem = impact_problem(model_, rules_, state, island);
  ImpactProblem& problem = island_problem.problem;
  problem.p = smooth_impulse(island_problem.rows);
  problem.accuracy = accuracy;
  problem.drift(rows_of_normals(problem)) += room;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    if (room[static_cast<Index>(i)] > 0) problem.contacts[i].e = 0;
  if (problem.contacts.empty()) {
    const Joints joints(problem.M, problem.J);
    state.u(island_problem.rows) = joints.project(problem.u_minus + problem.M.solve(problem.p)) + island_problem.frame;
    acting_.clear();
    return;
  }
  problem.guess = guess(island, problem);
  const ImpactOutcome outcome = solve_by(law_, problem);
  const bool is_new = remember(island, outcome);
  if (is_new) {
    ++summary_.impacts;
    observer_.impact(model_, {state.t, &state, &problem, &outcome, island.touches, island.bodies, false});
  }
  account(state, island, island_problem, outcome);
  // What stops a contact before it closes is no wall: the ledger's work of it is dissipated.
  if (outcome.Lambda.size() > 0) {
    const double unreal = -room.dot(outcome.normal(outcome.Lambda));
    summary_.books.work -= unreal;
    summary_.books.dissipated_impacts -= unreal;
  }
  apply(state, island_problem, outcome);
}

/// What the same contacts carried in the step before.
Vector Impacts::guess(const Island& island, const ImpactProblem& problem) const {
  Vector result = Vector::Zero(problem.W.cols());
  Index row = 0;
  for (std::size_t i = 0; i < island.touches.size(); row += 1 + problem.contacts[i].tangents, ++i) {
    const geometry::ContactPoint& point = island.touches[i].point;
    const auto known = acting_.find({island.touches[i].pair, point.feature});
    if (known == acting_.end()) continue;
    result[row] = point.normal.dot(known->second);
    if (problem.contacts[i].tangents > 0)
      result.segment(row + 1, problem.contacts[i].tangents) =
          tangents_of(point.normal, model_.dimension()).transpose() * known->second;
  }
  return result;
}

/// Keeps what the contacts carry; whether one does that did not in the step before.
bool Impacts::remember(const Island& island, const ImpactOutcome& outcome) {
  std::map<std::pair<PartPair, int>, Vector3> acting;
  bool is_new = false;
  for (std::size_t i = 0; i < island.touches.size() && outcome.Lambda.size() > 0; ++i) {
    const double normal = outcome.Lambda[outcome.row[i]];
    if (!(normal > 0)) continue;
    const geometry::ContactPoint& point = island.touches[i].point;
    const std::pair key(island.touches[i].pair, point.feature);
    is_new = is_new || !acting_.contains(key);
    Vector3& impulse = acting[key] = normal * point.normal;
    if (const Vector along = outcome.tangential(outcome.Lambda, i); along.size() > 0)
      impulse += tangents_of(point.normal, model_.dimension()) * along;
  }
  acting_ = std::move(acting);
  return is_new;
}

bool Impacts::apply(State& state, const IslandProblem& problem, const ImpactOutcome& outcome) {
  if (outcome.status == Status::no_solution || (!outcome.solved() && !outcome.certificate.consistent)) {
    summary_.status = outcome.status;
    summary_.message = fmt::format("the impact at t = {:.9g} s: {}", state.t, outcome.message);
    return false;
  }
  state.u(problem.rows) = outcome.u_plus + problem.frame;
  return true;
}

void Impacts::account(const State& state, const Island& island, const IslandProblem& problem,
                      const ImpactOutcome& outcome) {
  ++summary_.solved_problems;
  if (outcome.u_plus.size() == 0) return;
  if (largest(outcome.certificate.relative) > largest(summary_.worst)) summary_.worst_time = state.t;
  keep_worst(summary_.worst, outcome.certificate.relative);
  if (!outcome.certificate.consistent) ++summary_.inconsistent;

  const Energy& energy = outcome.energy;
  summary_.books.dissipated_impacts += energy.dissipated();
  const MassMatrix& M = problem.problem.M;
  const bool moving_joints = problem.frame.size() > 0 && problem.frame.cwiseAbs().maxCoeff() > 0;
  summary_.books.work += moving_joints
                             ? M.kinetic_energy(outcome.u_plus + problem.frame) -
                                   M.kinetic_energy(problem.problem.u_minus + problem.frame) + energy.dissipated()
                             : energy.wall_work;
  for (std::size_t i = 0; i < island.touches.size(); ++i) {
    const PartPair& pair = island.touches[i].pair;
    PairLoss& loss = losses_[{pair.body_a, pair.body_b}];
    loss.body_a = pair.body_a;
    loss.body_b = pair.body_b;
    if (outcome.Lambda[outcome.row[i]] > 0) ++loss.impacts;
    loss.dissipated +=
        energy.dissipated_normal[static_cast<Index>(i)] + energy.dissipated_friction[static_cast<Index>(i)];
  }
}

void Impacts::finish() const {
  summary_.losses.clear();
  for (const auto& [bodies, loss] : losses_) summary_.losses.push_back(loss);
}

/// A sequence t1 < t2 < t3 whose intervals shrink by a constant ratio r ends at t3 + (t3 - t2) r / (1 - r).
void Impacts::note_accumulation(double t, const Island& island, bool at_rest) {
  std::vector<double>& times = times_[island.bodies];
  times.push_back(t);
  if (times.size() > 3) times.erase(times.begin());
  if (!at_rest || times.size() < 3) return;
  const double before = times[1] - times[0], last = times[2] - times[1];
  if (before > 0 && last > 0 && last < before) summary_.accumulation_times.push_back(t + last * last / (before - last));
  times.clear();
}

}  // namespace carom
