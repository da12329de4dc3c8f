// The cone complementarity problem: its equations checked by themselves, symmetry, degenerate contacts, no solution.

#include "carom/numerics/cone_problem.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "carom/numerics/cone_path.h"
#include "carom/numerics/disc_program.h"
#include "carom/numerics/lcp.h"
#include "random_problem.h"
#include "random_share.h"

namespace carom::testing {
namespace {

using numerics::ConeSolution;
using numerics::FrictionCone;

/// By how much x misses Coulomb's law, in the units of w.
double violation(const Matrix& A, const Vector& q, const std::vector<FrictionCone>& cones, const Vector& x) {
  const Vector w = A * x + q;
  double worst = 0;
  for (const FrictionCone& cone : cones) {
    const Index n = cone.row;
    const double G = A(n, n);
    worst = std::max({worst, -w[n], -(x[n] - cone.least) * G, std::min(w[n], (x[n] - cone.least) * G)});
    if (cone.tangents == 0) continue;
    const Vector along = x.segment(n + 1, cone.tangents), slip = w.segment(n + 1, cone.tangents);
    worst = std::max(worst, (along.norm() - cone.mu * x[n]) * G);
    if (slip.norm() > 0) {
      const double missing = (along + cone.mu * x[n] * slip.normalized()).norm() * G;
      worst = std::max(worst, std::min(missing, slip.norm()));
    }
  }
  return worst;
}

struct Case {
  Matrix A;
  Vector q;
  std::vector<FrictionCone> cones;
};

/// Contacts between random directions; with fewer unknowns than rows they are redundant.
Case random_case(Random& random, Index most) {
  const Index m = pick(random, 1, most), tangents = pick(random, 1, 2), rows = m * (1 + tangents);
  const Index n = pick(random, 2, rows + 4);
  const Matrix H = random_matrix(random, n, rows);
  Case result{H.transpose() * H, H.transpose() * random_matrix(random, n, 1), {}};
  for (Index i = 0; i < m; ++i)
    result.cones.push_back({.row = i * (1 + tangents),
                            .tangents = static_cast<int>(tangents),
                            .mu = random.uniform() < 0.1 ? 0 : 1.2 * random.uniform()});
  return result;
}

TEST(ConeProblem, RandomProblemsAreSolved) {
  for (int seed = 0; seed < share_of(2000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Case one = random_case(random, 12);
    const ConeSolution solution = numerics::solve_cone_problem(one.A.sparseView(), one.q, one.cones);
    ASSERT_TRUE(solution.solved) << solution.residual;
    EXPECT_LE(violation(one.A, one.q, one.cones, solution.x), 1e-9 * one.q.cwiseAbs().maxCoeff());
  }
}

/// Where neither gradients nor Newton's method from anywhere they lead to find a solution.
TEST(ConeProblem, ManyRedundantContactsAreSolved) {
  for (const std::uint64_t seed : {1001109, 1001172, 1002827}) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Case one = random_case(random, 60);
    const ConeSolution solution = numerics::solve_cone_problem(one.A.sparseView(), one.q, one.cones);
    ASSERT_TRUE(solution.solved) << solution.residual;
    EXPECT_LE(violation(one.A, one.q, one.cones, solution.x), 1e-9 * one.q.cwiseAbs().maxCoeff());
  }
}

/// Storeys of a tower: each body stands on the one below with more contacts than it has velocities.
TEST(ConeProblem, StoreysOfRedundantContactsAreSolvedInAnyOrder) {
  for (const Index storeys : {4, 12, 16}) {
    Random random(static_cast<std::uint64_t>(storeys));
    const Index contacts = 3 * storeys, rows = 3 * contacts;
    Matrix H = Matrix::Zero(6 * storeys, rows);
    for (Index storey = 0; storey < storeys; ++storey) {
      H.block(6 * storey, 9 * storey, 6, 9) = random_matrix(random, 6, 9);
      if (storey > 0) H.block(6 * storey - 6, 9 * storey, 6, 9) = random_matrix(random, 6, 9);
    }
    const Matrix A = H.transpose() * H;
    const Vector q = H.transpose() * random_matrix(random, 6 * storeys, 1);
    std::vector<FrictionCone> cones;
    for (Index i = 0; i < contacts; ++i)
      cones.push_back({.row = 3 * i, .tangents = 2, .mu = 0.3 + 0.05 * static_cast<double>(i % 7)});
    const ConeSolution found = numerics::solve_cone_problem(A.sparseView(), q, cones);
    ASSERT_TRUE(found.solved) << found.residual;
    EXPECT_LE(violation(A, q, cones, found.x), 1e-9 * q.cwiseAbs().maxCoeff());
    std::vector<FrictionCone> turned(cones.rbegin(), cones.rend());
    const ConeSolution other = numerics::solve_cone_problem(A.sparseView(), q, turned);
    ASSERT_TRUE(other.solved);
    EXPECT_LE((A * (found.x - other.x)).cwiseAbs().maxCoeff(), 1e-9 * q.cwiseAbs().maxCoeff());
  }
}

/// Its end misses the law by no more than the softness that it lends to the contacts.
TEST(ConePath, LeadsToASolutionByItself) {
  for (int seed = 0; seed < share_of(1000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    Case one = random_case(random, 12);
    one.A /= one.A.diagonal().mean();
    one.q /= one.q.cwiseAbs().maxCoeff();
    if (seed % 2 == 0)
      for (FrictionCone& cone : one.cones) cone.least = random.uniform() < 0.2 ? 0.3 * random.uniform() : 0;
    Vector end;
    EXPECT_TRUE(numerics::trace_cone_path(one.A, one.q, one.cones, [&](const Vector& x) {
      end = x;
      return violation(one.A, one.q, one.cones, x) <= 1e-6 * (1 + x.lpNorm<1>());
    })) << violation(one.A, one.q, one.cones, end);
  }
}

TEST(ConePath, HasNoEndWithoutASolution) {
  Matrix A(2, 2);  // two contacts that hold one body from both sides
  A << 1, -1, -1, 1;
  EXPECT_FALSE(numerics::trace_cone_path(A, vector({-1, -1}), {{.row = 0}, {.row = 1}},
                                         [](const Vector& x) { return x.cwiseAbs().maxCoeff() < 1e3; }));
}

TEST(ConeProblem, WithoutFrictionIsTheLcp) {
  for (int seed = 0; seed < share_of(200); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Case one = random_case(random, 10);
    for (FrictionCone& cone : one.cones) cone.mu = 0;
    const ConeSolution solution = numerics::solve_cone_problem(one.A.sparseView(), one.q, one.cones);
    ASSERT_TRUE(solution.solved);
    for (const FrictionCone& cone : one.cones) EXPECT_EQ(solution.x.segment(cone.row + 1, cone.tangents).norm(), 0);
  }
}

/// One contact in the plane: stick where the cone allows it, else slip.
TEST(ConeProblem, OneContactHasAClosedForm) {
  Matrix A(2, 2);
  A << 2, 0.5, 0.5, 1;
  for (const double slip : {-3.0, -0.6, 0.1, 0.2, 0.9, 4.0}) {
    const Vector q = vector({-1, slip});
    const double mu = 0.3;
    const ConeSolution solution =
        numerics::solve_cone_problem(A.sparseView(), q, {{.row = 0, .tangents = 1, .mu = mu}});
    Vector expected = A.ldlt().solve(-q);
    if (std::abs(expected[1]) > mu * expected[0]) {
      const double sign = expected[1] > 0 ? 1 : -1;
      const double normal = 1 / (A(0, 0) + sign * mu * A(0, 1));
      expected = vector({normal, sign * mu * normal});
    }
    EXPECT_VECTOR_NEAR(solution.x, expected, 1e-12);
  }
}

TEST(ConeProblem, ContactsThatContradictEachOtherAreNotSolved) {
  Matrix A(2, 2);  // two contacts that hold one body from both sides
  A << 1, -1, -1, 1;
  const ConeSolution solution = numerics::solve_cone_problem(A.sparseView(), vector({-1, -1}),
                                                             {{.row = 0, .tangents = 0}, {.row = 1, .tangents = 0}});
  EXPECT_FALSE(solution.solved);
}

/// A square table on four legs that slides along its diagonal: all legs alike carry a quarter.
TEST(ConeProblem, SymmetricRedundantContactsShareEqually) {
  Matrix W = Matrix::Zero(6, 12);
  Index column = 0;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      W.col(column++) << 0, 0, 1, y, -x, 0;
      W.col(column++) << 1, 0, 0, 0, 0, -y;
      W.col(column++) << 0, 1, 0, 0, 0, x;
    }
  const Vector u = vector({1, 1, -1, 0, 0, 0});
  std::vector<FrictionCone> cones;
  for (Index i = 0; i < 4; ++i) cones.push_back({.row = 3 * i, .tangents = 2, .mu = 0.2});
  const ConeSolution solution =
      numerics::solve_cone_problem((W.transpose() * W).sparseView(), W.transpose() * u, cones);
  ASSERT_TRUE(solution.solved);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(solution.x[3 * i], 0.25, 1e-9);
    EXPECT_NEAR(solution.x[3 * i + 1], -0.2 * 0.25 * std::sqrt(0.5), 1e-9);
    EXPECT_NEAR(solution.x[3 * i + 2], -0.2 * 0.25 * std::sqrt(0.5), 1e-9);
  }
}

/// Contacts in a row without friction: tridiagonal, badly conditioned when there are many.
Case frictionless_row(Index size, unsigned seed) {
  Random random(seed);
  Case result{Matrix::Zero(size, size), random_matrix(random, size, 1), {}};
  result.A.diagonal().setConstant(2);
  result.A.diagonal(1).setConstant(-1);
  result.A.diagonal(-1).setConstant(-1);
  for (Index i = 0; i < size; ++i) result.cones.push_back({.row = i});
  return result;
}

TEST(ConeProblem, FindsTheExactAnswerToTheAccuracyAskedFor) {
  const Case row = frictionless_row(300, 3);
  const numerics::LcpSolution exact = numerics::solve_lcp(row.A, row.q);
  for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
    const ConeSolution found =
        numerics::solve_cone_problem(row.A.sparseView(), row.q, row.cones, {.accuracy = accuracy});
    ASSERT_TRUE(found.solved);
    EXPECT_LE((found.w - exact.w).cwiseAbs().maxCoeff(), 1e3 * accuracy) << accuracy;
    EXPECT_GE(found.x.minCoeff(), 0);
  }
}

