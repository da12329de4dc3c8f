#include "carom/numerics/lcp.h"

#include <gtest/gtest.h>  // before rapidcheck, which does not include it
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>

#include "numerics/lemke.h"
#include "random_problem.h"

namespace carom::numerics {
namespace {

using testing::between;
using testing::pick;
using testing::random_matrix;
using testing::solve_lemke;
using testing::vector;

/// How far x is from solving the problem, relative to q, in unknowns of unit diagonal.
double violation(const Matrix& A, const Vector& q, const Vector& x) {
  const Vector scale = unit_scale(A.diagonal()), w = A * x + q;
  double worst = 0;
  for (Index i = 0; i < q.size(); ++i) {
    const double unit_x = scale[i] > 0 ? x[i] / scale[i] : 0, unit_w = scale[i] * w[i];
    worst = std::max(worst, std::abs(std::min(unit_x, unit_w)));
  }
  return worst / scale.cwiseProduct(q).cwiseAbs().maxCoeff();
}

SparseMatrix chain_matrix(Index n) {
  SparseMatrix A(n, n);
  A.reserve(3 * n);
  for (Index j = 0; j < n; ++j) {
    A.startVec(j);
    if (j > 0) A.insertBack(j - 1, j) = -1;
    A.insertBack(j, j) = 2;
    if (j + 1 < n) A.insertBack(j + 1, j) = -1;
  }
  A.finalize();
  return A;
}

RC_GTEST_PROP(Lcp, DefiniteProblemsAgreeWithLemke, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Index n = pick(random, 1, 60);
  const Matrix W = random_matrix(random, n + pick(random, 1, n), n);
  const Matrix A = W.transpose() * W;
  const Vector q = random_matrix(random, n, 1) * std::exp(between(random, -20, 20));
  const LcpSolution solution = solve_lcp(A, q), lemke = solve_lemke(A, q);
  RC_ASSERT(solution.status == LcpStatus::solved);
  RC_ASSERT(solution.unique);
  RC_ASSERT(violation(A, q, solution.x) <= 1e-11);
  if (lemke.status != LcpStatus::solved) return;
  RC_ASSERT((solution.w - lemke.w).norm() <= 1e-8 * q.norm());
  const LcpSolution sparse = solve_lcp(SparseMatrix(A.sparseView()), q);
  RC_ASSERT((solution.x - sparse.x).norm() <= 1e-9 * solution.x.norm());
}

RC_GTEST_PROP(Lcp, SingularProblemsAreSolvedOrProvenInfeasible, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Index n = pick(random, 2, 40), rank = pick(random, 1, n - 1);
  Matrix W = random_matrix(random, rank, n);
  if (random.uniform() < 0.5) W.row(0) = W.row(0).cwiseAbs();  // then nothing is pinched
  const Matrix A = W.transpose() * W;
  const Vector q = random.uniform() < 0.5 ? Vector(W.transpose() * random_matrix(random, rank, 1))
                                          : Vector(random_matrix(random, n, 1));
  const LcpSolution solution = solve_lcp(A, q);
  if (solution.status == LcpStatus::infeasible) {  // Farkas: d >= 0, A d = 0, q'd < 0
    const Vector& d = solution.ray;
    RC_ASSERT(d.minCoeff() >= 0);
    RC_ASSERT((W * d).norm() <= 1e-6 * W.norm());
    RC_ASSERT(q.dot(d) < 0);
    return;
  }
  RC_ASSERT(solution.status == LcpStatus::solved);
  const double rounding = 1e-14 * solution.x.maxCoeff() * A.diagonal().maxCoeff() / q.cwiseAbs().maxCoeff();
  RC_ASSERT(violation(A, q, solution.x) <= 1e-9 + rounding);  // where contacts nearly pinch, x is large
}

RC_GTEST_PROP(Lcp, SparseProblemsAgreeWithDense, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Index n = pick(random, 50, 150);
  const SparseMatrix A = chain_matrix(n);
  Vector q(n);
  for (double& value : q) value = random.uniform() < 0.3 ? 0 : random.normal();
  const LcpSolution sparse = solve_lcp(A, q), dense = solve_lcp(Matrix(A), q);
  RC_ASSERT(sparse.status == LcpStatus::solved && dense.status == LcpStatus::solved);
  RC_ASSERT((sparse.x - dense.x).norm() <= 1e-9 * (1 + dense.x.norm()));
  RC_ASSERT(violation(Matrix(A), q, sparse.x) <= 1e-11);
}

TEST(Lcp, AllSubsetsOfASmallProblemAgree) {
  // Enumerates every face: the second way to the answer is exhaustive.
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 5;
    const Matrix W = random_matrix(random, 6, n), A = W.transpose() * W;
    const Vector q = random_matrix(random, n, 1);
    const LcpSolution solution = solve_lcp(A, q);
    int found = 0;
    for (int face = 0; face < 1 << n; ++face) {
      std::vector<Index> members;
      for (Index i = 0; i < n; ++i)
        if (face >> i & 1) members.push_back(i);
      Vector x = Vector::Zero(n);
      const Vector loaded = Matrix(A(members, members)).llt().solve(Vector(-q(members)));
      x(members) = loaded;
      const Vector w = A * x + q;
      if (x.minCoeff() < -1e-12 || w.minCoeff() < -1e-12) continue;
      ++found;
      EXPECT_LE((x - solution.x).norm(), 1e-10);
    }
    EXPECT_GE(found, 1);
  }
}

TEST(Lcp, RedundantUnknownsShareTheLoadEqually) {
  // Four legs of a table under a central load.
  Matrix W(3, 4);
  W << 1, 1, 1, 1, 1, 1, -1, -1, 1, -1, -1, 1;
  const Vector q = -W.transpose() * vector({1, 0, 0});
  const LcpSolution solution = solve_lcp(W.transpose() * W, q);
  ASSERT_EQ(solution.status, LcpStatus::solved);
  EXPECT_FALSE(solution.unique);
  EXPECT_LE((solution.x - Vector::Constant(4, 0.25)).norm(), 1e-14);
}

TEST(Lcp, LeastNormRespectsTheSigns) {
  // x1 - x2 is fixed by the rows, x3 adds to both; the unconstrained least norm would need a negative unknown.
  Matrix W(2, 4);
  W << 1, -1, 1, 0, 0, 0, 1, 1;
  const Matrix A = W.transpose() * W;
  const Vector q = -A * vector({0, 2, 0, 1});
  const LcpSolution solution = solve_lcp(A, q);
  ASSERT_EQ(solution.status, LcpStatus::solved);
  EXPECT_GE(solution.x.minCoeff(), 0);
  EXPECT_LE((A * solution.x + q).norm(), 1e-12);
  EXPECT_FALSE(solution.unique);
}

TEST(Lcp, PinchedUnknownsHaveNoSolution) {
  Matrix A(2, 2);
  A << 1, -1, -1, 1;
  const LcpSolution solution = solve_lcp(A, vector({-1, 0.5}));
  EXPECT_EQ(solution.status, LcpStatus::infeasible);
  EXPECT_LE((solution.ray - vector({1, 1})).norm(), 1e-6);
  EXPECT_EQ(solve_lemke(A, vector({-1, 0.5})).status, LcpStatus::infeasible);
}

TEST(Lcp, PinchedUnknownsInBalanceAreNotUnique) {
  Matrix A(2, 2);
  A << 1, -1, -1, 1;
  const LcpSolution solution = solve_lcp(A, vector({-1, 1}));
  ASSERT_EQ(solution.status, LcpStatus::solved);
  EXPECT_LE((solution.x - vector({1, 0})).norm(), 1e-14);
  EXPECT_FALSE(solution.unique) << "both may be pressed harder";
}

TEST(Lcp, RestingRedundantUnknownsAreUniquelyZero) {
  Matrix W(3, 4);
  W << 1, 1, 1, 1, 1, 1, -1, -1, 1, -1, -1, 1;
  const LcpSolution solution = solve_lcp(W.transpose() * W, Vector::Zero(4));
  ASSERT_EQ(solution.status, LcpStatus::solved);
  EXPECT_EQ(solution.x.norm(), 0);
  EXPECT_TRUE(solution.unique) << "the kernel has both signs";
}

TEST(Lcp, ZeroRowsAreBlocked) {
  Matrix A = Matrix::Zero(2, 2);
  A(0, 0) = 2;
  const LcpSolution free = solve_lcp(A, vector({-4, 3}));
  ASSERT_EQ(free.status, LcpStatus::solved);
  EXPECT_LE((free.x - vector({2, 0})).norm(), 1e-15);
  EXPECT_TRUE(free.unique);
  EXPECT_FALSE(solve_lcp(A, vector({-4, 0})).unique);
  EXPECT_EQ(solve_lcp(A, vector({-4, -1})).status, LcpStatus::infeasible);
}

TEST(Lcp, LongChainStruckAtOneEnd) {
  // x_i = 1 - (i + 1) / (n + 1): the closed form of the discrete Poisson equation.
  const Index n = 100000;
  Vector q = Vector::Zero(n);
  q[0] = -1;
  const LcpSolution solution = solve_lcp(chain_matrix(n), q);
  ASSERT_EQ(solution.status, LcpStatus::solved);
  for (const Index i : {Index{0}, n / 3, n - 1})
    EXPECT_NEAR(solution.x[i], 1 - static_cast<double>(i + 1) / static_cast<double>(n + 1), 1e-6) << "cond(A) is 4e9";
  EXPECT_LE(solution.w.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_TRUE(solution.unique);
}

TEST(Lcp, LongChainWithManyFronts) {
  Random random(3);
  const Index n = 20000;
  Vector q(n);
  for (double& value : q) value = random.normal() + 0.2;
  const LcpSolution solution = solve_lcp(chain_matrix(n), q);
  ASSERT_EQ(solution.status, LcpStatus::solved);
  EXPECT_GE(solution.x.minCoeff(), 0);
  EXPECT_GE(solution.w.minCoeff(), -1e-11);
  EXPECT_LE(solution.x.cwiseProduct(solution.w).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE(solution.iterations, 60);
}

TEST(Lcp, NothingToSolve) {
  EXPECT_EQ(solve_lcp(Matrix(0, 0), Vector()).status, LcpStatus::solved);
  const LcpSolution open = solve_lcp(Matrix::Identity(3, 3), vector({1, 2, 3}));
  EXPECT_EQ(open.x.norm(), 0);
}

}  // namespace
}  // namespace carom::numerics
