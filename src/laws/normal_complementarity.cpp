#include "laws/normal_complementarity.h"

#include <fmt/format.h>

#include <utility>

#include "numerics/lcp.h"

namespace carom {

Impulses impulses_of_rebound(const ContactProblem& problem, const NormalProblem& normal, Vector rebound,
                             std::string_view law) {
  numerics::LcpSolution lcp =
      numerics::solve_lcp(normal.G(), normal.gamma_free + rebound, normal.gamma_terms + rebound.cwiseAbs());
  if (lcp.status == numerics::LcpStatus::infeasible) return contradiction(problem, lcp.ray, law);
  Impulses impulses;
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
