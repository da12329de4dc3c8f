#include "carom/numerics/decompositions.h"

#include <gtest/gtest.h>

#include "carom/numerics/sparse_decompositions.h"
#include "random_problem.h"

namespace carom::testing {
namespace {

using numerics::Cholesky;
using numerics::CompleteOrthogonal;
using numerics::FullLu;
using numerics::largest_singular;
using numerics::LargestSingular;
using numerics::least_squares;
using numerics::Lu;
using numerics::PivotedQr;
using numerics::solve_semidefinite;
using numerics::SparseCholesky;
using numerics::SparseLu;
using numerics::symmetric_spectrum;

/// A random matrix of that rank.
Matrix of_rank(Random& random, Index rows, Index cols, Index rank) {
  return random_matrix(random, rows, rank) * random_matrix(random, rank, cols);
}

TEST(Decompositions, DefiniteSystemsAreSolved) {
  Random random(1);
  const Matrix B = random_matrix(random, 7, 5), A = B.transpose() * B;
  const Vector b = random_matrix(random, 5, 1);
  const Cholesky factor(A);
  ASSERT_TRUE(factor.is_positive_definite());
  EXPECT_LT((factor.L() * factor.L().transpose() - A).norm(), 1e-13);
  EXPECT_LT((A * factor.solve(b) - b).norm(), 1e-11);
  EXPECT_LT((A * solve_semidefinite(A, b) - b).norm(), 1e-11);
  EXPECT_FALSE(Cholesky(-A).is_positive_definite());
  SparseCholesky sparse(A.sparseView());
  ASSERT_TRUE(sparse.factorize(A.sparseView()));
  EXPECT_GT(sparse.least_pivot(), 0);
  EXPECT_LT((A * sparse.solve(b) - b).norm(), 1e-11);
}

TEST(Decompositions, RanksAndKernelsAreFound) {
  Random random(2);
  const Matrix A = of_rank(random, 5, 6, 3);
  EXPECT_EQ(PivotedQr(A, 1e-11).rank(), 3);
  EXPECT_LT((PivotedQr(A, 1e-11).range().transpose() * PivotedQr(A, 1e-11).range() - Matrix::Identity(3, 3)).norm(),
            1e-14);
  const CompleteOrthogonal factor(A, 1e-11);
  const Matrix Z = factor.kernel();
  ASSERT_EQ(Z.cols(), 3);
  EXPECT_LT((A * Z).norm(), 1e-13);
  EXPECT_LT((Z.transpose() * Z - Matrix::Identity(3, 3)).norm(), 1e-14);
  EXPECT_LT((A * factor.pseudo_inverse() * A - A).norm(), 1e-12);
  FullLu lu(A);
  lu.set_threshold(1e-11);
  EXPECT_FALSE(lu.is_invertible());
  EXPECT_LT((A * lu.kernel()).norm(), 1e-12);
}

/// What inner loops use gives the same as what allocates.
TEST(Decompositions, SmallLeastSquaresAreThoseOfAnySize) {
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Index rows = pick(random, 1, 6), cols = pick(random, 1, 6);
    const Matrix A = of_rank(random, rows, cols, pick(random, 1, std::min(rows, cols)));
    const Vector b = random_matrix(random, rows, 1), x = CompleteOrthogonal(A, 1e-10).solve(b);
    EXPECT_LT((Vector(least_squares(A, b, 1e-10)) - x).norm(), 1e-9 * (1 + x.norm()));
  }
}

TEST(Decompositions, SpectraOfTwoRowsAreThoseOfAnySize) {
  Random random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Matrix B = random_matrix(random, 2, 2), A = B + B.transpose();
    const auto many = symmetric_spectrum(A);
    const auto two = symmetric_spectrum(Eigen::Matrix2d(A));
    EXPECT_EQ(Vector(two.values), many.values);
    EXPECT_EQ(Matrix(two.vectors), many.vectors);
  }
  EXPECT_EQ(symmetric_spectrum(Eigen::Matrix2d(Eigen::Matrix2d::Zero())).values, Eigen::Vector2d(0, 0));
}

TEST(Decompositions, TriangularFactorsTellTheSignOfTheDeterminant) {
  Random random(4);
  Matrix A = random_matrix(random, 4, 4);
  const Vector b = random_matrix(random, 4, 1);
  Lu lu(A);
  EXPECT_LT((A * lu.solve(b) - b).norm(), 1e-11);
  EXPECT_LT((A.transpose() * lu.solve_transposed(b) - b).norm(), 1e-11);
  EXPECT_FALSE(lu.is_singular(1e-13));
  A.row(0).swap(A.row(2));
  EXPECT_NE(Lu(A).has_positive_determinant(), lu.has_positive_determinant());
  const SparseLu sparse(A.sparseView(), 0.01);
  ASSERT_FALSE(sparse.is_singular());
  EXPECT_LT((A * sparse.solve(b) - b).norm(), 1e-11);
  A.row(0) = A.row(2);
  EXPECT_TRUE(Lu(A).is_singular(1e-13));
}

TEST(Decompositions, TheLargestSingularValueIsTheLargestStretch) {
  Random random(5);
  const Matrix A = random_matrix(random, 4, 4);
  const LargestSingular most = largest_singular(A);
  EXPECT_NEAR(most.direction.norm(), 1, 1e-14);
  EXPECT_NEAR((A * most.direction).norm(), most.value, 1e-13);
  for (int trial = 0; trial < 20; ++trial)
    EXPECT_LE((A * random_matrix(random, 4, 1).normalized()).norm(), most.value * (1 + 1e-14));
}

}  // namespace
}  // namespace carom::testing
