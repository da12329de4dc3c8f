#pragma once

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// Products of a sparse matrix and a vector by the arithmetic that its pattern allows: where every entry is stored, the
/// values alone are a dense matrix.

inline bool is_full(const SparseMatrix& A) {
  return A.isCompressed() && A.nonZeros() == A.rows() * A.cols();
}

/// The values of a full matrix.
inline Eigen::Map<const Matrix> dense_view(const SparseMatrix& A) {
  return {A.valuePtr(), A.rows(), A.cols()};
}

Vector product(const SparseMatrix& A, const Vector& x);                      // A x
Vector transposed_product(const SparseMatrix& A, const Vector& x);           // A'x
void transposed_product(const SparseMatrix& A, const Vector& x, Vector& y);  // y = A'x, in room that is there
void subtract_product(Vector& y, const SparseMatrix& A, const Vector& x);    // y -= A x

/// A sum and the size of its terms.
struct Sum {
  double value = 0, terms = 0;
};

/// Column j of A times x.
inline Sum column_product(const SparseMatrix& A, Index j, const Vector& x) {
  if (is_full(A)) {
    const auto terms = dense_view(A).col(j).cwiseProduct(x);
    return {terms.sum(), terms.cwiseAbs().sum()};
  }
  Sum sum;
  for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
    const double term = entry.value() * x[entry.row()];
    sum.value += term;
    sum.terms += std::abs(term);
  }
  return sum;
}

}  // namespace carom::numerics
