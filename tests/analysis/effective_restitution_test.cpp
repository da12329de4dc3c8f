// The restitution of a column as a whole.

#include "carom/analysis/effective_restitution.h"

#include <gtest/gtest.h>

#include "support.h"

namespace carom::testing {
namespace {

/// Balls that fall together onto a wall at their left.
ImpactProblem column(const Vector& masses, double v) {
  const Index n = masses.size();
  Matrix W = Matrix::Zero(n, n);
  W(0, 0) = 1;
  for (Index i = 1; i < n; ++i) {
    W(i - 1, i) = -1;
    W(i, i) = 1;
  }
  return problem(MassMatrix::diagonal(masses), W, Vector::Constant(n, -v), Vector::Constant(n, 0.7));
}

TEST(EffectiveRestitution, IsMomentumAfterOverMomentumBefore) {
  const ImpactProblem three = column(vector({1, 1, 1}), 2);
  EXPECT_NEAR(*effective_restitution(three, vector({0, 1, 3})), 4.0 / 6, 1e-15);
  EXPECT_NEAR(*effective_restitution(three, solve(three, Moreau{}).u_plus), 0.7, 1e-12) << "all bounce together";
}

TEST(EffectiveRestitution, IsTheImpulseOfTheWallOverTheMomentumLessOne) {
  const ImpactProblem problem = column(vector({1, 2, 0.5, 3}), 1.5);
  const ImpactOutcome outcome = solve(problem, Lzb{});
  EXPECT_NEAR(*effective_restitution(problem, outcome.u_plus), outcome.Lambda[0] / (6.5 * 1.5) - 1, 1e-12);
}

TEST(EffectiveRestitution, IsNotKnownOfOtherSystems) {
  EXPECT_FALSE(effective_restitution(chain(vector({1, 1, 1}), vector({1, 0, 0}), 1), vector({0, 0, 1})));
  EXPECT_FALSE(effective_restitution(table(vector({-1, 0, 0}), Vector::Zero(4)), vector({0, 0, 0})));
  EXPECT_FALSE(effective_restitution(column(vector({1, 1}), 0), vector({0, 0})));
}

}  // namespace
}  // namespace carom::testing
