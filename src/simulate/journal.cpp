#include "carom/simulate/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "carom/model/forces.h"

namespace carom::simulate {
namespace {

constexpr std::size_t kRemembered = 12;     // impacts of a sequence
constexpr double kRegular = 0.02;           // two ratios of intervals that differ by less belong to one sequence
constexpr double kDistinguishable = 1e-10;  // of the time: shorter intervals are rounding
constexpr double kEnergyRounding = 1e-14;   // of all energies of a step
constexpr std::size_t kNamedContacts = 4;   // in messages

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

double largest(const Certificate::Residuals& residuals) {
  return std::max({residuals.dynamics, residuals.kinematic, residuals.kinetic, residuals.energetic, residuals.ledger});
}

/// Where impacts at t1 < t2 < ... come to an end if their intervals shrink by a constant ratio r: t3 + (t3 - t2) r / (1
/// - r), from the last ones that rounding leaves distinguishable. The last time if they do not.
double end_of_sequence(const std::vector<double>& times) {
  for (std::size_t last = times.size(); last-- > 3;) {
    const double c = times[last] - times[last - 1], b = times[last - 1] - times[last - 2],
                 a = times[last - 2] - times[last - 3];
    if (!(c > kDistinguishable * std::abs(times[last])) || !(b > c) || !(a > b)) continue;
    const double ratio = c / b;
    if (std::abs(ratio - b / a) > kRegular * (1 - ratio)) continue;
    return std::max(times[last] + c * ratio / (1 - ratio), times.back());
  }
  return times.back();
}

/// A step is of first order where contacts act: what presses a contact together that opened slowly, or sticks one that
/// slipped back, may return up to  1/2 p'(u_free - u+),  p being the smooth impulse: no more kinetic energy is left
/// than without contacts. So much, at least 1/2 p'M^-1 p, is no fault. Corrects the certificate and returns what was
/// gained.
double judge_step(const ImpactProblem& problem, const Vector& u_free, ImpactOutcome& outcome) {
  const Vector& p = problem.p;
  const Energy& energy = outcome.energy;
  const double expected =
      std::max(0.5 * problem.M.inverse_norm_squared(p), 0.5 * p.dot(Vector(u_free - outcome.u_plus)));
  const double created = -energy.dissipated(), excess = created - expected;
  const double total = energy.before + energy.after + std::abs(energy.smooth_work) + std::abs(energy.wall_work);
  const double exchanged =
      outcome.Lambda.cwiseAbs().dot(outcome.gamma_minus.cwiseAbs() + outcome.gamma_plus.cwiseAbs()) + 2 * expected;
  Certificate& certificate = outcome.certificate;
  certificate.absolute.energetic = std::max(0.0, excess);
  certificate.relative.energetic = excess > kEnergyRounding * total && exchanged > 0 ? excess / exchanged : 0;
  const Certificate::Residuals& relative = certificate.relative;
  certificate.consistent = std::max({relative.dynamics, relative.kinematic, relative.kinetic, relative.complementarity,
                                     relative.energetic}) <= certificate.tolerance;
  return std::clamp(created, 0.0, expected);
}

}  // namespace

Journal::Journal(const Model& model, const State& start, Observer& observer) : model_(model), observer_(observer) {
  summary.ledger.start = model.M().kinetic_energy(start.u) + potential_energy(model, start);
}

void Journal::impact(const State& before, const Island& island, const IslandProblem& problem, const Answer& answer,
                     bool at_rest) {
  ++summary.impacts;
  if (at_rest) ++summary.resting_impacts;
  note_accumulation(before.t, island, at_rest);
  observer_.impact(model_,
                   {before.t, &before, &problem.problem, &answer.outcome, island.pairs, island.bodies, at_rest});
  account(before.t, island, problem, answer);
}

void Journal::step(const State& before, const Island& island, const ImpactProblem& problem, ImpactOutcome outcome,
                   const Vector& u_free, const std::vector<char>& is_new) {
  const double gained = judge_step(problem, u_free, outcome);
  const Certificate& certificate = outcome.certificate;
  summary.gained_by_steps += gained;
  ++summary.solved_problems;
  if (largest(certificate.relative) > largest(summary.worst)) summary.worst_time = before.t;
  keep_worst(summary.worst, certificate.relative);
  if (!certificate.consistent) ++summary.inconsistent;
  summary.ledger.dissipated_impacts += outcome.energy.dissipated();
  summary.ledger.work += outcome.energy.wall_work;
  lost(island, outcome, is_new);
  if (certificate.consistent && std::find(is_new.begin(), is_new.end(), 1) == is_new.end()) return;
  ++summary.impacts;
  observer_.impact(model_, {before.t, &before, &problem, &outcome, island.pairs, island.bodies, false});
}

void Journal::lost(int body_a, int body_b, double dissipated) {
  PairLoss& loss = losses_[{body_a, body_b, -1}];
  loss.body_a = body_a;
  loss.body_b = body_b;
  ++loss.impacts;
  loss.dissipated += dissipated;
}

void Journal::approximate(double t, Rung rung, double residual, const std::string& where,
                          const ImpactProblem* problem) {
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
}

void Journal::energies(const State& state) {
  summary.ledger.kinetic = model_.M().kinetic_energy(state.u);
  summary.ledger.potential = potential_energy(model_, state);
}

void Journal::record(const State& state) {
  energies(state);
  observer_.state(model_, state, summary.ledger);
}

void Journal::account(double t, const Island& island, const IslandProblem& problem, const Answer& answer) {
  const ImpactOutcome& outcome = answer.outcome;
  ++summary.solved_problems;
  if (answer.rung != Rung::asked) approximate(t, answer.rung, answer.residual, names(island.pairs), &problem.problem);
  if (outcome.u_plus.size() == 0) return;
  if (largest(outcome.certificate.relative) > largest(summary.worst)) summary.worst_time = t;
  keep_worst(summary.worst, outcome.certificate.relative);
  if (!outcome.certificate.consistent) ++summary.inconsistent;

  const Energy& energy = outcome.energy;
  summary.ledger.dissipated_impacts += energy.dissipated();
  const MassMatrix& M = problem.problem.M;
  const bool moving_joints = problem.frame.size() > 0 && problem.frame.cwiseAbs().maxCoeff() > 0;
  summary.ledger.work += moving_joints
                             ? M.kinetic_energy(outcome.u_plus + problem.frame) -
                                   M.kinetic_energy(problem.problem.u_minus + problem.frame) + energy.dissipated()
                             : energy.wall_work;
  std::vector<char> pressed;
  for (const Index row : outcome.row) pressed.push_back(outcome.Lambda[row] > 0);
  lost(island, outcome, pressed);
}

/// By pairs of bodies; `counted` (pairs): an impact of its pair.
void Journal::lost(const Island& island, const ImpactOutcome& outcome, const std::vector<char>& counted) {
  const Energy& energy = outcome.energy;
  for (std::size_t i = 0; i < island.pairs.size(); ++i) {
    const PartPair& parts = island.pairs[i].parts;
    PairLoss& loss = losses_[{parts.body_a, parts.body_b, joint_of(parts)}];
    loss.body_a = parts.body_a;
    loss.body_b = parts.body_b;
    loss.joint = joint_of(parts);
    if (counted[i]) ++loss.impacts;
    loss.dissipated +=
        energy.dissipated_normal[static_cast<Index>(i)] + energy.dissipated_friction[static_cast<Index>(i)];
  }
}

bool Journal::goes_on(const RunOptions& options, double t) {
  if (summary.status == RunStatus::solved && options.is_cancelled()) {
    summary.status = RunStatus::not_finished;
    summary.message = fmt::format("cancelled at t = {:.9g} s", t);
  }
  return summary.status == RunStatus::solved;
}

RunSummary Journal::finished(const State& end) {
  for (const auto& [bodies, loss] : losses_) summary.losses.push_back(loss);
  std::erase_if(summary.accumulation_times, [&](double t) { return t > end.t; });  // not within the run
  summary.t_end = end.t;
  summary.end = end;
  if (summary.status == RunStatus::solved && summary.approximations.steps > 0) summary.status = RunStatus::approximate;
  return std::move(summary);
}

void Journal::note_accumulation(double t, const Island& island, bool at_rest) {
  Sequence& sequence = sequences_[island.bodies];
  std::vector<double>& times = sequence.times;
  times.push_back(t);
  if (times.size() > kRemembered) times.erase(times.begin());
  if (at_rest && !sequence.resting && times.size() >= 4) summary.accumulation_times.push_back(end_of_sequence(times));
  if (at_rest) times.clear();
  sequence.resting = at_rest;
}

std::string Journal::names(const std::vector<ContactPair>& pairs) const {
  std::vector<std::string> all;
  std::set<std::tuple<int, int, int>> seen;
  for (const ContactPair& pair : pairs) {
    if (!seen.insert({pair.parts.body_a, pair.parts.body_b, joint_of(pair.parts)}).second) continue;
    all.push_back(name_of(model_, pair.parts, " - "));
  }
  const std::size_t count = all.size();
  if (count > kNamedContacts) all.resize(kNamedContacts);
  std::string text = fmt::format("{}", fmt::join(all, ", "));
  if (count > kNamedContacts) text += fmt::format(" and {} more", count - kNamedContacts);
  return text;
}

}  // namespace carom::simulate
