#include "impact/certificate.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double kConsistencyTolerance = 1e-9;  // relative residuals of an exact law below this are rounding
constexpr double kAccuracyMargin = 10;          // and of an integrated one, below this many times its accuracy

double ratio(double violation, double scale) {
  return violation <= 0 ? 0 : scale > 0 ? violation / scale : 1;
}

/// Energy that took part in the impact [J]: the scale of everything else.
double reference_energy(const ContactProblem& problem, const ImpactOutcome& outcome) {
  const Energy& energy = outcome.energy;
  const double exchanged = 0.5 * std::abs(outcome.Lambda.dot(outcome.gamma_plus - problem.gamma_free));
  return energy.before + energy.after + energy.stored_before + std::abs(energy.wall_work) +
         std::abs(energy.smooth_work) + exchanged;
}

/// M (u+ - u-) minus all impulses, less what the joints may carry.
void judge_dynamics(const ContactProblem& problem, const ImpactOutcome& outcome, double energy,
                    Certificate& certificate) {
  const ImpactProblem& impact = *problem.impact;
  Vector residual = impact.M * (outcome.u_plus - impact.u_minus) - impact.W * outcome.Lambda;
  if (impact.p.size() > 0) residual -= impact.p;
  if (outcome.generalized_impulse.size() > 0) residual -= outcome.generalized_impulse;
  if (!problem.joints.empty()) residual = impact.M * problem.joints.project(impact.M.solve(residual));
  certificate.absolute.dynamics = residual.cwiseAbs().maxCoeff();
  certificate.relative.dynamics = ratio(std::sqrt(impact.M.inverse_norm_squared(residual)), std::sqrt(2 * energy));
}

void judge_contacts(const ContactProblem& problem, const ImpactOutcome& outcome, const Claims& claims, double energy,
                    Certificate& certificate) {
  const Vector G = problem.G.diagonal();
  auto& absolute = certificate.absolute;
  auto& relative = certificate.relative;
  for (std::size_t i = 0; i < problem.row.size(); ++i) {
    const Index row = problem.row[i];
    const double speed = std::sqrt(2 * energy * G[row]) + std::abs(problem.gamma_minus[row]);
    const double impulse = G[row] > 0 ? std::sqrt(2 * energy / G[row]) : 0;
    const double Lambda = outcome.Lambda[row], gamma = outcome.gamma_plus[row];

    absolute.kinematic = std::max(absolute.kinematic, -gamma);
    if (const double depth = ratio(-gamma, speed); depth > relative.kinematic) {
      relative.kinematic = depth;
      if (depth > certificate.tolerance) certificate.penetrating = static_cast<int>(i);
    }

    double pull = std::max(0.0, -Lambda);
    if (claims.friction && problem.contacts()[i].tangents > 0)
      pull = std::max(pull, outcome.tangential(outcome.Lambda, i).norm() - problem.contacts()[i].mu * Lambda);
    absolute.kinetic = std::max(absolute.kinetic, pull);
    if (const double share = ratio(pull, impulse); share > relative.kinetic) {
      relative.kinetic = share;
      if (share > certificate.tolerance) certificate.pulling = static_cast<int>(i);
    }

    if (claims.gamma_bound.size() > 0)
      absolute.complementarity = std::max(
          absolute.complementarity, std::abs((gamma - claims.gamma_bound[i]) * (Lambda - claims.Lambda_bound[i])));
  }
  relative.complementarity = ratio(absolute.complementarity, energy);
}

void judge_energy(const Energy& energy, double scale, Certificate& certificate) {
  const double available = energy.before + energy.stored_before + energy.wall_work + energy.smooth_work;
  certificate.absolute.energetic = std::max(0.0, energy.after - available);
  certificate.absolute.ledger = std::abs(available - energy.after - energy.dissipated());
  certificate.relative.energetic = ratio(certificate.absolute.energetic, scale);
  certificate.relative.ledger = ratio(certificate.absolute.ledger, scale);
}

}  // namespace

Certificate certify(const ContactProblem& problem, const ImpactOutcome& outcome, const Claims& claims) {
  Certificate certificate;
  certificate.tolerance = std::max(kConsistencyTolerance, kAccuracyMargin * claims.accuracy);
  const double energy = reference_energy(problem, outcome);
  judge_dynamics(problem, outcome, energy, certificate);
  judge_contacts(problem, outcome, claims, energy, certificate);
  judge_energy(outcome.energy, energy, certificate);
  const Certificate::Residuals& relative = certificate.relative;
  certificate.consistent = std::max({relative.dynamics, relative.kinematic, relative.kinetic, relative.energetic,
                                     relative.ledger}) <= certificate.tolerance;
  return certificate;
}

}  // namespace carom
