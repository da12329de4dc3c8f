#include "carom/simulate/step_outcome.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/numerics/sparse_columns.h"

namespace carom::simulate {
namespace {

/// The problem with some of its contacts.
ImpactProblem with_contacts(const ImpactProblem& all, const std::vector<std::size_t>& contacts,
                            const std::vector<Index>& rows) {
  ImpactProblem some{all.M, {}, all.u_minus, all.drift(rows), all.p, all.J, {}};
  for (const std::size_t i : contacts) some.contacts.push_back(all.contacts[i]);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (SparseMatrix::InnerIterator entry(all.W, rows[j]); entry; ++entry)
      entries.emplace_back(entry.row(), static_cast<Index>(j), entry.value());
  some.W = numerics::by_columns(all.W.rows(), static_cast<Index>(rows.size()), entries);
  return some;
}

void keep_larger(Certificate::Residuals& a, const Certificate::Residuals& b) {
  a.dynamics = std::max(a.dynamics, b.dynamics);
  a.kinematic = b.kinematic;  // only that at the end counts
  a.kinetic = std::max(a.kinetic, b.kinetic);
  a.complementarity = std::max(a.complementarity, b.complementarity);
  a.energetic = std::max(a.energetic, b.energetic);
  a.ledger = std::max(a.ledger, b.ledger);
}

}  // namespace

Vector velocity_terms(const ImpactProblem& problem) {
  Vector terms = problem.drift.cwiseAbs();
  for (Index j = 0; j < problem.W.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(problem.W, j); entry; ++entry)
      terms[j] += std::abs(entry.value() * problem.u_minus[entry.row()]);
  return terms;
}

StepOutcome::StepOutcome(const ImpactProblem& all, const std::vector<char>& part) : all_(&all) {
  Index row = 0;
  for (std::size_t i = 0; i < all.contacts.size(); ++i) {
    row_.push_back(row);
    if (part[i]) contacts_.push_back(i);
    for (int t = 0; t <= all.contacts[i].tangents; ++t, ++row)
      if (part[i]) rows_.push_back(row);
  }
  if (contacts_.size() < all.contacts.size()) some_ = with_contacts(all, contacts_, rows_);
  u_ = all.u_minus + all.M.solve(all.p);
  if (all.J.cols() > 0) u_ = Joints(all.M, all.J).project(u_);
}

Vector StepOutcome::gamma(const Vector& u) const {
  return all_->W.transpose() * u + all_->drift;
}

void StepOutcome::add_first(ImpactOutcome first) {
  u_ = first.u_plus;
  const Index m = static_cast<Index>(all_->contacts.size());
  const Vector Lambda = std::exchange(first.Lambda, Vector::Zero(all_->W.cols()));
  const Vector normal = std::exchange(first.energy.dissipated_normal, Vector::Zero(m));
  const Vector friction = std::exchange(first.energy.dissipated_friction, Vector::Zero(m));
  first.Lambda(rows_) = Lambda;
  first.energy.dissipated_normal(contacts_) = normal;
  first.energy.dissipated_friction(contacts_) = friction;
  first.gamma_minus = gamma(all_->u_minus);
  first.gamma_plus = gamma(u_);
  first.row = row_;
  outcome_ = std::move(first);
}

bool StepOutcome::closes_again(double accuracy) const {
  if (!some_) return false;
  const Vector now = gamma(u_);
  const double fastest = std::max(now.cwiseAbs().maxCoeff(), gamma(all_->u_minus).cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < row_.size(); ++i)
    if (now[row_[i]] + all_->contacts[i].gap_rate < -accuracy * fastest) return true;
  return false;
}

ImpactProblem StepOutcome::second_problem() const {
  ImpactProblem second = *all_;
  second.u_minus = u_;
  second.p.resize(0);
  for (Contact& contact : second.contacts) contact.e = contact.e_t = 0;
  return second;
}

void StepOutcome::add_second(ImpactOutcome second) {
  u_ = second.u_plus;
  if (!outcome_) {
    second.gamma_minus = gamma(all_->u_minus);
    outcome_ = std::move(second);
  } else {
    outcome_->Lambda += second.Lambda;
    outcome_->u_plus = u_;
    outcome_->gamma_plus = second.gamma_plus;
    keep_larger(outcome_->certificate.absolute, second.certificate.absolute);
    keep_larger(outcome_->certificate.relative, second.certificate.relative);
    outcome_->certificate.tolerance = std::max(outcome_->certificate.tolerance, second.certificate.tolerance);
    outcome_->residual = std::max(outcome_->residual, second.residual);
  }
  // Each contact takes its impulse at the mean of its velocities before and after the step.
  Energy& energy = outcome_->energy;
  const Vector taken = -0.5 * (outcome_->gamma_minus + outcome_->gamma_plus).cwiseProduct(outcome_->Lambda);
  for (std::size_t i = 0; i < row_.size(); ++i) {
    const Index c = static_cast<Index>(i);
    energy.dissipated_normal[c] = taken[row_[i]];
    energy.dissipated_friction[c] = taken.segment(row_[i] + 1, all_->contacts[i].tangents).sum();
  }
}

ImpactOutcome StepOutcome::in_world(IslandProblem& island, bool joints_move) && {
  ImpactOutcome outcome = *std::move(outcome_);
  ImpactProblem& problem = island.problem;
  problem.u_minus += island.frame;
  problem.drift -= problem.W.transpose() * island.frame;
  outcome.u_plus += island.frame;
  const Vector mean = 0.5 * (problem.u_minus + outcome.u_plus);
  Vector joint_impulse = problem.M * Vector(outcome.u_plus - problem.u_minus) - problem.p - problem.W * outcome.Lambda;
  if (outcome.generalized_impulse.size() > 0) joint_impulse -= outcome.generalized_impulse;
  Energy& energy = outcome.energy;
  energy.before = problem.M.kinetic_energy(problem.u_minus);
  energy.after = problem.M.kinetic_energy(outcome.u_plus);
  energy.wall_work = -problem.drift.dot(outcome.Lambda);
  energy.smooth_work = mean.dot(problem.p);
  energy.dissipated_joints = 0;
  if (outcome.generalized_impulse.size() > 0) energy.dissipated_generalized = -mean.dot(outcome.generalized_impulse);
  if (problem.J.cols() > 0) {
    const double work = mean.dot(joint_impulse);
    if (joints_move)
      energy.wall_work += work;
    else
      energy.dissipated_joints = -work;
  }
  return outcome;
}

}  // namespace carom::simulate
