#include "carom/numerics/sparse_products.h"

#include <gtest/gtest.h>

#include <limits>

namespace carom::numerics {
namespace {

/// 3 x 2; with a zero left out, or with every entry stored.
SparseMatrix sparse() {
  Matrix A(3, 2);
  A << 1, -2, 3, 0, -5, 6;
  return A.sparseView();
}
SparseMatrix full() {
  Matrix A(3, 2);
  A << 1, -2, 3, 7, -5, 6;
  return A.sparseView();
}

TEST(SparseProducts, AreTheDenseOnesWhateverThePattern) {
  const Vector x = Vector::LinSpaced(3, -1, 2), y = Vector::LinSpaced(2, 3, -1);
  EXPECT_FALSE(is_full(sparse()));
  EXPECT_TRUE(is_full(full()));
  for (const SparseMatrix& A : {sparse(), full()}) {
    const Matrix dense = A;
    EXPECT_TRUE(product(A, y).isApprox(dense * y));
    EXPECT_TRUE(transposed_product(A, x).isApprox(dense.transpose() * x));
    Vector rest = x;
    subtract_product(rest, A, y);
    EXPECT_TRUE(rest.isApprox(x - dense * y));
    for (Index j = 0; j < A.cols(); ++j) {
      const Sum sum = column_product(A, j, x);
      EXPECT_NEAR(sum.value, dense.col(j).dot(x), 1e-14);
      EXPECT_NEAR(sum.terms, dense.col(j).cwiseAbs().dot(x.cwiseAbs()), 1e-14);
    }
  }
}

/// Columns of unlike lengths, none among them.
TEST(SparseProducts, TransposedOnesTakeColumnsOfAnyLength) {
  const Index rows = 9;
  for (Index columns = 1; columns <= 8; ++columns) {
    Matrix dense = Matrix::Zero(rows, columns);
    for (Index j = 0; j < columns; ++j)
      for (Index i = 0; i < (5 * j) % rows; ++i) dense((3 * i + j) % rows, j) = 1.5 + static_cast<double>(i - 2 * j);
    const SparseMatrix A = dense.sparseView();
    const Vector x = Vector::LinSpaced(rows, -1, 2);
    Vector y = Vector::Constant(columns, 7);
    transposed_product(A, x, y);
    EXPECT_TRUE(y.isApprox(dense.transpose() * x) || y.isZero(0)) << columns;
  }
}

TEST(SparseProducts, AMatrixThatIsNotCompressedIsNotTakenForADenseOne) {
  SparseMatrix A = full();
  A.uncompress();
  EXPECT_FALSE(is_full(A));
  EXPECT_TRUE(product(A, Vector::Ones(2)).isApprox(Matrix(A) * Vector::Ones(2)));
}

TEST(AllFinite, SeesInfinityNanAndNothingElse) {
  const double infinity = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();
  Vector values = Vector::Constant(5, largest);
  EXPECT_TRUE(all_finite(values));
  EXPECT_TRUE(all_finite(Vector()));
  for (const double value : {infinity, -infinity, infinity - infinity}) {
    values[3] = value;
    EXPECT_FALSE(all_finite(values));
  }
}

}  // namespace
}  // namespace carom::numerics
