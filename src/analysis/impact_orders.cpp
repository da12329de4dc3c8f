#include "carom/analysis/impact_orders.h"

#include <algorithm>
#include <numeric>

namespace carom::analysis {
namespace {

constexpr double kCloses = 1e-12;           // of the terms a velocity is summed from: more than rounding
constexpr std::size_t kFreeImpacts = 16;    // of a course, whose order is chosen,
constexpr std::size_t kFreePerContact = 8;  // and so many more a contact

/// Contacts that close, the fastest first.
std::vector<Index> closing_by_speed(const ContactProblem& problem) {
  std::vector<Index> result;
  const auto speed = [&](Index i) { return -problem.gamma_free[problem.row[i]]; };
  for (Index i = 0; i < problem.size(); ++i)
    if (speed(i) > kCloses * problem.gamma_terms[problem.row[i]]) result.push_back(i);
  std::stable_sort(result.begin(), result.end(), [&](Index a, Index b) { return speed(a) > speed(b); });
  return result;
}

/// The impact of one contact as if the others were not there.
ImpactProblem only(const ImpactProblem& problem, const ContactProblem& reduced, Index i) {
  ImpactProblem result = problem;
  result.contacts = {problem.contacts[i]};
  std::vector<Index> rows(static_cast<std::size_t>(1 + problem.contacts[i].tangents));
  std::iota(rows.begin(), rows.end(), reduced.row[i]);
  result.W.resize(problem.W.rows(), static_cast<Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) result.W.col(static_cast<Index>(k)) = problem.W.col(rows[k]);
  if (problem.drift.size() > 0) result.drift = Vector(problem.drift(rows));
  return result;
}

}  // namespace

ImpactOutcome ImpactOrders::course(const std::function<std::size_t(std::size_t)>& choose) const {
  ImpactProblem now = problem_;
  for (std::size_t impact = 0; impact < kFreeImpacts + kFreePerContact * problem_.contacts.size(); ++impact) {
    const ContactProblem reduced = reduce(now);
    const std::vector<Index> closing = closing_by_speed(reduced);
    if (closing.empty()) break;
    const ImpactOutcome one = solve(only(now, reduced, closing[choose(closing.size())]), Sequential{});
    if (!one.solved()) return one;
    now.u_minus = one.u_plus;
    now.p.resize(0);  // it has acted
  }
  return solve(now, Sequential{});
}

std::vector<ImpactOutcome> ImpactOrders::all(std::size_t most) const {
  std::vector<ImpactOutcome> ends;
  std::vector<std::size_t> script, options;  // what to choose, and of how many, step by step
  do {
    if (ends.size() == most) return {};
    std::size_t step = 0;
    options.clear();
    ends.push_back(course([&](std::size_t count) {
      if (step == script.size()) script.push_back(0);
      options.push_back(count);
      return script[step++];
    }));
    script.resize(step);
    while (!script.empty() && script.back() + 1 == options[script.size() - 1]) script.pop_back();
    if (!script.empty()) ++script.back();
  } while (!script.empty());
  return ends;
}

}  // namespace carom::analysis
