#include "carom/laws/moments.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/numerics/decompositions.h"

namespace carom {
namespace {

constexpr double kHeld = 1e-12;  // of G: what moments leave of it

void require_moments(const ContactProblem& problem, const Vector& coefficients, const Matrix& directions) {
  const Index n = problem.impact->M.size();
  if (directions.rows() != coefficients.size() || (directions.rows() > 0 && directions.cols() != n))
    throw InputError("law.moment_directions",
                     fmt::format("is {} x {}; {} coefficients in law.moment and {} velocities need {} x {}",
                                 directions.rows(), directions.cols(), coefficients.size(), n, coefficients.size(), n));
  for (Index i = 0; i < coefficients.size(); ++i) {
    if (!(coefficients[i] >= -1 && coefficients[i] <= 1))
      throw InputError(
          fmt::format("law.moment[{}]", i),
          fmt::format("{} is outside [-1, 1]; -1 leaves a rotation alone, 1 reverses it", coefficients[i]));
    if (!directions.row(i).allFinite() || directions.row(i).isZero(0))
      throw InputError(fmt::format("law.moment_directions[{}]", i), "must be finite and not zero");
  }
}

Vector free_velocity(const ContactProblem& problem) {
  const ImpactProblem& impact = *problem.impact;
  Vector u = impact.u_minus;
  if (impact.p.size() > 0) u += impact.M.solve(impact.p);
  return problem.joints.empty() ? u : problem.joints.project(u);
}

}  // namespace

Moments::Moments(const ContactProblem& problem, const Vector& coefficients, const Matrix& directions)
    : problem_(problem) {
  require_moments(problem, coefficients, directions);
  if (coefficients.size() == 0) return;
  const ImpactProblem& impact = *problem.impact;
  D_ = directions;
  Matrix V(impact.M.size(), D_.rows());  // velocities that unit moments give
  for (Index i = 0; i < D_.rows(); ++i) {
    V.col(i) = impact.M.solve(Vector(D_.row(i).transpose()));
    if (!problem.joints.empty()) V.col(i) = problem.joints.project(Vector(V.col(i)));
  }
  K_mc_ = (impact.W.transpose() * V).transpose();
  inverse_ = numerics::CompleteOrthogonal(D_ * V).pseudo_inverse();
  before_ = D_ * free_velocity(problem);
  change_ = -coefficients.cwiseProduct(D_ * impact.u_minus) - before_;
  reduced_ = problem;
  const Matrix before = problem.G;
  Matrix G = before - K_mc_.transpose() * inverse_ * K_mc_;
  for (Index i = 0; i < G.rows(); ++i)  // a direction that the moments hold is held, but for rounding
    for (Index j = 0; j < G.cols(); ++j)
      if (std::abs(G(i, j)) <= kHeld * std::sqrt(before(i, i) * before(j, j))) G(i, j) = 0;
  reduced_->G = Matrix(0.5 * (G + G.transpose())).sparseView(1, 0);
  reduced_->gamma_free += K_mc_.transpose() * (inverse_ * change_);
  reduced_->gamma_terms += (K_mc_.transpose() * (inverse_ * change_)).cwiseAbs();
}

std::optional<one_contact::ClosingContact> Moments::acting_on(const one_contact::ClosingContact& closing) const {
  if (!reduced_) return closing;
  one_contact::ClosingContact contact = one_contact::seen_alone(*reduced_, closing.contact);
  contact.slip = closing.slip;
  if (contact.rebound() <= contact.c_n()) return std::nullopt;
  return contact;
}

Impulses Moments::alone() const {
  Impulses impulses = one_contact::no_impact(problem_);
  impulses.mode = "parted by moments";
  add_to(impulses);
  return impulses;
}

void Moments::add_to(Impulses& impulses) const {
  if (!reduced_ || impulses.Lambda.size() == 0) return;
  impulses.generalized = D_.transpose() * (inverse_ * (change_ - K_mc_ * impulses.Lambda));
}

void Moments::add_followed(Impulses& impulses) const {
  if (!reduced_ || impulses.Lambda.size() == 0) return;
  add_to(impulses);
  const Vector first = inverse_ * change_, held = -(inverse_ * (K_mc_ * impulses.Lambda));
  impulses.dissipated_generalized = -first.dot(before_ + 0.5 * change_) - held.dot(before_ + change_);
}

}  // namespace carom
