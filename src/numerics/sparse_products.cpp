#include "carom/numerics/sparse_products.h"

#include <algorithm>
#include <cassert>

namespace carom::numerics {

Vector product(const SparseMatrix& A, const Vector& x) {
  if (is_full(A)) return dense_view(A) * x;
  return A * x;
}

void subtract_product(Vector& y, const SparseMatrix& A, const Vector& x) {
  if (is_full(A))
    y.noalias() -= dense_view(A) * x;
  else
    y.noalias() -= A * x;
}

Vector transposed_product(const SparseMatrix& A, const Vector& x) {
  if (is_full(A)) return dense_view(A).transpose() * x;
  Vector y(A.cols());
  transposed_product(A, x, y);
  return y;
}

/// Three columns at a time: each sum has its terms in their order, and waits for the others' meanwhile.
void transposed_product(const SparseMatrix& A, const Vector& x, Vector& y) {
  assert(A.isCompressed());
  y.resize(A.cols());
  const int* const start = A.outerIndexPtr();
  const int* const row = A.innerIndexPtr();
  const double* const value = A.valuePtr();
  const double* const of = x.data();
  const auto add = [&](double& sum, int from, int to) {
    for (int k = from; k < to; ++k) sum += value[k] * of[row[k]];
  };
  Index j = 0;
  for (; j + 3 <= A.cols(); j += 3) {
    const int a = start[j], b = start[j + 1], c = start[j + 2], end = start[j + 3];
    const int common = std::min({b - a, c - b, end - c});
    double sum_a = 0, sum_b = 0, sum_c = 0;
    for (int k = 0; k < common; ++k) {
      sum_a += value[a + k] * of[row[a + k]];
      sum_b += value[b + k] * of[row[b + k]];
      sum_c += value[c + k] * of[row[c + k]];
    }
    add(sum_a, a + common, b);
    add(sum_b, b + common, c);
    add(sum_c, c + common, end);
    y[j] = sum_a;
    y[j + 1] = sum_b;
    y[j + 2] = sum_c;
  }
  for (; j < A.cols(); ++j) {
    double sum = 0;
    add(sum, start[j], start[j + 1]);
    y[j] = sum;
  }
}

}  // namespace carom::numerics
