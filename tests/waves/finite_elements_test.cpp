// The implicit method converges to the waves.

#include "carom/waves/finite_elements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "random_share.h"
#include "rods_support.h"

namespace carom::waves {
namespace {

/// The largest error of mean velocities with n elements.
double velocity_error(const RodsProblem& problem, const RodsOutcome& exact, int n) {
  const RodsOutcome outcome = follow_elements(problem, {.elements = n}).outcome;
  double error = 0;
  for (std::size_t i = 0; i < exact.rods.size(); ++i)
    error = std::max(error, std::abs(outcome.rods[i].velocity - exact.rods[i].velocity));
  return error;
}

/// The slope of log(error) over log(n) through four meshes.
double order(const RodsProblem& problem) {
  const RodsOutcome exact = outcome_of(follow(problem));
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const std::vector<int> meshes = {50, 100, 200, 400, 800};
  for (const int n : meshes) {
    const double x = std::log(n), y = std::log(velocity_error(problem, exact, n));
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double count = static_cast<double>(meshes.size());
  return -(count * sxy - sx * sy) / (count * sxx - sx * sx);
}

TEST(RodElements, ConvergeWithTheOrderOfAFrontsWidth) {
  EXPECT_GT(order(two_rods(1, 2, 1, 8)), 0.7);
  EXPECT_GT(order({3, {plain_rod("bar", 1, 0, 1)}, {{"wall", 1}}}), 0.7);
  EXPECT_GT(order({6,
                   {rod_of("a", 1, 1, 1, 0, 1), rod_of("b", 1.37, 1.6, 1.2, 1.5), rod_of("c", 0.7, 2, 0.6, 4, -0.3)},
                   {{"w", -1}}}),
            0.7);
}

TEST(RodElements, SmoothWorkOfAForceConvergesFast) {
  RodsProblem problem{7.3, {rod_of("rod", 1.7, 0.8, 1.3, 0, -0.2)}, {}};
  problem.rods[0].forces = {{End::left, 0.3}};
  const RodsOutcome outcome = follow_elements(problem, {.elements = 40}).outcome;
  EXPECT_NEAR(outcome.rods[0].velocity, -0.2 + 0.3 * 7.3 / problem.rods[0].mass(), 1e-12) << "momentum is exact";
  EXPECT_LT(outcome.energy_error, 1e-12) << "the midpoint rule keeps quadratic energies";
}

TEST(RodElements, FieldsApproachTheExactOnes) {
  RodsProblem problem = two_rods(1, 2, 1, 1.5);
  const WaveHistory history = follow(problem);
  double before = 1;
  for (const int n : {50, 200, 800}) {
    const ElementsRun run = follow_elements(problem, {.elements = n});
    double error = 0;  // mean over the length
    for (int rod = 0; rod < 2; ++rod)
      for (const Piece& element : run.fields[rod])
        for (const Piece& piece : fields_at(history, rod, 1.5)) {
          const double width = std::min(piece.end, element.end) - std::max(piece.begin, element.begin);
          if (width > 0) error += width * std::abs(piece.velocity - element.velocity);
        }
    EXPECT_LT(error, 0.55 * before) << n;
    before = error;
  }
  EXPECT_LT(before, 0.03);
}

TEST(RodElements, RandomRodsComeNearTheExactAnswer) {
  const int count = testing::share_of(60);
  int near = 0;
  for (int seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const RodsProblem problem = random_rods(random, {.most_rods = 4, .duration = 5});
    const RodsOutcome exact = outcome_of(follow(problem));
    const RodsOutcome outcome = follow_elements(problem, {.elements = 300}).outcome;
    EXPECT_LT(outcome.energy_error, 0.05);
    double scale = 1e-3, error = 0;
    for (std::size_t i = 0; i < exact.rods.size(); ++i) {
      scale = std::max({scale, std::abs(problem.rods[i].velocity), std::abs(exact.rods[i].velocity)});
      error = std::max(error, std::abs(exact.rods[i].velocity - outcome.rods[i].velocity));
    }
    if (error < 0.02 * scale) ++near;
    EXPECT_LT(error, 0.2 * scale);
  }
  EXPECT_GE(near, 0.9 * count);
}

TEST(RodElements, EnergyNeverGrowsWhateverTheStep) {
  for (int seed = 0; seed < testing::share_of(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    RodsProblem problem = random_rods(random, {.duration = 20});
    for (Rod& rod : problem.rods)  // some of them far too stiff for the step
      if (random.uniform() < 0.3) rod.E *= 1e4;
    const RodsOutcome outcome = follow_elements(problem, {.elements = 10}).outcome;
    const double scale = std::max({outcome.energy_before, outcome.energy_after, std::abs(outcome.work)});
    EXPECT_LE(outcome.energy_after, outcome.energy_before + outcome.work + 1e-9 * scale);
  }
}

TEST(RodElements, AMirrorAndUnitsDoNotMatter) {
  const RodsProblem problem{5, {rod_of("a", 1, 1, 1, 0, 1), rod_of("b", 1.37, 1.6, 1.2, 1.5)}, {{"w", 4}}};
  RodsProblem other = problem;
  for (Rod& rod : other.rods) {
    rod.position = -1e3 * (rod.position + rod.length);
    rod.velocity *= -1e3;
    rod.length *= 1e3;
    rod.rho *= 1e-9;
    rod.area *= 1e6;
    rod.E *= 1e-3;
  }
  std::reverse(other.rods.begin(), other.rods.end());
  other.walls[0].position *= -1e3;
  const RodsOutcome a = follow_elements(problem, {.elements = 100}).outcome;
  const RodsOutcome b = follow_elements(other, {.elements = 100}).outcome;
  EXPECT_NEAR(a.rods[0].velocity, -1e-3 * b.rods[1].velocity, 1e-9);
  EXPECT_NEAR(a.contacts[0].impulse, 1e-3 * b.contacts[1].impulse, 1e-9);
}

TEST(RodElements, AnInstantIsNoTrouble) {
  const RodsOutcome outcome = follow_elements(two_rods(1, 2, 1, 1e-300), {.elements = 50}).outcome;
  EXPECT_TRUE(outcome.finished);
  EXPECT_NEAR(outcome.rods[0].velocity, 1, 1e-12);
  EXPECT_NEAR(outcome.rods[1].velocity, 0, 1e-12);
  EXPECT_LT(outcome.energy_error, 1e-12);
}

TEST(RodElements, ABudgetEndsTheWorkWithWhatIsKnown) {
  const ElementsRun run = follow_elements(two_rods(1, 2, 1, 8), {.elements = 100, .samples = 10, .most_work = 1e4});
  EXPECT_FALSE(run.outcome.finished);
  EXPECT_LT(run.outcome.reached, 8);
  EXPECT_GT(run.outcome.reached, 0);
  EXPECT_GE(run.samples.size(), 2U);
  EXPECT_THROW(follow_elements(two_rods(1, 2, 1, 8), {.elements = 1}), InputError);
}

}  // namespace
}  // namespace carom::waves
