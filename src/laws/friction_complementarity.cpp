#include "laws/friction_complementarity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "numerics/cone_problem.h"
#include "numerics/lcp.h"

namespace carom {
namespace {

constexpr double kSolved = 1e-11;  // relative error of the velocities that the solver may leave without saying so
constexpr double kMargin = 10;     // of its residual

/// The answer where the equations could not be solved: because even without friction there is no solution, or not.
Impulses unsolved(const ContactProblem& problem, const Vector& q, const Vector& terms,
                  const numerics::ConeSolution& cone, std::string_view law) {
  const NormalProblem normal(problem);
  const numerics::LcpSolution frictionless =
      numerics::solve_lcp(normal.G(), Vector(q(problem.row)), Vector(terms(problem.row)));
  if (frictionless.status == numerics::LcpStatus::infeasible) return contradiction(problem, frictionless.ray, law);
  Impulses impulses;
  impulses.status = Status::iteration_limit;
  impulses.message =
      fmt::format("{}: the contacts' equations with friction are solved to {:.1g} only, after {} linear solves", law,
                  cone.residual, cone.iterations);
  return impulses;
}

}  // namespace

Impulses impulses_with_friction(const ContactProblem& problem, const Vector& gamma_free, const Vector& gamma_terms,
                                const Vector& rebound, const Vector& least, std::string_view law) {
  std::vector<numerics::FrictionCone> cones;
  cones.reserve(problem.row.size());
  Vector q = gamma_free, terms = gamma_terms;
  for (std::size_t i = 0; i < problem.row.size(); ++i) {
    const Contact& contact = problem.contacts()[i];
    const Index c = static_cast<Index>(i);
    cones.push_back({problem.row[i], contact.tangents, contact.mu, least.size() > 0 ? least[c] : 0});
    q[problem.row[i]] += rebound[c];
    terms[problem.row[i]] += std::abs(rebound[c]);
  }
  const double accuracy = problem.options.accuracy;
  // What a step before carried is of the first phase: a second one that began with it as well would double it from step
  // to step where contacts can press each other (a ladder between floor and wall).
  const Vector guess = least.size() > 0 ? Vector() : problem.options.guess;
  numerics::ConeSolution cone = numerics::solve_cone_problem(problem.G, q, cones, terms, accuracy, guess);
  Impulses impulses;
  if (!cone.solved) impulses = unsolved(problem, q, terms, cone, law);
  if (impulses.status == Status::no_solution) return impulses;
  // The solver's accuracy is relative to the terms that velocities are summed from, along the contacts as well: bodies
  // that move together, or slip fast, have large ones. What is claimed is relative to the normal velocities.
  const double speed = std::max(Vector(q(problem.row)).cwiseAbs().maxCoeff(),
                                Vector(problem.gamma_minus(problem.row)).cwiseAbs().maxCoeff());
  const double together = speed > 0 ? std::max(1.0, terms.maxCoeff() / speed) : 1;
  impulses.accuracy = std::max(kSolved, together * std::max(accuracy, kMargin * cone.residual));
  impulses.residual = cone.residual;
  impulses.Lambda = std::move(cone.x);
  impulses.unique.impulse = impulses.unique.tangential_impulse = cone.unique;
  impulses.gamma_bound = -rebound;
  if (least.size() > 0) impulses.Lambda_bound = least;
  impulses.cost.iterations = cone.iterations;
  return impulses;
}

}  // namespace carom
