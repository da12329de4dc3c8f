#include "carom/impact/certificate.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/sparse_products.h"

namespace carom {
namespace {

constexpr double kConsistencyTolerance = 1e-9;  // relative residuals of an exact law below this are rounding
constexpr double kRounding = 1e-15;             // of sums, relative to their terms
constexpr double kTogether = 10;                // of the speed all exchanged energy could give, as a term of sums
constexpr double kLeastAccuracy = 1e-2;         // of a law that integrates: less excuses nothing
constexpr double kAccuracyMargin = 10;          // and of an integrated one, below this many times its accuracy

double ratio(double violation, double scale) {
  return violation <= 0 ? 0 : scale > 0 ? violation / scale : 1;
}

/// The scales of an impact, in the contacts that take part: bystanders, however heavy, do not count.
struct Scales {
  double closing = 0;    // largest velocity at a contact: what the accuracy of an integrated law refers to [m/s]
  double exchanged = 0;  // energy that passes through the contacts [J]
  double total = 0;      // all energy there is [J]
  double rounding = 0;   // of the energies [J]

  Scales(const ContactProblem& problem, const ImpactOutcome& outcome) {
    const Energy& energy = outcome.energy;
    for (const Index row : problem.row)
      closing = std::max({closing, std::abs(problem.gamma_minus[row]), std::abs(problem.gamma_free[row]),
                          std::abs(outcome.gamma_plus[row])});
    exchanged = outcome.Lambda.cwiseAbs().dot(problem.gamma_minus.cwiseAbs() + outcome.gamma_plus.cwiseAbs() +
                                              (problem.gamma_free - problem.gamma_minus).cwiseAbs()) +
                energy.stored_before;
    rounding = kRounding * (outcome.Lambda.cwiseAbs().dot(problem.gamma_terms) + energy.before + energy.after);
    total =
        energy.before + energy.after + energy.stored_before + std::abs(energy.wall_work) + std::abs(energy.smooth_work);
  }
};

/// A contact seen from its row of G.
struct Mobility {
  double speed = 0;  // what moves it: its velocities and what each impulse adds to it, of the size of some velocity
                     // that there is: impulses on a light body between heavy ones cancel each other [m/s]
  double G = 0;      // velocity that a unit of its own impulse gives it [1/kg]

