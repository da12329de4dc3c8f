#include "carom/numerics/sparse_products.h"

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
  return A.transpose() * x;
}

}  // namespace carom::numerics
