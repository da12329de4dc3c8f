// What answers claim: unique, not unique, not known, no solution; and ledgers and verdicts where little moves.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "carom/laws/all.h"
#include "carom/scene/json.h"
#include "carom/scene/problem_reader.h"
#include "random_friction.h"
#include "random_share.h"
#include "support.h"

namespace carom {
namespace {

using testing::share_of;
using testing::vector;

struct Solved {
  ImpactProblem problem;
  ImpactOutcome outcome;
};

Solved solved(const std::string& json, Others others = Others::counted) {
  const scene::ProblemFile file = scene::read_problem(scene::parse_json(json, "case.json"));
  SolveOptions options;
  options.others = others;
  return {file.problem, solve(file.problem, *file.law, nullptr, options)};
}

TEST(Uniqueness, TwoContactsAtOnePlaceShareFrictionInManyWays) {
  const ImpactOutcome outcome = solved(R"({"mass": [1, 1], "u": [2, -1], "law": "newton", "contacts": [
      {"normal": [0, 1], "tangents": [[1, 0]], "e": 0.5, "mu": 0},
      {"normal": [0, 1], "tangents": [[1, 0]], "e": 0.5, "mu": 0.5}]})",
                                       Others::listed)
                                    .outcome;
  EXPECT_TRUE(outcome.solved());
  EXPECT_TRUE(outcome.unique.u_plus.denied());
  EXPECT_TRUE(outcome.unique.impulse.denied());
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({1.25, 0.5}), 1e-12);  // the least energy
  ASSERT_EQ(outcome.solutions.size(), 1U);
  double least = 10, most = 0;
  for (const SolutionSet::Corner& corner : outcome.solutions[0].vertices) {
    least = std::min(least, corner.u_plus[0]);
    most = std::max(most, corner.u_plus[0]);
  }
  EXPECT_NEAR(least, 1.25, 1e-12);
  EXPECT_NEAR(most, 2, 1e-12);
}

/// A block on two corners that sticks: who carries what is determined, how friction is shared is not.
TEST(Uniqueness, AFlatBlockThatSticksHasOneNormalImpulseACorner) {
  for (const char* law : {"newton", "poisson"}) {
    const ImpactOutcome outcome =
        solved(fmt::format(R"({{"mass": [1, 1, 0.4], "u": [0.3, -1, 0], "law": "{}", "contacts": [
      {{"normal": [0, 1, 1], "tangents": [[1, 0, 0.5]], "e": 0, "mu": 0.9}},
      {{"normal": [0, 1, -1], "tangents": [[1, 0, 0.5]], "e": 0, "mu": 0.9}}]}})",
                           law))
            .outcome;
    ASSERT_TRUE(outcome.solved());
    EXPECT_TRUE(outcome.unique.u_plus) << law;
    EXPECT_TRUE(outcome.unique.impulse) << law;
    EXPECT_TRUE(outcome.unique.tangential_impulse.denied()) << law;
  }
}

/// Two walls that friction wedges a body between, thrown back by unequal restitution: no velocity satisfies both.
TEST(Uniqueness, AWedgeWithMuchFrictionHasNoAnswerUnderNewton) {
  const Solved wedge = solved(R"({"mass": [1, 1], "u": [-1, -0.9], "law": "newton", "contacts": [
      {"normal": [1, 0], "tangents": [[0, 1]], "e": 0.9, "mu": 1.5},
      {"normal": [0, 1], "tangents": [[1, 0]], "e": 0.1, "mu": 1.5}]})",
                              Others::listed);
  EXPECT_EQ(wedge.outcome.status, Status::no_solution) << wedge.outcome.message;
  EXPECT_EQ(wedge.outcome.u_plus.size(), 0);
}