  Mobility(const ContactProblem& problem, const ImpactOutcome& outcome, Index row, double fastest) {
    double added = 0;
    if (numerics::is_full(problem.G)) {
      const auto column = numerics::dense_view(problem.G).col(row);
      added = column.cwiseProduct(outcome.Lambda).cwiseAbs().sum();
      G = column[row];
    } else {
      for (SparseMatrix::InnerIterator entry(problem.G, row); entry; ++entry) {
        added += std::abs(entry.value() * outcome.Lambda[entry.row()]);
        if (entry.row() == row) G = entry.value();
      }
    }
    speed = std::abs(problem.gamma_minus[row]) + std::abs(problem.gamma_free[row]) + std::min(added, fastest);
  }
};

/// M (u+ - u-) minus all impulses, less what the joints may carry.
void judge_dynamics(const ContactProblem& problem, const ImpactOutcome& outcome, double energy,
                    Certificate& certificate) {
  const ImpactProblem& impact = *problem.impact;
  Vector residual = impact.M * (outcome.u_plus - impact.u_minus);
  numerics::subtract_product(residual, impact.W, outcome.Lambda);
  if (impact.p.size() > 0) residual -= impact.p;
  if (outcome.generalized_impulse.size() > 0) residual -= outcome.generalized_impulse;
  if (!problem.joints.empty()) residual = impact.M * problem.joints.project(impact.M.solve(residual));
  certificate.absolute.dynamics = residual.cwiseAbs().maxCoeff();
  certificate.relative.dynamics = ratio(std::sqrt(impact.M.inverse_norm_squared(residual)), std::sqrt(2 * energy));
}

/// The terms that gamma+ is summed from: impulses of neighbours that cancel each other, and the speed that all the
/// energy exchanged could give a contact, because impulses are solved for together.
Vector terms_of_gamma_plus(const ContactProblem& problem, const ImpactOutcome& outcome, double exchanged) {
  const ImpactProblem& impact = *problem.impact;
  const auto terms = [&](const auto& W) -> Vector {
    const Vector moved = impact.M.solve(Vector(W * outcome.Lambda.cwiseAbs())).cwiseAbs();
    return W.transpose() * moved;
  };
  const Vector added = numerics::is_full(impact.W) ? terms(Matrix(numerics::dense_view(impact.W).cwiseAbs()))
                                                   : terms(SparseMatrix(impact.W.cwiseAbs()));
  return problem.gamma_terms + added +
         Vector(problem.G.diagonal()).cwiseMax(0).cwiseSqrt() * (kTogether * std::sqrt(exchanged));
}

/// The tangential impulse, as long as it would be along the first tangent with the same share of its friction.
double needed_along(const Contact& contact, const Vector& Lambda, Index row) {
  if (!contact.has_ellipse()) return Lambda.segment(row + 1, contact.tangents).norm();
  return std::hypot(Lambda[row + 1], Lambda[row + 2] * contact.mu / *contact.mu_2);
}

void judge_contacts(const ContactProblem& problem, const ImpactOutcome& outcome, const Claims& claims,
                    const Scales& scales, const Vector& terms, Certificate& certificate) {
  Certificate::Residuals absolute = certificate.absolute, relative = certificate.relative;
  relative.kinematic = relative.kinetic = relative.complementarity = 0;
  certificate.penetrating = certificate.pulling = -1;
  const bool tangents = problem.has_tangents();
  for (std::size_t i = 0; i < problem.row.size(); ++i) {
    const Index row = problem.row[i];
    const auto [speed, G] = Mobility(problem, outcome, row, scales.closing);
    const double Lambda = outcome.Lambda[row];
    const double gamma = outcome.gamma_plus[row] + (problem.has.gaps ? problem.contacts()[i].gap_rate : 0);

    const double rounding = kRounding * terms[row] + claims.accuracy * scales.closing;
    absolute.kinematic = std::max(absolute.kinematic, -gamma);
    if (const double depth = ratio(-gamma - rounding, speed); depth > relative.kinematic) {
      relative.kinematic = depth;
      if (depth > certificate.tolerance) certificate.penetrating = static_cast<int>(i);
    }

    double pull = std::max(0.0, -Lambda);
    if (tangents) {
      const Contact& contact = problem.contacts()[i];
      const bool in_cone = claims.friction || contact.mu > 0;  // where mu is given it counts
      const double mu = claims.sticking ? contact.static_friction() : contact.mu;
      if (in_cone && contact.tangents > 0)
        pull = std::max(pull, needed_along(contact, outcome.Lambda, row) - mu * Lambda);
    }
    absolute.kinetic = std::max(absolute.kinetic, pull);
    if (const double share = ratio(pull * G, speed); share > relative.kinetic) {
      relative.kinetic = share;
      if (share > certificate.tolerance) certificate.pulling = static_cast<int>(i);
    }

    if (claims.gamma_bound.size() == 0) continue;
    const double slack = gamma - claims.gamma_bound[i];
    const double extra = claims.Lambda_bound.size() > 0 ? Lambda - claims.Lambda_bound[i] : Lambda;
    absolute.complementarity = std::max(absolute.complementarity, std::abs(slack * extra));
    relative.complementarity =
        std::max(relative.complementarity, ratio(std::min(std::abs(slack) - rounding, std::abs(extra) * G), speed));
  }
  certificate.absolute = absolute;
  certificate.relative = relative;
}

void judge_energy(const Energy& energy, const Scales& scales, Certificate& certificate) {
  const double available = energy.before + energy.stored_before + energy.wall_work + energy.smooth_work;
  const double created = -energy.dissipated();
  certificate.absolute.energetic = std::max(0.0, created);
  certificate.absolute.ledger = std::abs(available - energy.after - energy.dissipated());
  certificate.relative.energetic =
      ratio(created - std::max(kRounding * scales.total, scales.rounding), scales.exchanged);
  certificate.relative.ledger = ratio(certificate.absolute.ledger - scales.rounding, scales.total);
}

}  // namespace

Certificate certify(const ContactProblem& problem, const ImpactOutcome& outcome, const Claims& claims) {
  Certificate certificate;
  const double accuracy = claims.accuracy <= kLeastAccuracy ? claims.accuracy : kLeastAccuracy;  // nor if it is none
  certificate.tolerance = std::max(kConsistencyTolerance, kAccuracyMargin * accuracy);
  const Scales scales(problem, outcome);
  const Vector& p = problem.impact->p;
  const double pushed = p.size() > 0 ? 0.5 * problem.impact->M.inverse_norm_squared(p) : 0;
  judge_dynamics(problem, outcome, scales.total + pushed, certificate);
  Claims limited = claims;
  limited.accuracy = accuracy;
  judge_contacts(problem, outcome, limited, scales, problem.gamma_terms, certificate);
  // What looks like a violation may be rounding where large impulses cancel: that is worth a second, more expensive
  // look.
  if (std::max(certificate.relative.kinematic, certificate.relative.complementarity) > certificate.tolerance)
    judge_contacts(problem, outcome, limited, scales, terms_of_gamma_plus(problem, outcome, scales.exchanged),
                   certificate);
  judge_energy(outcome.energy, scales, certificate);
  const Certificate::Residuals& relative = certificate.relative;
  certificate.consistent =
      outcome.solved() && std::max({relative.dynamics, relative.kinematic, relative.kinetic, relative.complementarity,
                                    relative.energetic, relative.ledger}) <= certificate.tolerance;
  return certificate;
}

}  // namespace carom
