#include "carom/simulate/mode_search.h"

#include <gtest/gtest.h>

#include <random>

namespace carom::simulate::testing {
namespace {

/// Blocks in a row on a floor, each pushed and lifted by forces of its own, with springs of inertia between neighbours.
ForceProblem blocks_in_a_row(std::size_t count, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const Index rows = 2 * static_cast<Index>(count);
  Matrix L = Matrix::Zero(rows, rows);
  for (Index i = 0; i < rows; ++i) {
    L(i, i) = 1;
    for (Index j = std::max<Index>(0, i - 3); j < i; ++j) L(i, j) = 0.3 * number(random);
  }
  ForceProblem problem;
  problem.G = Matrix(L * L.transpose()).sparseView();
  problem.b = Vector::Zero(rows);
  for (Index i = 0; i < rows; ++i) problem.b[i] = i % 2 == 0 ? 2 * number(random) - 1 : number(random);
  problem.terms = Vector::Ones(rows);
  for (std::size_t i = 0; i < count; ++i) {
    problem.cones.push_back({.row = 2 * static_cast<Index>(i), .tangents = 1, .mu = 0.3, .least = 0, .slide = {}});
    if (i % 4 == 3) problem.cones.back().slide = {i % 8 == 3 ? 1.0 : -1.0, 0};
  }
  return problem;
}

/// What forces miss of the complementarity conditions.
double missed(const ForceProblem& problem, const Vector& lambda) {
  const Vector a = problem.G * lambda + problem.b;
  double most = 0;
  for (const numerics::FrictionCone& cone : problem.cones) {
    const Index N = cone.row, T = N + 1;
    most = std::max({most, -lambda[N], -a[N], std::abs(lambda[N] * a[N]), std::abs(lambda[T]) - cone.mu * lambda[N]});
    if (cone.slides()) {
      most = std::max(most, std::abs(lambda[T] + cone.mu * lambda[N] * cone.slide[0]));
    } else {
      const double inside = cone.mu * lambda[N] - std::abs(lambda[T]);
      most = std::max({most, std::abs(a[T]) * inside, a[T] * lambda[T]});
    }
  }
  return most;
}

TEST(ModeSearch, FromAllClosedItFindsForcesThatAllConditionsHoldFor) {
  std::mt19937 random(1);
  int found = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const ForceProblem problem = blocks_in_a_row(3 + static_cast<std::size_t>(trial) % 20, random);
    const auto forces = find_force_modes(problem, std::vector<ForceMode>(problem.cones.size()));
    if (!forces) continue;
    ++found;
    EXPECT_LT(missed(problem, forces->lambda), 1e-8);
    const auto again = find_force_modes(problem, forces->modes);
    ASSERT_TRUE(again);
    EXPECT_LT((again->lambda - forces->lambda).cwiseAbs().maxCoeff(), 1e-12);
  }
  EXPECT_GE(found, 190);
}

TEST(ModeSearch, ItAgreesWithTheIterationThatKnowsNoModes) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 30; ++trial) {
    const ForceProblem problem = blocks_in_a_row(8, random);
    const auto forces = find_force_modes(problem, std::vector<ForceMode>(problem.cones.size()));
    const FoundForces other = find_forces(problem);
    if (!forces || other.kind != FoundForces::Kind::found) continue;
    EXPECT_LT((forces->acceleration - other.acceleration).cwiseAbs().maxCoeff(), 1e-7);
  }
}

}  // namespace
}  // namespace carom::simulate::testing
