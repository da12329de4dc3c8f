// LZB on random chains, clusters and mixes of parameters: every impact ends, is certified or says that it met a limit.
//   CAROM_LZB_MIXES=10000 carom_tests --gtest_filter='LzbOnRandomMixes.*'      about five minutes
// draws as many; without the variable a few.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "random_problem.h"
#include "random_share.h"

namespace carom::testing {
namespace {

/// Masses and stiffnesses from 1e-6 to 1e6, any e, linear, Hertzian or mixed exponents, some contacts compressed.
ImpactProblem random_mix(Random& random) {
  const auto any_size = [&] { return std::pow(10, between(random, -6, 6)); };
  const Kind kind = static_cast<Kind>(pick(random, 0, static_cast<Index>(Kind::most) - 1));
  ImpactProblem problem = random_problem(random, kind, 8);
  set_restitution(problem, random, random.uniform() < 0.3);
  const bool mixed = random.uniform() < 0.3;
  const double eta = random.uniform() < 0.5 ? 1.5 : 1;
  for (Contact& contact : problem.contacts) {
    contact.k = any_size();
    contact.eta = mixed ? between(random, 1, 3) : eta;
    if (random.uniform() < 0.1) contact.E0 = random.uniform();
  }
  if (kind == Kind::chain) {
    Vector masses(problem.M.size());
    for (double& mass : masses) mass = any_size();
    problem.M = MassMatrix::diagonal(masses);
    if (random.uniform() < 0.5) problem.u_minus = Vector::Unit(masses.size(), 0);
  }
  return problem;
}

int number_of_mixes() {
  const char* given = std::getenv("CAROM_LZB_MIXES");
  return given != nullptr ? std::atoi(given) : std::max(4, carom::testing::share_of(80));
}

TEST(LzbOnRandomMixes, EndsCertifiedOrSaysWhyNot) {
  constexpr double kTolerance = 1e-6;
  const int mixes = number_of_mixes();
  int solved = 0, collapsed = 0;
  double slowest = 0;
  for (int seed = 0; seed < mixes; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const ImpactProblem problem = random_mix(random);
    const Lzb::Stiffness stiffness = random.uniform() < 0.5 ? Lzb::Stiffness::bi : Lzb::Stiffness::mono;
    const ImpactOutcome outcome = solve(problem, Lzb{.stiffness = stiffness, .tolerance = kTolerance});
    slowest = std::max(slowest, outcome.cost.seconds);
    ASSERT_TRUE(outcome.u_plus.allFinite() && outcome.Lambda.allFinite());
    EXPECT_LE(outcome.certificate.relative.dynamics, 1e-12);
    EXPECT_LE(outcome.certificate.relative.energetic, 10 * kTolerance);
    if (outcome.solved()) {
      ++solved;
      collapsed += outcome.history->collapsed;
      EXPECT_TRUE(outcome.certificate.consistent);
      EXPECT_LE(outcome.certificate.relative.ledger, kTolerance);
      EXPECT_GE(outcome.Lambda.minCoeff(), 0);
    } else {
      EXPECT_EQ(outcome.status, Status::iteration_limit);
      EXPECT_FALSE(outcome.message.empty());
      EXPECT_FALSE(outcome.certificate.consistent);
    }
  }
  EXPECT_GE(solved, mixes * 4 / 5);
  fmt::print("{} mixes: {} solved, {} of them collapsed, {} at the limit of steps; the slowest took {:.2f} s\n", mixes,
             solved, collapsed, mixes - solved, slowest);
}

}  // namespace
}  // namespace carom::testing
