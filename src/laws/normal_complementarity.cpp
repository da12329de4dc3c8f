#include "carom/laws/normal_complementarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "carom/numerics/cone_problem.h"
#include "carom/numerics/decompositions.h"
#include "carom/numerics/factored_lcp.h"
#include "carom/numerics/lcp.h"

namespace carom {
namespace {

constexpr double kHeldFast = 1e-10;       // of a normal: what joints leave of it is rounding
constexpr double kSolvedRow = 1e-12;      // of the terms of a velocity
constexpr double kClearlyClosing = 1e-6;  // the same: far above its rounding
constexpr Index kFewNormals = 200;        // whose factors are dense
constexpr Index kManyContacts = 1000;     // beyond them an approximate answer is not worth an exact one's cost

/// A step of many: it starts from the impulses of the one before, and an impulse shared by redundant contacts need not
/// be the smallest. Nothing if that does not succeed, unless less than all digits are asked for.
std::optional<Impulses> from_the_step_before(const ContactProblem& problem, const NormalProblem& normal,
                                             const Vector& rebound, double accuracy) {
  std::vector<numerics::FrictionCone> cones;
  for (Index i = 0; i < problem.size(); ++i) cones.push_back({.row = i});
  const Vector& guess = problem.options.guess;
  numerics::ConeSolution found =
      numerics::solve_cone_problem(normal.G(), normal.gamma_free + rebound, cones,
                                   {.terms = normal.gamma_terms + rebound.cwiseAbs(),
                                    .accuracy = accuracy,
                                    .guess = guess.size() > 0 ? Vector(guess(problem.row)) : Vector()});
  if (!found.solved && (accuracy == 0 || problem.size() <= kManyContacts)) return std::nullopt;
  Impulses impulses;
  // The solver's accuracy is relative to the terms that velocities are summed from.
  const double speed = std::max(normal.gamma_free.cwiseAbs().maxCoeff(), normal.gamma_minus.cwiseAbs().maxCoeff());
  const double together = speed > 0 ? std::max(1.0, normal.gamma_terms.maxCoeff() / speed) : 1;
  impulses.accuracy = together * std::max(accuracy, found.residual);
  impulses.residual = found.residual;
  impulses.cost.iterations = found.iterations;
  if (!found.solved) impulses.status = Status::iteration_limit;
  impulses.Lambda = normal.to_rows(std::move(found.x));
  impulses.unique.impulse = found.unique;
  return impulses;
}

}  // namespace

Matrix normal_factors(const ContactProblem& problem) {
  const ImpactProblem& impact = *problem.impact;
  Matrix V = impact.M.dense_half_solve(impact.W)(Eigen::all, problem.row);
  if (impact.J.cols() == 0) return V;
  const Matrix Q = numerics::PivotedQr(impact.M.dense_half_solve(impact.J)).range();
  const Vector before = V.colwise().norm();
  for (int pass = 0; pass < 2; ++pass) V -= Q * (Q.transpose() * V);
  for (Index i = 0; i < V.cols(); ++i)
    if (V.col(i).norm() <= kHeldFast * before[i]) V.col(i).setZero();
  return V;
}

/// Whether each row is solved by its own measure: a light body may be wrong altogether where heavy ones are right.
static bool is_solved_by_row(const SparseMatrix& G, const Vector& x, const Vector& w, const Vector& terms) {
  for (Index i = 0; i < x.size(); ++i) {
    if (w[i] > 0 && x[i] == 0) continue;
    double size = terms[i], own = 0;
    for (SparseMatrix::InnerIterator entry(G, i); entry; ++entry) {
      size += std::abs(entry.value() * x[entry.row()]);
      if (entry.row() == i) own = entry.value();
    }
    if (std::min(std::abs(w[i]), w[i] > 0 ? x[i] * own : HUGE_VAL) > kSolvedRow * size) return false;
  }
  return true;
}

numerics::LcpSolution solve_normals(const ContactProblem& problem, const NormalProblem& normal, const Vector& q,
                                    const Vector& terms) {
  numerics::LcpSolution lcp = numerics::solve_lcp(normal.G(), q, terms);
  const bool lost = lcp.status != numerics::LcpStatus::solved ||
                    numerics::is_ill_conditioned(normal.G(), terms, lcp.x) ||
                    !is_solved_by_row(normal.G(), lcp.x, lcp.w, terms);
  if (!lost || problem.size() > kFewNormals) return lcp;
  if (std::optional<numerics::LcpSolution> better = numerics::solve_factored_lcp(normal_factors(problem), q, terms))
    return *std::move(better);
  return lcp;
}

namespace {

/// One contact that is clearly closing needs no solver.
bool is_one_that_closes(const NormalProblem& normal, const Vector& q, const Vector& terms) {
  return q.size() == 1 && normal.G().coeff(0, 0) > 0 && q[0] < -kClearlyClosing * terms[0];
}

Impulses from_nothing(const ContactProblem& problem, const NormalProblem& normal, const Vector& rebound,
                      std::string_view law) {
  const Vector q = normal.gamma_free + rebound, terms = normal.gamma_terms + rebound.cwiseAbs();
  Impulses impulses;
  if (is_one_that_closes(normal, q, terms)) {
    impulses.cost.iterations = 1;
    impulses.Lambda = normal.to_rows(-q / normal.G().coeff(0, 0));
    return impulses;
  }
  numerics::LcpSolution lcp = solve_normals(problem, normal, q, terms);
  if (lcp.status == numerics::LcpStatus::infeasible) {
    impulses = contradiction(problem, lcp.ray, law);
    return impulses;
  }
  impulses.cost.iterations = lcp.iterations;
  if (lcp.status == numerics::LcpStatus::iteration_limit) impulses.status = Status::iteration_limit;
  impulses.Lambda = normal.to_rows(std::move(lcp.x));
  impulses.unique.impulse = lcp.unique;
  return impulses;
}

}  // namespace

Impulses impulses_of_rebound(const ContactProblem& problem, const NormalProblem& normal, Vector rebound,
                             std::string_view law) {
  const double accuracy = problem.options.accuracy;
  std::optional<Impulses> before;
  if (problem.size() > kFewNormals && (accuracy > 0 || problem.options.guess.size() > 0))
    before = from_the_step_before(problem, normal, rebound, accuracy);
  Impulses found = before ? *std::move(before) : from_nothing(problem, normal, rebound, law);
  if (found.status == Status::no_solution) return found;
  if (found.status == Status::iteration_limit)
    found.message =
        fmt::format("{}: the complementarity problem was not solved in {} linear solves", law, found.cost.iterations);
  rebound *= -1;
  found.gamma_bound = std::move(rebound);
  return found;
}

}  // namespace carom
