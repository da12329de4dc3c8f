#include "carom/simulate/answer.h"

#include <algorithm>
#include <cmath>

#include "carom/laws/keller.h"
#include "carom/laws/newton.h"

namespace carom::simulate {
namespace {

constexpr double kSolvedWell = 1e-9;     // residuals below this are no matter, whatever was asked
constexpr double kTrusted = 1e-3;        // a best answer with a larger residual is worse than the next rung
constexpr int kSweeps = 200;             // of contacts one by one
constexpr std::size_t kFewToFollow = 4;  // contacts
constexpr double kSweptEnough = 1e-12;   // of the largest velocity: what a sweep may still change

bool has_answer(const ImpactOutcome& outcome) {
  return outcome.status != Status::no_solution && outcome.u_plus.size() > 0 && outcome.u_plus.allFinite();
}

/// How far an outcome is from its law: by its own word where the law is a system of equations, which may well
/// penetrate; by the certificate where an impact was not followed to its end.
double residual_of(const ImpactOutcome& outcome) {
  if (outcome.solved() || outcome.residual > 0) return outcome.residual;
  const Certificate::Residuals& missed = outcome.certificate.relative;
  return std::max({missed.kinematic, missed.kinetic, missed.complementarity});
}

/// A law may meet an impact in the middle of a run that is not of its kind: two contacts that close at once, say.
ImpactOutcome solve_by(const ImpactLaw& law, const ImpactProblem& problem, const SolveOptions& options) {
  try {
    return solve(problem, law, nullptr, options);
  } catch (const InputError& error) {
    ImpactOutcome none;
    none.law = name_of(law);
    none.message = error.rule;
    return none;
  }
}

/// The impulse of one contact that leaves it neither approaching nor, inside its cone, slipping; `gamma` are its
/// velocities with all impulses so far. Returns what is to be added.
Eigen::Vector3d local_impulse(const ContactProblem& problem, std::size_t i, const Vector& gamma, const Vector& Lambda) {
  const Index row = problem.row[i];
  const Contact& contact = problem.contacts()[i];
  const int rows = 1 + contact.tangents;
  Eigen::Vector3d change = Eigen::Vector3d::Zero();
  const double G = problem.G.coeff(row, row);
  if (!(G > 0)) return change;
  const double normal = std::max(0.0, Lambda[row] - gamma[row] / G);
  change[0] = normal - Lambda[row];
  if (rows == 1) return change;
  double along = 0;
  for (int t = 1; t < rows; ++t) along = std::max(along, problem.G.coeff(row + t, row + t));
  if (!(along > 0)) return change;
  Eigen::Vector2d wanted = Eigen::Vector2d::Zero();
  for (int t = 1; t < rows; ++t) wanted[t - 1] = Lambda[row + t] - gamma[row + t] / along;
  const Eigen::Vector2d round(wanted[0], contact.has_ellipse() ? wanted[1] * contact.mu / *contact.mu_2 : wanted[1]);
  if (const double most = contact.mu * normal, length = round.norm(); length > most) wanted *= most / length;
  for (int t = 1; t < rows; ++t) change[t] = wanted[t - 1] - Lambda[row + t];
  return change;
}

/// Gauss-Seidel over the contacts, plastic.
Answer one_by_one(const ImpactProblem& problem) {
  ContactProblem reduced = reduce(problem);
  Vector Lambda = Vector::Zero(reduced.gamma_free.size()), gamma = reduced.gamma_free;
  const double speed = std::max(gamma.cwiseAbs().maxCoeff(), reduced.gamma_minus.cwiseAbs().maxCoeff());
  double moved = 0;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    moved = 0;
    for (std::size_t i = 0; i < reduced.row.size(); ++i) {
      const Eigen::Vector3d change = local_impulse(reduced, i, gamma, Lambda);
      for (int t = 0; t <= reduced.contacts()[i].tangents; ++t) {
        if (change[t] == 0) continue;
        const Index row = reduced.row[i] + t;
        Lambda[row] += change[t];
        for (SparseMatrix::InnerIterator entry(reduced.G, row); entry; ++entry)
          gamma[entry.row()] += entry.value() * change[t];
        moved = std::max(moved, std::abs(reduced.G.coeff(row, row) * change[t]));
      }
    }
    if (moved <= kSweptEnough * speed) break;
  }
  Impulses impulses;
  impulses.Lambda = std::move(Lambda);
  impulses.residual = impulses.accuracy = speed > 0 ? moved / speed : 0;
  Answer result;
  result.outcome = judge(std::move(reduced), {"one by one", true, false}, std::move(impulses));
  result.rung = Rung::one_by_one;
  result.residual = std::max(result.outcome.residual, result.outcome.certificate.relative.kinematic);
  return result;
}

/// The law's own answer, good or not.
Answer by_law(const ImpactProblem& problem, const ImpactLaw& law, double accuracy, const SolveOptions& options) {
  Answer result{solve_by(law, problem, options), Rung::asked, 0};
  if (!has_answer(result.outcome)) return result;
  result.residual = residual_of(result.outcome);
  if (result.residual > std::max(accuracy, kSolvedWell)) result.rung = Rung::best_found;
  return result;
}

bool is_good_enough(const Answer& answer, double accuracy) {
  return has_answer(answer.outcome) && answer.residual <= std::max({accuracy, kSolvedWell, kTrusted});
}

}  // namespace

std::string_view to_string(Rung rung) {
  return words_of(rung)[static_cast<int>(rung)];
}

Answer answer(const ImpactProblem& problem, const ImpactLaw& law, double accuracy, const SolveOptions& options) {
  Answer found = by_law(problem, law, accuracy, options);
  if (is_good_enough(found, accuracy)) return found;
  found = plastic_answer(problem, accuracy, options);
  if (found.rung < Rung::plastic) found.rung = Rung::plastic;
  found.residual = 1;
  return found;
}

Answer plastic_answer(ImpactProblem problem, double accuracy, const SolveOptions& options) {
  for (Contact& contact : problem.contacts) {
    contact.e = 0;
    contact.e_of = nullptr;
  }
  Answer found = by_law(problem, Newton{}, accuracy, options);
  if (is_good_enough(found, accuracy)) return found;
  // Where friction jams, no impulses at once stop the approach, but a contact that is followed through the impact does.
  if (problem.contacts.size() <= kFewToFollow && problem.p.isZero(0)) {
    found = by_law(problem, Keller{}, accuracy, options);
    if (is_good_enough(found, accuracy)) return found;
  }
  return one_by_one(problem);
}

}  // namespace carom::simulate
