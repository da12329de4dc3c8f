#include "carom/numerics/dense_kernels.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "random_problem.h"
#include "random_share.h"

namespace carom::numerics {
namespace {

/// Every kernel that this machine can run.
class DenseKernels : public ::testing::TestWithParam<Vectors> {};
INSTANTIATE_TEST_SUITE_P(Vectors, DenseKernels, ::testing::ValuesIn(available_vectors()), [](const auto& vectors) {
  return vectors.param == Vectors::avx512 ? "avx512" : vectors.param == Vectors::avx2 ? "avx2" : "portable";
});

TEST_P(DenseKernels, GramIsTheProduct) {
  Random random(41);
  for (const auto& [rows, cols] :
       {std::pair<Index, Index>{1, 1}, {7, 8}, {8, 7}, {9, 16}, {300, 17}, {256, 31}, {513, 64}, {40, 129}}) {
    const Matrix X = testing::random_matrix(random, rows, cols);
    Matrix storage = Matrix::Constant(cols + 3, cols + 3, 5);  // a larger matrix around it stays as it was
    gram_lower(X, storage.topLeftCorner(cols, cols), GetParam());
    Matrix expected = Matrix::Constant(cols + 3, cols + 3, 5);
    expected.topLeftCorner(cols, cols).triangularView<Eigen::Lower>() = X.transpose() * X;
    EXPECT_LE((storage - expected).cwiseAbs().maxCoeff(), 1e-12 * static_cast<double>(rows)) << rows << " x " << cols;
    EXPECT_EQ(storage(0, cols), 5);
    EXPECT_EQ(storage(cols, 0), 5);
  }
}

TEST_P(DenseKernels, CholeskyIsEigensForEverySize) {
  Random random(42);
  const int largest = testing::share_of(100) == 100 ? 601 : 265;
  for (const Index n : {1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 130, 200, largest}) {
    const Matrix X = testing::random_matrix(random, n + 5, n);
    const Matrix A = X.transpose() * X;
    Matrix storage = Matrix::Constant(n + 3, n + 3, 7);
    storage.topLeftCorner(n, n).triangularView<Eigen::Lower>() = A;
    ASSERT_TRUE(cholesky_lower(storage.data(), n, n + 3, 0, GetParam()));
    Matrix expected = Matrix::Constant(n + 3, n + 3, 7);
    expected.topLeftCorner(n, n).triangularView<Eigen::Lower>() = Matrix(A.llt().matrixL());
    EXPECT_LE((storage - expected).norm(), 1e-9 * expected.norm()) << n;
    EXPECT_EQ(storage(n, 0), 7);
    EXPECT_EQ(storage(n, n), 7);
  }
}

TEST_P(DenseKernels, CholeskyRefusesASmallPivotWhereverItIs) {
  for (const Index n : {9, 20, 100})
    for (const Index last : {Index{1}, n / 2, n - 1}) {
      Matrix A = Matrix::Identity(n, n);
      A(last, 0) = 1;  // rows 0 and last are equal
      EXPECT_FALSE(cholesky_lower(A.data(), n, n, 1e-12, GetParam())) << n << " " << last;
    }
}

TEST_P(DenseKernels, SymmetricProductReadsTheLowerHalf) {
  Random random(43);
  for (Index n = 0; n < 70; ++n) {
    const Matrix X = testing::random_matrix(random, n, n);
    const Matrix A = X + X.transpose();
    Matrix lower = Matrix::Constant(n, n, std::nan(""));
    lower.triangularView<Eigen::Lower>() = A;
    const Vector x = testing::random_matrix(random, n, 1);
    Vector y;
    symmetric_product(lower, x, y, GetParam());
    EXPECT_LE((y - A * x).norm(), 1e-14 * static_cast<double>(n) * (1 + A.norm() * x.norm())) << n;
  }
}

TEST(DenseKernelsOfThisMachine, WidestIsAvailable) {
  EXPECT_EQ(available_vectors().front(), Vectors::portable);
  EXPECT_EQ(available_vectors().back(), widest_vectors());
}

}  // namespace
}  // namespace carom::numerics
