#include "carom/impact/round_cones.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

void require_known(const ImpactProblem& problem, bool knows, std::string_view law) {
  if (knows) return;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    if (const Contact& contact = problem.contacts[i]; contact.has_ellipse())
      throw InputError(fmt::format("contacts[{}].mu", i),
                       fmt::format("[{}, {}] depends on the direction; {} has one coefficient of friction (carom laws "
                                   "tells which read mu_2)",
                                   contact.mu, *contact.mu_2, law));
}

}  // namespace

void RoundCones::restore(Impulses& impulses, Path* path) const {
  const auto turn_back = [&](Vector& Lambda) {
    if (Lambda.size() == scale.size()) Lambda = Lambda.cwiseProduct(scale);
  };
  turn_back(impulses.Lambda);
  for (SolutionSet& set : impulses.solutions) {
    turn_back(set.Lambda);
    for (SolutionSet::Corner& corner : set.vertices) turn_back(corner.Lambda);
  }
  if (path == nullptr) return;
  for (Path::State& state : path->states) turn_back(state.Lambda);
}

std::optional<RoundCones> round_cones(const ImpactProblem& problem, const SolveOptions& options, bool friction,
                                      bool knows, std::string_view law) {
  const auto elliptic = [](const Contact& contact) { return contact.has_ellipse(); };
  if (!friction || problem.W.cols() == static_cast<Index>(problem.contacts.size())) return std::nullopt;  // no tangents
  if (std::none_of(problem.contacts.begin(), problem.contacts.end(), elliptic)) return std::nullopt;
  validate(problem);
  require_known(problem, knows, law);
  RoundCones result{problem, options, Vector::Ones(problem.W.cols())};
  Index row = 0;
  for (Contact& contact : result.problem.contacts) {
    if (contact.has_ellipse()) {
      const double mean = std::sqrt(contact.mu * *contact.mu_2);
      if (contact.mu_s) contact.mu_s = *contact.mu_s * (mean / contact.mu);
      result.scale[row + 1] = contact.mu / mean;
      result.scale[row + 2] = *contact.mu_2 / mean;
      contact.mu = mean;
      contact.mu_2 = std::nullopt;
    }
    row += 1 + contact.tangents;
  }
  result.problem.W = SparseMatrix(problem.W * result.scale.asDiagonal());
  if (problem.drift.size() > 0) result.problem.drift = problem.drift.cwiseProduct(result.scale);
  if (options.guess.size() > 0) result.options.guess = options.guess.cwiseQuotient(result.scale);
  return result;
}

}  // namespace carom
