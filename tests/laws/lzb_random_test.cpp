// LZB on random chains, clusters and mixes of parameters: every impact ends, is certified or says that it met a limit.

#include "random_problem.h"

namespace carom::testing {
namespace {

/// Masses and stiffnesses over six decades, any e, linear, Hertzian or mixed exponents, some contacts compressed.
ImpactProblem random_mix(Random& random) {
  const Kind kind = static_cast<Kind>(pick(random, 0, static_cast<Index>(Kind::most) - 1));
  ImpactProblem problem = random_problem(random, kind, 8);
  set_restitution(problem, random, random.uniform() < 0.3);
  const bool mixed = random.uniform() < 0.3;
  const double eta = random.uniform() < 0.5 ? 1.5 : 1;
  for (Contact& contact : problem.contacts) {
    contact.k = std::pow(10, between(random, -3, 3));
    contact.eta = mixed ? between(random, 1, 3) : eta;
    if (random.uniform() < 0.1) contact.E0 = random.uniform();
  }
  if (kind == Kind::chain) {
    Vector masses(problem.M.size());
    for (double& mass : masses) mass = std::pow(10, between(random, -3, 3));
    problem.M = MassMatrix::diagonal(masses);
  }
  return problem;
}

TEST(LzbOnRandomMixes, EndsCertifiedOrSaysWhyNot) {
  constexpr int kProblems = 120;
  constexpr double kTolerance = 1e-6;
  int solved = 0;
  for (int seed = 0; seed < kProblems; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const ImpactProblem problem = random_mix(random);
    for (const Lzb::Stiffness stiffness : {Lzb::Stiffness::bi, Lzb::Stiffness::mono}) {
      const ImpactOutcome outcome = solve(problem, Lzb{.stiffness = stiffness, .tolerance = kTolerance});
      ASSERT_TRUE(outcome.u_plus.allFinite() && outcome.Lambda.allFinite());
      EXPECT_LE(outcome.certificate.relative.dynamics, 1e-12);
      EXPECT_LE(outcome.certificate.relative.energetic, 10 * kTolerance);
      if (outcome.solved()) {
        ++solved;
        EXPECT_TRUE(outcome.certificate.consistent);
        EXPECT_LE(outcome.certificate.relative.ledger, 1e-12);
        EXPECT_GE(outcome.Lambda.minCoeff(), 0);
      } else {
        EXPECT_EQ(outcome.status, Status::iteration_limit);
        EXPECT_FALSE(outcome.message.empty());
        EXPECT_FALSE(outcome.certificate.consistent);
      }
    }
  }
  EXPECT_GE(solved, 2 * kProblems * 9 / 10);
}

}  // namespace
}  // namespace carom::testing
