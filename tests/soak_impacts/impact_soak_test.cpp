// A small share of ./check soak: random impacts, broader than mechanisms are, get answers that are what they claim.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "impact_judge.h"
#include "random_share.h"

namespace carom::soak {
namespace {

TEST(RandomImpacts, GetAnswersThatAreWhatTheyClaim) {
  int compared = 0, solved = 0, limits = 0, unended = 0, ordinary = 0;
  const int count = testing::share_of(1500);
  for (int seed = 1; seed <= count; ++seed) {
    const RandomImpact impact = random_impact(static_cast<std::uint64_t>(seed));
    if (has_path(impact.law) && impact.problem.contacts.size() > 6) continue;  // the long ones are for the soak
    const JudgedImpact judged = judge_impact(impact, seed % 4 == 0);
    EXPECT_EQ(judged.fault, "") << fmt::format("seed {} ({}, {})", seed, name_of(impact.law), impact.kind);
    compared += judged.compared;
    solved += judged.status == "solved";
    ordinary += impact.masses == Masses::ordinary;
    // One contact after the other need not end, whatever the effort; every other law has no such excuse.
    const bool may_go_on = name_of(impact.law) == "sequential" || name_of(impact.law) == "impulse-correlation";
    const bool limited = impact.masses == Masses::ordinary && judged.status == "iteration-limit";
    limits += limited && !may_go_on;
    unended += limited && may_go_on;
  }
  EXPECT_GT(solved, count / 2);
  EXPECT_GT(compared, count / 20);
  EXPECT_LE(limits, std::max(2, ordinary / 100));
  EXPECT_LE(unended, std::max(2, ordinary / 50));
}

/// In other numbers, units and mirror images they are the same where they say so, and no slow approach leads elsewhere.
TEST(RandomTangentialImpacts, GetAnswersThatAreWhatTheyClaim) {
  int compared = 0, moved = 0;
  const int count = testing::share_of(100);
  std::vector<int> seeds(static_cast<std::size_t>(count));
  std::iota(seeds.begin(), seeds.end(), 1);
  seeds.push_back(815);  // no start of the law's own leads elsewhere, and that proves nothing
  for (const int seed : seeds) {
    const RandomImpact impact = random_tangential_impact(static_cast<std::uint64_t>(seed));
    if (impact.problem.contacts.size() > 6) continue;
    const JudgedImpact judged = judge_impact(impact, true);
    EXPECT_EQ(judged.fault, "") << fmt::format("seed {} ({})", seed, impact.kind);
    compared += judged.compared;
    moved += judged.status == "solved" && solve(impact.problem, impact.law).Lambda.cwiseAbs().maxCoeff() > 0;
  }
  EXPECT_GT(compared, count / 2);
  EXPECT_GT(moved, count / 4);
}

TEST(RandomImpact, IsTheSameForTheSameSeed) {
  const RandomImpact one = random_impact(7), other = random_impact(7);
  EXPECT_EQ(one.kind, other.kind);
  EXPECT_EQ(one.law.index(), other.law.index());
  EXPECT_EQ(one.problem.u_minus, other.problem.u_minus);
}

/// The judge must see what it looks for: an answer to another problem is none to this.
TEST(RandomImpact, IsJudgedByOtherMeansThanTheCertificates) {
  int seen = 0;
  const int count = std::max(40, testing::share_of(200));
  for (int seed = 1; seed <= count; ++seed) {
    const RandomImpact impact = random_impact(static_cast<std::uint64_t>(seed));
    if (impact.problem.M.size() < 2 || has_path(impact.law)) continue;
    ImpactOutcome outcome;
    try {
      outcome = solve(impact.problem, impact.law);
    } catch (const InputError&) {
      continue;
    }
    if (!outcome.solved() || outcome.Lambda.cwiseAbs().maxCoeff() == 0) continue;
    outcome.u_plus[0] += 1e-3 * (std::abs(outcome.u_plus[0]) + impact.problem.u_minus.cwiseAbs().maxCoeff());
    seen += fault_of(impact, outcome).starts_with("momentum");
  }
  EXPECT_GT(seen, count / 4);
}

}  // namespace
}  // namespace carom::soak
