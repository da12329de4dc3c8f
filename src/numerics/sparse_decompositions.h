#pragma once

#include <memory>

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// Sparse factorizations, compiled once for all of their users.

/// P A P' = L D L' for symmetric matrices of one pattern, of which the lower triangle is read; P keeps L sparse.
class SparseCholesky {
 public:
  explicit SparseCholesky(const SparseMatrix& pattern);
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;
  ~SparseCholesky();

  bool factorize(const SparseMatrix& A);  // false where a pivot is zero
  double least_pivot() const;             // the smallest entry of D
  Vector solve(const Vector& b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// P A Q = L U for a matrix of symmetric pattern.
class SparseLu {
 public:
  /// A pivot on the diagonal is taken where it is at least `diagonal` of the largest in its column.
  SparseLu(const SparseMatrix& A, double diagonal);
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;
  ~SparseLu();

  bool is_singular() const;
  double entries() const;  // of L and U
  Vector solve(const Vector& b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// Multiplications that factoring a symmetric matrix of this pattern takes, in an order of little fill.
double factorization_cost(const SparseMatrix& pattern);

}  // namespace carom::numerics