TEST(ConeProblem, AtSomeAccuracyFollowsPermutationsAndUnits) {
  const Case row = frictionless_row(50, 5);
  const auto solve = [&](const Matrix& A, const Vector& q) {
    return numerics::solve_cone_problem(A.sparseView(), q, row.cones, {.accuracy = 1e-8}).x;
  };
  const Vector x = solve(row.A, row.q);
  EXPECT_LT((solve(row.A.reverse(), row.q.reverse()).reverse() - x).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((1e9 * solve(1e6 * row.A, 1e-3 * row.q) - x).cwiseAbs().maxCoeff(), 1e-9);
}

/// From where it ended, a solver has nothing to do; from anywhere it finds the same velocities.
TEST(ConeProblem, AGuessLeadsToTheSameVelocities) {
  for (int seed = 0; seed < share_of(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Case row = frictionless_row(pick(random, 1, 200), static_cast<unsigned>(seed));
    const ConeSolution cold = numerics::solve_cone_problem(row.A.sparseView(), row.q, row.cones);
    const ConeSolution again = numerics::solve_cone_problem(row.A.sparseView(), row.q, row.cones, {.guess = cold.x});
    EXPECT_EQ(again.iterations, 0);
    const Vector anywhere = random_matrix(random, row.q.size(), 1);
    const ConeSolution warm = numerics::solve_cone_problem(row.A.sparseView(), row.q, row.cones, {.guess = anywhere});
    ASSERT_TRUE(warm.solved);
    EXPECT_LE((warm.w - cold.w).cwiseAbs().maxCoeff(), 1e-8 * row.q.cwiseAbs().maxCoeff());
  }
}

/// An answer says what found it, and an effort that is given is not exceeded.
TEST(ConeProblem, TellsTheMethodAndKeepsToTheEffort) {
  using numerics::ConeMethod;
  const Case row = frictionless_row(40, 2);
  const ConeSolution cold = numerics::solve_cone_problem(row.A.sparseView(), row.q, row.cones);
  EXPECT_EQ(cold.method, ConeMethod::newton);
  EXPECT_GT(cold.gradient_steps, 0);
  EXPECT_GT(cold.iterations, 0);
  EXPECT_EQ(word(cold.method), "newton");
  const ConeSolution again = numerics::solve_cone_problem(row.A.sparseView(), row.q, row.cones, {.guess = cold.x});
  EXPECT_EQ(again.method, ConeMethod::start);
  EXPECT_EQ(again.gradient_steps, 0);
  const ConeSolution briefly = numerics::solve_cone_problem(
      row.A.sparseView(), row.q, row.cones,
      {.effort = numerics::ConeEffort{.rounds = 1, .gradient_steps = 3, .linear_solves = 0, .rows_of_path = 0}});
  EXPECT_FALSE(briefly.solved);
  EXPECT_EQ(briefly.method, ConeMethod::gradients);
  EXPECT_LE(briefly.gradient_steps, 6);
  EXPECT_EQ(briefly.iterations, 0);
  Random random(1001109);
  const Case many = random_case(random, 60);
  EXPECT_EQ(numerics::solve_cone_problem(many.A.sparseView(), many.q, many.cones).method, ConeMethod::path);
}

/// Where nothing moves there is no scale to measure a guess by: it counts for nothing.
TEST(ConeProblem, WithoutVelocitiesAGuessIsNoAnswer) {
  const Case row = frictionless_row(3, 1);
  const ConeSolution solution = numerics::solve_cone_problem(row.A.sparseView(), Vector::Zero(3), row.cones,
                                                             {.accuracy = 1e-6, .guess = Vector::Ones(3)});
  EXPECT_TRUE(solution.solved);
  EXPECT_EQ(solution.x, Vector(Vector::Zero(3)));
}

TEST(DiscProgram, RandomProgramsAreSolved) {
  for (int seed = 0; seed < share_of(1000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Index blocks = pick(random, 1, 8);
    std::vector<numerics::Disc> discs;
    Index size = 0;
    for (Index i = 0; i < blocks; ++i) {
      const int width = random.uniform() < 0.5 ? 1 : 2;
      discs.push_back({size, width, std::exp(between(random, -6, 2))});
      size += width;
    }
    const Matrix H = random_matrix(random, pick(random, 1, size + 2), size);
    const Matrix A = H.transpose() * H;
    const Vector b = H.transpose() * random_matrix(random, H.rows(), 1);
    const numerics::DiscSolution best = numerics::solve_disc_program(A, b, discs);
    ASSERT_TRUE(best.solved);
    for (const numerics::Disc& disc : discs) {
      const Vector x = best.x.segment(disc.start, disc.size), slope = best.slope.segment(disc.start, disc.size);
      EXPECT_LE(x.norm(), disc.radius * (1 + 1e-12));
      const double along = (slope + slope.norm() / disc.radius * x).norm();  // 0 on the rim
      EXPECT_LE(std::min(slope.norm(), along), 1e-8 * b.norm());
    }
  }
}

}  // namespace
}  // namespace carom::testing