/// A ball that rolls on a rough floor into a rough wall: Poisson's law lets it stop, or climb and come back.
TEST(Uniqueness, ABallInACornerMayStopOrComeBack) {
  constexpr double r = 0.038, m = 1.8, e = 0.63;
  const std::string corner =
      fmt::format(R"({{"mass": [{0}, {0}, {1}], "u": [2.2, 0, {2}], "law": "poisson", "contacts": [
      {{"name": "floor", "normal": [0, 1, 0], "tangents": [[1, 0, -{3}]], "e": {4}, "mu": 1.4}},
      {{"name": "wall", "normal": [-1, 0, 0], "tangents": [[0, 1, -{3}]], "e": {4}, "mu": 1.4}}]}})",
                  m, 0.4 * m * r * r, 2.2 / r, r, e);
  const ImpactOutcome outcome = solved(corner, Others::listed).outcome;
  ASSERT_TRUE(outcome.solved());
  EXPECT_TRUE(outcome.unique.u_plus.denied());
  EXPECT_VECTOR_NEAR(outcome.u_plus, Vector::Zero(3), 1e-9);  // the least energy
  bool stops = false, comes_back = false;
  for (const SolutionSet& set : outcome.solutions) {
    stops = stops || set.u_plus.cwiseAbs().maxCoeff() < 1e-9;
    // It sticks to the wall: 2.2 m/s in, e times that out, and what friction gives it upwards and takes of its spin.
    const double up = (2.2 / r) * 0.4 * r / 1.4;
    comes_back = comes_back || (std::abs(set.u_plus[0] + e * 2.2) < 1e-9 && std::abs(set.u_plus[1] - up) < 1e-9 &&
                                std::abs(set.u_plus[2] - up / r) < 1e-7);
  }
  EXPECT_TRUE(stops);
  EXPECT_TRUE(comes_back);
  EXPECT_TRUE(solved(corner).outcome.unique.u_plus.denied());
}

TEST(Uniqueness, OneSphereInSpaceIsUniqueAndFrictionOfManyIsNotKnown) {
  const ImpactOutcome sphere = solve(testing::sphere_on_floor(vector({2, 1, -1, 0.5, -1, 3}), 0.8, 0.3), Newton{});
  EXPECT_TRUE(sphere.unique.u_plus);
  EXPECT_TRUE(sphere.unique.impulse);
  Random random(3);
  const ImpactOutcome many = solve(testing::random_spatial(random, 4), Newton{});
  EXPECT_FALSE(many.unique.u_plus.is_known());
}

/// Under every order of contacts the same velocities, whatever is claimed, as long as something is.
TEST(Uniqueness, TheChoiceDoesNotDependOnTheOrderOfContacts) {
  int several = 0;
  const int tries = share_of(300);
  for (int seed = 0; seed < tries; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const ImpactProblem problem = testing::random_planar(random, 3);
    const ImpactLaw law = seed % 2 == 0 ? ImpactLaw(Newton{}) : ImpactLaw(Poisson{});
    const ImpactOutcome first = solve(problem, law);
    ImpactProblem turned = problem;
    const Index m = static_cast<Index>(problem.contacts.size());
    const Matrix W = problem.W;
    Matrix columns(W.rows(), W.cols());
    for (Index j = 0; j < m; ++j) columns.middleCols(2 * j, 2) = W.middleCols(2 * ((j + 1) % m), 2);
    turned.W = columns.sparseView();
    std::rotate(turned.contacts.begin(), turned.contacts.begin() + 1, turned.contacts.end());
    const ImpactOutcome other = solve(turned, law);
    ASSERT_EQ(first.status, other.status);
    if (!first.solved() || !first.unique.u_plus.is_known() || !other.unique.u_plus.is_known()) continue;
    EXPECT_EQ(bool(first.unique.u_plus), bool(other.unique.u_plus));
    several += first.unique.u_plus.denied() ? 1 : 0;
    EXPECT_VECTOR_NEAR(other.u_plus, first.u_plus, 1e-7 * problem.u_minus.norm());
  }
  EXPECT_GE(several, tries / 150);
}

