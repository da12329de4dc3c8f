#include "numerics/dense_kernels.h"

#include <Eigen/Cholesky>

#include "random_problem.h"

namespace carom::numerics {
namespace {

TEST(DenseKernels, GramIsTheProduct) {
  Random random(41);
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {7, 8}, {8, 7}, {300, 17}, {513, 64}, {40, 129}}) {
    const Matrix X = testing::random_matrix(random, rows, cols);
    Matrix G = Matrix::Constant(cols, cols, 5);
    gram_lower(X, G);
    const Matrix expected = X.transpose() * X;
    const Matrix difference = (G - expected).triangularView<Eigen::Lower>();
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-12 * static_cast<double>(rows));
    if (cols > 1) {
      EXPECT_EQ(G(0, cols - 1), 5) << "the upper half is left alone";
    }
  }
}

TEST(DenseKernels, CholeskyIsEigensForEverySize) {
  Random random(42);
  for (const Index n : {1, 7, 8, 9, 63, 64, 65, 130, 200}) {
    const Matrix X = testing::random_matrix(random, n + 5, n);
    const Matrix A = X.transpose() * X;
    Matrix storage = Matrix::Constant(n + 3, n + 3, 7);  // a larger matrix around it stays as it was
    storage.topLeftCorner(n, n) = A;
    ASSERT_TRUE(cholesky_lower(storage.data(), n, n + 3, 0));
    const Matrix L = Matrix(A.llt().matrixL());
    const Matrix found = storage.topLeftCorner(n, n).triangularView<Eigen::Lower>();
    EXPECT_LE((found - L).norm(), 1e-9 * L.norm()) << n;
    EXPECT_EQ(storage(n, 0), 7);
    EXPECT_EQ(storage(n, n), 7);
  }
  Matrix singular = Matrix::Ones(100, 100);
  EXPECT_FALSE(cholesky_lower(singular.data(), 100, 100, 1e-12));
}

}  // namespace
}  // namespace carom::numerics
