#include "carom/impact/solve.h"

#include <algorithm>
#include <cmath>

#include "carom/impact/certificate.h"
#include "carom/numerics/sparse_products.h"

namespace carom {
namespace {

/// Energy a contact takes if velocity and impulse grow in proportion: minus the mean velocity times the impulse.
void split_by_mean_velocity(const ContactProblem& problem, const ImpactOutcome& outcome, Energy& energy) {
  const auto taken = [&](Index row) {
    return -0.5 * (outcome.gamma_minus[row] + outcome.gamma_plus[row]) * outcome.Lambda[row];
  };
  energy.dissipated_normal.resize(problem.size());
  energy.dissipated_friction.setZero(problem.size());
  for (std::size_t i = 0; i < problem.row.size(); ++i) {
    const Index row = problem.row[i];
    const Index next = i + 1 < problem.row.size() ? problem.row[i + 1] : outcome.Lambda.size();
    energy.dissipated_normal[i] = taken(row);
    for (Index tangent = row + 1; tangent < next; ++tangent) energy.dissipated_friction[i] += taken(tangent);
  }
}

constexpr double kSummation = 1e-15;  // of energies that cancel each other, relative to those exchanged

/// A law knows what its contacts dissipated to its accuracy only, if it integrates, or to rounding. What is missing in
/// the balance is shared out in proportion to the energy of their impulses; more than the accuracy explains is left for
/// the certificate to find.
void share_out_error(const ContactProblem& problem, const ImpactOutcome& outcome, double accuracy, Energy& energy) {
  constexpr double kMargin = 10;
  const double missing =
      energy.before + energy.stored_before + energy.wall_work + energy.smooth_work - energy.after - energy.dissipated();
  Vector share(problem.size());
  for (Index i = 0; i < problem.size(); ++i) {
    const Index row = problem.row[i];
    share[i] = outcome.Lambda[row] * (std::abs(outcome.gamma_minus[row]) + std::abs(outcome.gamma_plus[row])) +
               problem.G.coeff(row, row) * outcome.Lambda[row] * outcome.Lambda[row];
  }
  const double exchanged = share.sum();
  if (exchanged > 0 && std::abs(missing) <= kMargin * accuracy * exchanged)
    energy.dissipated_normal += missing / exchanged * share;
}

/// A law that follows the impact starts where the smooth impulse and then the joints have acted at once.
void add_what_comes_first(const ContactProblem& problem, Energy& energy) {
  const ImpactProblem& impact = *problem.impact;
  Vector u = impact.u_minus;
  if (impact.p.size() > 0) {
    const Vector gained = impact.M.solve(impact.p);
    energy.smooth_work = impact.p.dot(u + 0.5 * gained);
    u += gained;
  }
  if (!problem.joints.empty())
    energy.dissipated_joints = impact.M.kinetic_energy(u) - impact.M.kinetic_energy(problem.joints.project(u));
}

Energy ledger(const ContactProblem& problem, const ImpactOutcome& outcome, Impulses& impulses, Energy energy) {
  const ImpactProblem& impact = *problem.impact;
  energy.after = impact.M.kinetic_energy(outcome.u_plus);
  if (impact.drift.size() > 0) energy.wall_work = -impact.drift.dot(outcome.Lambda);
  if (impulses.dissipated_normal.size() > 0) {
    add_what_comes_first(problem, energy);
    energy.dissipated_normal = std::move(impulses.dissipated_normal);
    energy.dissipated_friction = std::move(impulses.dissipated_friction);
    energy.dissipated_generalized = impulses.dissipated_generalized;
    share_out_error(problem, outcome, std::max(impulses.accuracy, kSummation), energy);
    return energy;
  }
  const auto mean = 0.5 * (impact.u_minus + outcome.u_plus);
  if (impact.p.size() > 0) energy.smooth_work = mean.dot(impact.p);
  if (outcome.generalized_impulse.size() > 0) energy.dissipated_generalized = -mean.dot(outcome.generalized_impulse);
  if (!problem.joints.empty()) {
    Vector joint_impulse = impact.M * (outcome.u_plus - impact.u_minus) - impact.W * outcome.Lambda;
    if (impact.p.size() > 0) joint_impulse -= impact.p;
    if (outcome.generalized_impulse.size() > 0) joint_impulse -= outcome.generalized_impulse;
    energy.dissipated_joints = -mean.dot(joint_impulse);
  }
  split_by_mean_velocity(problem, outcome, energy);
  return energy;
}

Vector velocity_after(const ContactProblem& problem, const Impulses& impulses) {
  const ImpactProblem& impact = *problem.impact;
  Vector impulse = numerics::product(impact.W, impulses.Lambda);
  if (impact.p.size() > 0) impulse += impact.p;
  if (impulses.generalized.size() > 0) impulse += impulses.generalized;
  Vector u_plus = impact.M.solve(std::move(impulse));
  u_plus += impact.u_minus;
  if (!problem.joints.empty()) u_plus = problem.joints.project(u_plus);
  return u_plus;
}

/// Products of extreme numbers leave the range of floating point; then there is no answer to give.
void require_representable(const ImpactProblem& impact, const ImpactOutcome& outcome) {
  const bool finite = all_finite(outcome.u_plus) && all_finite(outcome.Lambda) && all_finite(outcome.gamma_plus) &&
                      std::isfinite(outcome.energy.before + outcome.energy.after + outcome.energy.dissipated());
  const bool vanished = outcome.energy.before == 0 && impact.u_minus.cwiseAbs().maxCoeff() > 0;
  if (!finite || vanished)
    throw InputError("",
                     "masses, directions or velocities leave the range of floating point; choose units nearer to 1");
}

/// Of a law that says nothing about modes: who carries.
std::vector<std::string_view> modes_of(const ContactProblem& problem, const Vector& Lambda) {
  std::vector<std::string_view> modes;
  for (const Index row : problem.row) modes.emplace_back(Lambda[row] > 0 ? "closed" : "open");
  return modes;
}

/// What follows from the impulses, if there are any.
void add_answer(const ContactProblem& problem, const LawTraits& law, Impulses& impulses, ImpactOutcome& outcome) {
  const ImpactProblem& impact = *problem.impact;
  outcome.unique = impulses.unique;
  outcome.solutions = std::move(impulses.solutions);
  if (problem.options.others == Others::listed && outcome.solutions.empty() && impulses.unique.u_plus &&
      impulses.status == Status::solved)
    outcome.solutions.push_back({modes_of(problem, impulses.Lambda), impulses.Lambda, {}, {}, true});
  for (SolutionSet& set : outcome.solutions) {
    const auto velocity = [&](const Vector& Lambda) {
      Impulses other;
      other.Lambda = Lambda;
      return velocity_after(problem, other);
    };
    set.u_plus = velocity(set.Lambda);
    for (SolutionSet::Corner& corner : set.vertices) corner.u_plus = velocity(corner.Lambda);
  }
  outcome.residual = impulses.residual;
  outcome.u_plus = velocity_after(problem, impulses);
  outcome.gamma_plus = numerics::transposed_product(impact.W, outcome.u_plus);
  if (impact.drift.size() > 0) outcome.gamma_plus += impact.drift;
  outcome.Lambda = std::move(impulses.Lambda);
  outcome.generalized_impulse = std::move(impulses.generalized);
  outcome.energy = ledger(problem, outcome, impulses, std::move(outcome.energy));
  require_representable(impact, outcome);
  outcome.certificate = certify(
      problem, outcome, {impulses.gamma_bound, impulses.Lambda_bound, law.friction, law.sticking, impulses.accuracy});
  outcome.duration = impulses.duration;
  outcome.peak_force = std::move(impulses.peak_force);
  outcome.events = impulses.events;
  outcome.history = std::move(impulses.history);
  outcome.mode = std::move(impulses.mode);
  outcome.phases = impulses.phases;
  outcome.works = std::move(impulses.works);
  outcome.e_used = std::move(impulses.e_used);
  if (outcome.e_used.size() == 0 && law.restitution && !problem.evaluated.empty()) {
    outcome.e_used.resize(problem.size());
    for (Index i = 0; i < problem.size(); ++i) outcome.e_used[i] = problem.evaluated[i].e;
  }
  outcome.restitution = std::move(impulses.restitution);
  outcome.losses = std::move(impulses.losses);
  outcome.remarks = std::move(impulses.remarks);
}

}  // namespace

void complete(Path& path, const ContactProblem& problem, const Impulses& impulses) {
  const ImpactProblem& impact = *problem.impact;
  if (impulses.status == Status::solved && !path.states.empty() && path.states.back().Lambda != impulses.Lambda) {
    Path::State end;
    end.time = path.states.back().time;
    end.Lambda = impulses.Lambda;
    end.force = end.stored = Vector::Zero(problem.size());
    path.states.push_back(std::move(end));
  }
  Impulses now;
  for (Path::State& state : path.states) {
    now.Lambda = state.Lambda;
    state.u = velocity_after(problem, now);
    state.gamma = impact.W.transpose() * state.u;
    if (impact.drift.size() > 0) state.gamma += impact.drift;
    state.kinetic = impact.M.kinetic_energy(state.u);
    if (state.stored.maxCoeff(&state.primary) <= 0) state.primary = -1;
  }
}

ImpactOutcome judge(ContactProblem&& problem, const LawTraits& law, Impulses&& impulses) {
  const ImpactProblem& impact = *problem.impact;
  ImpactOutcome outcome;
  outcome.law = law.name;
  outcome.status = impulses.status;
  outcome.message = std::move(impulses.message);
  outcome.cost = impulses.cost;
  outcome.gamma_minus = problem.gamma_minus;
  for (std::size_t i = 0; problem.has.gaps && i < problem.row.size(); ++i)
    outcome.gamma_minus[problem.row[i]] -= impact.contacts[i].gap_rate;
  outcome.energy.before = impact.M.kinetic_energy(impact.u_minus);
  if (law.stored_energy && problem.has.stored)
    for (const Contact& contact : impact.contacts) outcome.energy.stored_before += contact.E0;
  if (outcome.status != Status::no_solution) add_answer(problem, law, impulses, outcome);
  outcome.row = std::move(problem.row);
  return outcome;
}

}  // namespace carom
