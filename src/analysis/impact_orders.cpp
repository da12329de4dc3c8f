#include "carom/analysis/impact_orders.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/sparse_products.h"

namespace carom::analysis {
namespace {

constexpr double kCloses = 1e-12;           // of the terms a velocity is summed from: more than rounding
constexpr std::size_t kFreeImpacts = 16;    // of a course, whose order is chosen,
constexpr std::size_t kFreePerContact = 8;  // and so many more a contact

/// Normal velocities (m) and the size of the terms they are summed from.
struct Closing {
  std::vector<Index> row;
  Vector gamma, terms;

  /// Contacts that close, the fastest first.
  std::vector<Index> by_speed() const {
    std::vector<Index> result;
    for (Index i = 0; i < gamma.size(); ++i)
      if (-gamma[i] > kCloses * terms[i]) result.push_back(i);
    std::stable_sort(result.begin(), result.end(), [&](Index a, Index b) { return gamma[a] < gamma[b]; });
    return result;
  }
};

/// Before the first impact the smooth impulse and the joints act.
Closing closing_at_first(const ImpactProblem& problem) {
  const ContactProblem reduced = reduce(problem);
  return {reduced.row, reduced.gamma_free(reduced.row), reduced.gamma_terms(reduced.row)};
}

void follow_velocities(const ImpactProblem& problem, const Vector& u, Closing& closing) {
  for (Index i = 0; i < closing.gamma.size(); ++i) {
    const Index row = closing.row[i];
    const numerics::Sum sum = numerics::column_product(problem.W, row, u);
    const double offset = (problem.drift.size() > 0 ? problem.drift[row] : 0) + problem.contacts[i].gap_rate;
    closing.gamma[i] = sum.value + offset;
    closing.terms[i] = sum.terms + std::abs(offset);
  }
}

/// The impact of one contact as if the others were not there, from the velocities `u`.
ImpactProblem only(const ImpactProblem& problem, Index row, Index i, const Vector& u) {
  const Index rows = 1 + problem.contacts[i].tangents;
  ImpactProblem result;
  result.M = problem.M;
  result.W = problem.W.middleCols(row, rows);
  result.u_minus = u;
  if (problem.drift.size() > 0) result.drift = problem.drift.segment(row, rows);
  result.J = problem.J;
  result.contacts = {problem.contacts[i]};
  return result;
}

ImpactOutcome ended() {
  ImpactOutcome outcome;
  outcome.message = "it was told to stop";
  return outcome;
}

}  // namespace

ImpactOutcome ImpactOrders::course(const std::function<std::size_t(std::size_t)>& choose, const GoesOn& goes_on) const {
  ImpactProblem now = problem_;
  Closing closing = closing_at_first(problem_);
  const std::size_t most = kFreeImpacts + kFreePerContact * problem_.contacts.size();
  for (std::size_t impact = 0; impact < most; ++impact) {
    if (goes_on && !goes_on(static_cast<double>(impact) / static_cast<double>(most))) return ended();
    const std::vector<Index> next = closing.by_speed();
    if (next.empty()) break;
    const Index i = next[choose(next.size())];
    ImpactProblem one = only(problem_, closing.row[i], i, now.u_minus);
    one.p = now.p;
    const ImpactOutcome outcome = solve(one, Sequential{});
    if (!outcome.solved()) return outcome;
    now.u_minus = outcome.u_plus;
    now.p.resize(0);  // it has acted
    follow_velocities(problem_, now.u_minus, closing);
  }
  return solve(now, Sequential{});
}

std::vector<ImpactOutcome> ImpactOrders::all(std::size_t most, const GoesOn& goes_on) const {
  std::vector<ImpactOutcome> ends;
  std::vector<std::size_t> script, options;  // what to choose, and of how many, step by step
  bool stopped = false;
  const auto go_on = [&](double share) {
    stopped = goes_on && !goes_on((static_cast<double>(ends.size()) + share) / static_cast<double>(most));
    return !stopped;
  };
  do {
    if (ends.size() == most) return {};
    std::size_t step = 0;
    options.clear();
    ends.push_back(course(
        [&](std::size_t count) {
          if (step == script.size()) script.push_back(0);
          options.push_back(count);
          return script[step++];
        },
        go_on));
    if (stopped) return {};
    script.resize(step);
    while (!script.empty() && script.back() + 1 == options[script.size() - 1]) script.pop_back();
    if (!script.empty()) ++script.back();
  } while (!script.empty());
  return ends;
}

}  // namespace carom::analysis
