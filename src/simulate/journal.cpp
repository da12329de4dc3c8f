#include "carom/simulate/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "carom/model/forces.h"
#include "carom/model/periodic.h"
#include "carom/simulate/magnitudes.h"
#include "carom/simulate/step_outcome.h"

namespace carom::simulate {
namespace {

constexpr double kEnergyRounding = 1e-14;  // of all energies of a step
constexpr std::size_t kNamedContacts = 4;  // in messages
constexpr double kRestingTime = 0.01;      // of the duration: what moves slowly for so long is at rest

void keep_worst(Certificate::Residuals& worst, const Certificate::Residuals& now) {
  worst.dynamics = std::max(worst.dynamics, now.dynamics);
  worst.kinematic = std::max(worst.kinematic, now.kinematic);
  worst.kinetic = std::max(worst.kinetic, now.kinetic);
  worst.complementarity = std::max(worst.complementarity, now.complementarity);
  worst.energetic = std::max(worst.energetic, now.energetic);
  worst.ledger = std::max(worst.ledger, now.ledger);
}

int joint_of(const PartPair& parts) {
  return parts.is_stop() ? parts.joint() : -1;
}

/// [m/s] of the points of a body.
double fastest_point(const Model& model, const State& state, int body) {
  double reach = 0;
  for (const geometry::Part& part : model.bodies()[body].parts)
    reach = std::max(reach, part.pose.position.norm() + geometry::reach(part.shape));
  const Twist twist = model.twist(body, state);
  return twist.velocity.norm() + reach * twist.angular.norm();
}

double largest(const Certificate::Residuals& residuals) {
  return std::max({residuals.dynamics, residuals.kinematic, residuals.kinetic, residuals.energetic, residuals.ledger});
}

/// A step is of first order where contacts act: what presses a contact together that opened slowly, or sticks one that
/// slipped back, may return up to  1/2 p'(u_free - u+),  p being the smooth impulse: no more kinetic energy is left
/// than without contacts. So much, at least 1/2 p'M^-1 p, is no fault. Returns what was gained.
double judge_step(StepSums& sums) {
  const double created = -sums.dissipated, excess = created - sums.allowed;
  const double total = sums.before + sums.after + std::abs(sums.smooth_work) + std::abs(sums.wall_work);
  Certificate& certificate = sums.certificate;
  certificate.absolute.energetic = std::max(0.0, excess);
  certificate.relative.energetic = excess > kEnergyRounding * total && sums.exchanged > 0 ? excess / sums.exchanged : 0;
  const Certificate::Residuals& relative = certificate.relative;
  certificate.consistent = std::max({relative.dynamics, relative.kinematic, relative.kinetic, relative.complementarity,
                                     relative.energetic}) <= certificate.tolerance;
  return std::clamp(created, 0.0, sums.allowed);
}

StepSums sums_of_step(const ImpactProblem& problem, const Vector& u_free, const ImpactOutcome& outcome) {
  const Vector& p = problem.p;
  const Energy& energy = outcome.energy;
  StepSums sums{energy.before,      energy.after, energy.smooth_work, energy.wall_work, energy.dissipated(), 0, 0,
                outcome.certificate};
  sums.allowed = std::max(0.5 * problem.M.inverse_norm_squared(p), 0.5 * p.dot(Vector(u_free - outcome.u_plus)));
  // impulses act on velocities that are known to the residual
  if (outcome.residual > 0)
    sums.allowed += outcome.residual * velocity_terms(problem).maxCoeff() * outcome.Lambda.cwiseAbs().sum();
  sums.exchanged =
      outcome.Lambda.cwiseAbs().dot(outcome.gamma_minus.cwiseAbs() + outcome.gamma_plus.cwiseAbs()) + 2 * sums.allowed;
  return sums;
}

}  // namespace

Journal::Journal(const Model& model, const State& start, const RunOptions& options, Observer& observer)
    : model_(model), observer_(observer), losses_(model.bodies().size()), sequences_(model.bodies().size()) {
  summary.ledger.start = model.M().kinetic_energy(start.u) + potential_energy(model, start) + options.memory.stored;
  if (!options.so_far) return;
  summary = options.so_far->summary;
  summary.status = RunStatus::solved;
  summary.message.clear();
  summary.stop.clear();
  for (const PairLoss& loss : summary.losses) losses_.add(loss);
  summary.losses.clear();
  knows_closed_ = false;
}

/// By pairs of bodies; counted(i): an impact of its pair.
template <class Counted>
void Journal::lost(const Island& island, const ImpactOutcome& outcome, Counted&& counted) {
  const Energy& energy = outcome.energy;
  for (std::size_t i = 0; i < island.pairs.size(); ++i) {
    const PartPair& parts = island.pairs[i].parts;
    losses_.add({parts.body_a, parts.body_b, joint_of(parts), counted(i) ? 1 : 0,
                 energy.dissipated_normal[static_cast<Index>(i)] + energy.dissipated_friction[static_cast<Index>(i)]},
                summary.solved_problems);
  }
}

void Journal::impact(const State& before, const Island& island, const IslandProblem& problem, const Answer& answer,
                     bool at_rest, const ImpactLaw* law) {
  ++summary.impacts;
  if (at_rest) ++summary.resting_impacts;
  note_accumulation(before.t, island, problem.problem, at_rest);
  tell(before, island, problem, answer, at_rest, law);
}

void Journal::bounce(const State& before, const Island& island, const IslandProblem& problem, const Answer& answer) {
  ++summary.impacts;
  tell(before, island, problem, answer, false, nullptr);
}

void Journal::tell(const State& before, const Island& island, const IslandProblem& problem, const Answer& answer,
                   bool at_rest, const ImpactLaw* law) {
  told_.t = before.t;
  told_.before = &before;
  told_.problem = &problem.problem;
  told_.outcome = &answer.outcome;
  told_.pairs = island.pairs;
  told_.bodies = island.bodies;
  told_.u_before = before.u(problem.rows);
  if (answer.outcome.u_plus.size() > 0)
    told_.u_after = told_.u_before + answer.outcome.u_plus - problem.problem.u_minus;
  else
    told_.u_after.resize(0);
  told_.at_rest = at_rest;
  told_.law = law;
  told_.completed = completed_ ? &completed_ : nullptr;
  observer_.impact(model_, told_);
  account(before.t, island, problem, answer, law);
}

void Journal::step(const State& before, const Island& island, const ImpactProblem& problem, ImpactOutcome outcome,
                   const Vector& u_free, const std::vector<char>& is_new) {
  StepSums sums = sums_of_step(problem, u_free, outcome);
  const bool told = step(before.t, sums, std::find(is_new.begin(), is_new.end(), 1) != is_new.end());
  outcome.certificate = sums.certificate;
  lost(island, outcome, [&](std::size_t i) { return is_new[i] != 0; });
  if (told)
    observer_.impact(model_, {before.t,
                              &before,
                              &problem,
                              &outcome,
                              island.pairs,
                              island.bodies,
                              {},
                              problem.u_minus,
                              outcome.u_plus,
                              false});
}

bool Journal::step(double t, StepSums& sums, bool has_new) {
  summary.gained_by_steps += judge_step(sums);
  ++summary.solved_problems;
  const Certificate& certificate = sums.certificate;
  if (largest(certificate.relative) > largest(summary.worst)) summary.worst_time = t;
  keep_worst(summary.worst, certificate.relative);
  if (!certificate.consistent) ++summary.inconsistent;
  summary.ledger.dissipated_impacts += sums.dissipated;
  summary.ledger.work += sums.wall_work;
  const bool is_impact = has_new || !certificate.consistent;
  summary.impacts += is_impact ? 1 : 0;
  return is_impact;
}

void Journal::lost(const PartPair& parts, bool is_new, double dissipated) {
  losses_.add({parts.body_a, parts.body_b, joint_of(parts), is_new ? 1 : 0, dissipated}, summary.solved_problems + 1);
}

void Journal::forces(double t, const std::vector<ContactForce>& contacts, const std::vector<JointForce>& joints) {
  observer_.contacts(model_, t, contacts);
  observer_.joints(model_, t, joints);
}

void Journal::approximate(double t, Rung rung, double residual, const std::string& where, const ImpactProblem* problem,
                          const ImpactLaw* law) {
  event(t, RunEvent::Kind::approximate, where, fmt::format("{}, residual {:.1e}", to_string(rung), residual));
  Approximations& all = summary.approximations;
  ++all.steps;
  ++all.by_rung[static_cast<int>(rung)];
  if (all.steps > 1 && !(residual > all.worst_residual)) return;
  all.worst_residual = residual;
  all.worst_time = t;
  all.worst_rung = rung;
  all.worst_where = where;
  all.worst_problem.reset();
  if (problem) all.worst_problem = *problem;
  all.worst_law.reset();
  if (law) all.worst_law = *law;
}

void Journal::energies(const State& state) {
  summary.ledger.kinetic = model_.M().kinetic_energy(state.u);
  summary.ledger.potential = potential_energy(model_, state);
}

void Journal::record(const State& state) {
  energies(state);
  if (model_.description().periodic.isZero())
    observer_.state(model_, state, summary.ledger);
  else
    observer_.state(model_, inside_box(model_, state), summary.ledger);
}

void Journal::account(double t, const Island& island, const IslandProblem& problem, const Answer& answer,
                      const ImpactLaw* law) {
  const ImpactOutcome& outcome = answer.outcome;
  ++summary.solved_problems;
  if (answer.rung != Rung::asked)
    approximate(t, answer.rung, answer.residual, names(island.pairs), &problem.problem, law);
  if (outcome.u_plus.size() == 0) return;
  if (largest(outcome.certificate.relative) > largest(summary.worst)) summary.worst_time = t;
  keep_worst(summary.worst, outcome.certificate.relative);
  if (!outcome.certificate.consistent) ++summary.inconsistent;

  const Energy& energy = outcome.energy;
  summary.ledger.dissipated_impacts += energy.dissipated();
  summary.ledger.work += energy.stored_before;  // of contacts that were pressed at the start
  const MassMatrix& M = problem.problem.M;
  const bool moving_joints = problem.frame.size() > 0 && problem.frame.cwiseAbs().maxCoeff() > 0;
  summary.ledger.work += moving_joints ? M.kinetic_energy(outcome.u_plus + problem.frame) -
                                             M.kinetic_energy(problem.problem.u_minus + problem.frame) +
                                             energy.dissipated() - energy.stored_before
                                       : energy.wall_work;
  lost(island, outcome, [&](std::size_t i) { return outcome.Lambda[outcome.row[i]] > 0; });
}

namespace {

/// The body that a condition is about, if it is one.
std::string subject(const Model& model, const StopCondition& condition) {
  std::set<int> bodies;
  for (const StateFormula* side : {&condition.left, &condition.right})
    for (const int body : side->bodies()) bodies.insert(body);
  return bodies.size() == 1 ? model.body_name(*bodies.begin()) + " " : "";
}

}  // namespace

/// What ends the run here, if something does.
void Journal::stops_at(const RunOptions& options, const State& state) {
  if (summary.status != RunStatus::solved || options.stop.empty()) return;
  const auto because = [&](std::string name, const std::string& text) {
    summary.status = RunStatus::stopped;
    summary.message = fmt::format("{} at t = {:.9g} s", text, state.t);
    summary.stop = std::move(name);
  };
  const StopRules& rules = options.stop;
  for (const StopCondition& condition : rules.conditions)
    if (condition.excess(model_, state) > 0)
      return because(condition.name,
                     fmt::format("{}{} ({})", subject(model_, condition), condition.name, condition.text));
  if (rules.impacts && static_cast<double>(summary.impacts) >= *rules.impacts)
    return because("impacts", fmt::format("{} impacts", summary.impacts));
  if (!rules.at_rest) return;
  bool slow = true;
  for (int body = 0; body < static_cast<int>(model_.bodies().size()) && slow; ++body)
    slow = !model_.bodies()[body].is_free() || fastest_point(model_, state, body) <= *rules.at_rest;
  if (!slow)
    slow_since_.reset();
  else if (!slow_since_)
    slow_since_ = state.t;
  else if (state.t - *slow_since_ >= kRestingTime * options.duration)
    because("at_rest", "everything at rest");
}

bool Journal::goes_on(const RunOptions& options, const State& state) {
  const double t = state.t;
  stops_at(options, state);
  if (summary.status == RunStatus::solved && options.is_cancelled()) {
    summary.status = RunStatus::not_finished;
    summary.message =
        fmt::format("{} at t = {:.9g} s", options.is_late() ? "the time limit was reached" : "cancelled", t);
  }
  return summary.status == RunStatus::solved;
}

bool Journal::ends_early(const State& end) const {
  const bool early = summary.status == RunStatus::stopped || summary.status == RunStatus::not_finished;
  return early && body_out_of_range(model_, end).empty();
}

RunSummary Journal::finished(const State& end) {
  summary.losses = losses_.sorted();
  std::erase_if(summary.accumulation_times, [&](double t) { return t > end.t; });  // not within the run
  summary.t_end = end.t;
  summary.end = end;
  tell_foreseen(end.t);
  if (summary.status == RunStatus::stopped || summary.status == RunStatus::not_finished)
    event(end.t, RunEvent::Kind::stop, std::string(to_string(summary.status)), summary.message);
  if (summary.status == RunStatus::solved && summary.approximations.steps > 0) summary.status = RunStatus::approximate;
  return std::move(summary);
}

void Journal::archived(Archive& archive) {
  archive& summary& sequences_& slow_since_& closed_& knows_closed_& foreseen_;
  std::vector<PairLoss> losses;
  if (!archive.reads()) losses = losses_.sorted();
  archive& losses;
  if (!archive.reads()) return;
  losses_ = PairLosses(model_.bodies().size());
  for (const PairLoss& loss : losses) losses_.add(loss);
}

std::string Journal::name(const PartPair& parts) const {
  return name_of(model_, parts, "-");
}

std::string Journal::names(const std::vector<ContactPair>& pairs, std::string_view between) const {
  std::vector<std::string> all;
  std::set<std::tuple<int, int, int>> seen;
  for (const ContactPair& pair : pairs) {
    if (!seen.insert({pair.parts.body_a, pair.parts.body_b, joint_of(pair.parts)}).second) continue;
    all.push_back(name_of(model_, pair.parts, between));
  }
  const std::size_t count = all.size();
  if (count > kNamedContacts) all.resize(kNamedContacts);
  std::string text = fmt::format("{}", fmt::join(all, ", "));
  if (count > kNamedContacts) text += fmt::format(" and {} more", count - kNamedContacts);
  return text;
}

}  // namespace carom::simulate
