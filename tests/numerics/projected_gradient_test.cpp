#include "numerics/projected_gradient.h"

#include <gtest/gtest.h>

#include <random>

namespace carom::numerics {
namespace {

/// A chain of contacts: tridiagonal, badly conditioned when it is long.
SparseMatrix chain(Index size) {
  SparseMatrix A(size, size);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < size; ++i) {
    entries.emplace_back(i, i, 2);
    if (i > 0) entries.emplace_back(i, i - 1, -1);
    if (i > 0) entries.emplace_back(i - 1, i, -1);
  }
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(ProjectedGradient, FindsTheExactAnswerToTheAccuracyAskedFor) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  const SparseMatrix A = chain(300);
  Vector q(300);
  for (double& entry : q) entry = any(random);
  const LcpSolution exact = solve_lcp(A, q);
  for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
    const LcpSolution found = projected_gradient(A, q, accuracy);
    ASSERT_EQ(found.status, LcpStatus::solved);
    EXPECT_LE((found.w - exact.w).cwiseAbs().maxCoeff(), 1e3 * accuracy) << accuracy;
    EXPECT_GE(found.x.minCoeff(), 0);
  }
}

TEST(ProjectedGradient, FollowsPermutationsAndUnits) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  const SparseMatrix A = chain(50);
  Vector q(50);
  for (double& entry : q) entry = any(random);
  const LcpSolution found = projected_gradient(A, q, 1e-8);
  const SparseMatrix reversed = Matrix(Matrix(A).reverse()).sparseView();
  const LcpSolution mirrored = projected_gradient(reversed, q.reverse(), 1e-8);
  EXPECT_LT((found.x - mirrored.x.reverse()).cwiseAbs().maxCoeff(), 1e-12);
  const LcpSolution scaled = projected_gradient(1e6 * A, 1e-3 * q, 1e-8);
  EXPECT_LT((1e9 * scaled.x - found.x).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ProjectedGradient, SaysWhenThereIsNoAnswer) {
  // Two contacts that pinch a body: x grows for ever.
  SparseMatrix A = Matrix(Matrix::Ones(2, 2)).sparseView();
  A.coeffRef(0, 1) = A.coeffRef(1, 0) = -1;
  EXPECT_EQ(projected_gradient(A, -Vector::Ones(2), 1e-6).status, LcpStatus::iteration_limit);
}

}  // namespace
}  // namespace carom::numerics