TEST(Ledger, SmoothImpulsesAndJointsActBeforeALawThatFollowsTheImpact) {
  for (const char* law : {"lzb", "compliant", "keller"}) {
    const ImpactOutcome pushed =
        solved(
            fmt::format(R"({{"mass": [1], "u": [0], "p": [1], "contacts": [{{"normal": [-1], "e": 1}}], "law": "{}"}})",
                        law))
            .outcome;
    EXPECT_NEAR(pushed.energy.smooth_work, 0.5, 1e-12) << law;
    EXPECT_TRUE(pushed.certificate.consistent) << law;
    const ImpactOutcome jointed = solved(fmt::format(
                                             R"({{"mass": [1, 2], "u": [-1, 1], "joints": [[0, 1]], "law": "{}",
        "contacts": [{{"normal": [1, 0], "e": 0.5}}]}})",
                                             law))
                                      .outcome;
    EXPECT_NEAR(jointed.energy.dissipated_joints, 1, 1e-12) << law;
    EXPECT_TRUE(jointed.certificate.consistent) << law;
  }
}

TEST(Certificate, HasAFiniteToleranceWhereOnlyAWallMoves) {
  const ImpactOutcome outcome =
      solved(R"({"mass": [1, 1], "u": [0, 0], "law": {"name": "keller", "restitution": "stronge"},
    "contacts": [{"name": "3", "normal": [0, -1], "tangents": [[0, 1], [-1, -2]], "e": 0, "mu": 1, "drift": [0, 0, 1]},
                 {"name": "4", "normal": [-1, 0], "e": 0}]})")
          .outcome;
  EXPECT_LE(outcome.certificate.tolerance, 0.1);
  EXPECT_TRUE(outcome.certificate.consistent);
}

TEST(Certificate, SeesAnImpulseOutsideTheConeOfALawThatReadsNoMu) {
  const auto with_mu = [](double mu) {
    return solved(fmt::format(R"({{"mass": [1, 1], "u": [3, -1], "law": "tangential-restitution", "contacts": [
      {{"normal": [0, 1], "tangents": [[1, 0]], "e": 0.5, "e_t": 0.5, "mu": {}}}]}})",
                              mu))
        .outcome.certificate;
  };
  EXPECT_TRUE(with_mu(0).consistent);
  EXPECT_TRUE(with_mu(4).consistent);
  EXPECT_FALSE(with_mu(0.1).consistent);
}

TEST(TangentialRestitution, MomentsThatHoldEverythingExcludeAContact) {
  const std::string json = R"({"mass": [0.3, 0.4, 0.5], "u": [0, 1, 0],
    "contacts": [{"normal": [0, -1, 0], "tangents": [[0, 0, 1]], "e": 0}],
    "law": {"name": "tangential-restitution", "moment": [-0.7, -0.7, -0.7],
            "moment_directions": [[1.7, -0.9, -0.1], [1.4, -0.4, 0.4], [-2.4, 0.2, -1]]}})";
  EXPECT_EQ(solved(json).outcome.status, Status::no_solution);
}

TEST(MassRatios, AHeavyBodyOnALightOneIsSolved) {
  for (const char* law : {"newton", "moreau", "poisson"})
    for (const double heavy : {1e4, 1e8, 1e12}) {
      const ImpactOutcome outcome = solved(fmt::format(R"({{"mass": [1, {}], "u": [0, -1.7], "law": "{}", "contacts": [
        {{"normal": [1, 0], "e": 0.8}}, {{"normal": [-1, 1], "e": 0.8}}]}})",
                                                       heavy, law))
                                        .outcome;
      if (law == std::string("poisson")) continue;
      EXPECT_TRUE(outcome.solved()) << law << heavy;
      EXPECT_VECTOR_NEAR(outcome.u_plus, vector({0, 1.36}), 1e-12);
    }
}

}  // namespace
}  // namespace carom
