// Newton's and Poisson's laws with Coulomb friction at many contacts: closed forms of one contact, and what must hold
// for every impact.

#include "random_friction.h"
#include "random_share.h"

namespace carom::testing {
namespace {

TEST(NewtonAndPoissonWithFriction, ASphereSlidesThroughOrStartsToRoll) {
  const double e = 0.6;
  const Vector u = vector({3, -4, -1, 0, 0, 0});
  for (const ImpactLaw& law : {ImpactLaw(Newton{}), ImpactLaw(Poisson{})}) {
    const ImpactOutcome slides = solve(sphere_on_floor(u, e, 0.1), law);
    EXPECT_VECTOR_NEAR(slides.tangential(slides.Lambda, 0), 0.1 * (1 + e) * vector({-0.6, 0.8}), 1e-11);
    EXPECT_TRUE(slides.certificate.consistent);
    const ImpactOutcome rolls = solve(sphere_on_floor(u, e, 5), law);
    EXPECT_VECTOR_NEAR(rolls.u_plus.head(2), 5.0 / 7 * u.head(2), 1e-11);
    EXPECT_NEAR(rolls.gamma_plus[0], e, 1e-11);
    EXPECT_TRUE(rolls.certificate.consistent);
  }
}

/// Where slip neither stops nor reverses Coulomb's law needs no history: newton, poisson and lzb agree.
TEST(NewtonAndPoissonWithFriction, AgreeWithLzbWhereASphereSlides) {
  const Vector u = vector({2, 1, -1, 0.5, -1, 3});
  const ImpactProblem problem = sphere_on_floor(u, 0.8, 0.05);
  const Vector expected = solve(problem, Lzb{}).u_plus;
  EXPECT_VECTOR_NEAR(solve(problem, Newton{}).u_plus, expected, 1e-9);
  EXPECT_VECTOR_NEAR(solve(problem, Poisson{}).u_plus, expected, 1e-9);
}

/// Columns of contact i and their order reversed.
ImpactProblem reversed(const ImpactProblem& planar) {
  ImpactProblem result = planar;
  const Index m = static_cast<Index>(planar.contacts.size());
  const Matrix W = planar.W;
  Matrix turned(W.rows(), W.cols());
  for (Index j = 0; j < m; ++j) turned.middleCols(2 * j, 2) = W.middleCols(2 * (m - 1 - j), 2);
  result.W = turned.sparseView();
  std::reverse(result.contacts.begin(), result.contacts.end());
  return result;
}

TEST(NewtonAndPoissonWithFriction, RandomImpactsFollowTheirLaws) {
  int solved = 0, unknown = 0;
  const int tries = share_of(1500);
  for (int seed = 0; seed < tries; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    ImpactProblem problem = random_planar(random, 6);
    const ImpactLaw law = seed % 2 == 0 ? ImpactLaw(Newton{}) : ImpactLaw(Poisson{});
    const ImpactOutcome outcome = solve(problem, law);
    if (!outcome.solved()) {  // redundant contacts with unequal e may have no solution
      EXPECT_FALSE(outcome.message.empty());
      continue;
    }
    ++solved;
    const Certificate::Residuals& relative = outcome.certificate.relative;
    EXPECT_LE(std::max({relative.dynamics, relative.kinetic, relative.complementarity, relative.ledger}), 1e-9);
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      const Index row = outcome.row[i];
      if (outcome.Lambda[row] <= 0 || seed % 2 != 0) continue;  // poisson's friction acts in both phases
      EXPECT_LE(outcome.Lambda[row + 1] * outcome.gamma_plus[row + 1], 1e-9 * problem.u_minus.squaredNorm());
    }
    const ImpactOutcome again = solve(reversed(problem), law);
    ASSERT_TRUE(again.solved());
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) problem.W.col(2 * static_cast<Index>(i) + 1) *= -1;
    const ImpactOutcome mirrored = solve(problem, law);
    ASSERT_TRUE(mirrored.solved());
    const auto known = [](const ImpactOutcome& one) { return one.unique.u_plus.is_known(); };
    if (!known(outcome) || !known(mirrored) || !known(again)) {  // contacts wedged in too many ways
      ++unknown;
      continue;
    }
    EXPECT_EQ(mirrored.unique.u_plus, outcome.unique.u_plus);
    EXPECT_EQ(again.unique.u_plus, outcome.unique.u_plus);
    EXPECT_VECTOR_NEAR(mirrored.u_plus, outcome.u_plus, 1e-7 * problem.u_minus.norm());
    EXPECT_VECTOR_NEAR(again.u_plus, outcome.u_plus, 1e-7 * problem.u_minus.norm());
  }
  EXPECT_GT(solved, 0.9 * tries);
  EXPECT_LE(unknown, 0.2 * tries);
}

/// A box with four corners on the floor and one e: it slides as one.
TEST(NewtonAndPoissonWithFriction, ABoxSlidesOnFourCorners) {
  Matrix W = Matrix::Zero(6, 12);
  Index column = 0;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      W.col(column++) << 0, 0, 1, y, -x, 0;
      W.col(column++) << 1, 0, 0, 0, 0.1, -y;
      W.col(column++) << 0, 1, 0, -0.1, 0, x;
    }
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(vector({1, 1, 1, 0.4, 0.4, 0.6}));
  problem.W = W.sparseView();
  problem.u_minus = vector({2, 0, -1, 0, 0, 0});
  problem.contacts.assign(4, {.name = "corner", .tangents = 2, .e = 0, .mu = 0.3});
  const ImpactOutcome outcome = solve(problem, Newton{});
  ASSERT_TRUE(outcome.solved());
  EXPECT_TRUE(outcome.certificate.consistent);
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({1.7, 0, 0, 0, 0, 0}), 1e-10);
  EXPECT_NEAR(outcome.Lambda[1] + outcome.Lambda[4] + outcome.Lambda[7] + outcome.Lambda[10], -0.3, 1e-10);
}

}  // namespace
}  // namespace carom::testing
