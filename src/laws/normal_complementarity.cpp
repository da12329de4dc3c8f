#include "laws/normal_complementarity.h"

#include <fmt/format.h>

#include <utility>

#include "numerics/lcp.h"
#include "numerics/projected_gradient.h"

namespace carom {
namespace {

constexpr Index kMany = 1000;  // contacts: up to so many are always solved exactly

}  // namespace

Impulses impulses_of_rebound(const ContactProblem& problem, const NormalProblem& normal, Vector rebound,
                             std::string_view law) {
  const double accuracy = problem.size() > kMany ? problem.impact->accuracy : 0;
  numerics::LcpSolution lcp =
      accuracy > 0
          ? numerics::projected_gradient(normal.G(), normal.gamma_free + rebound, accuracy)
          : numerics::solve_lcp(normal.G(), normal.gamma_free + rebound, normal.gamma_terms + rebound.cwiseAbs());
  if (lcp.status == numerics::LcpStatus::infeasible) return contradiction(problem, lcp.ray, law);
  Impulses impulses;
  impulses.accuracy = accuracy;
  if (lcp.status == numerics::LcpStatus::iteration_limit) {
    impulses.status = Status::iteration_limit;
    impulses.message =
        fmt::format("{}: the complementarity problem was not solved in {} linear solves", law, lcp.iterations);
  }
  impulses.Lambda = normal.to_rows(std::move(lcp.x));
  impulses.unique.impulse = lcp.unique;
  rebound *= -1;
  impulses.gamma_bound = std::move(rebound);
  impulses.cost.iterations = lcp.iterations;
  return impulses;
}

}  // namespace carom
