#pragma once

#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom {

/// The symmetric positive definite mass matrix M of a system: it multiplies and it solves.
/// Diagonal (point masses), block-diagonal (one block per body) or dense (minimal coordinates). The factorization is
/// made once, on construction. Every factory throws InputError naming the entry that breaks symmetry or definiteness.
class MassMatrix {
 public:
  MassMatrix() = default;  // no degrees of freedom
  static MassMatrix diagonal(Vector masses);
  static MassMatrix block_diagonal(const std::vector<Matrix>& blocks);
  static MassMatrix dense(const Matrix& M);

  Index size() const { return size_; }
  bool is_diagonal() const { return blocks_.empty(); }
  const Vector& masses() const { return diagonal_; }  // of a diagonal M; else empty

  Vector operator*(Vector u) const;                      // M u
  SparseMatrix operator*(const SparseMatrix& V) const;   // M V
  Vector solve(Vector p) const;                          // M^-1 p
  SparseMatrix solve(const SparseMatrix& W) const;       // M^-1 W, as sparse as the blocks allow
  SparseMatrix half_solve(const SparseMatrix& W) const;  // L^-1 W where M = L L'
  Matrix dense_half_solve(const SparseMatrix& W) const;  // the same, dense
  double kinetic_energy(const Vector& u) const;          // 1/2 u'Mu [J]
  double inverse_norm_squared(const Vector& p) const;    // p'M^-1 p, twice the energy of an impulse p [J]
  Matrix to_dense() const;

 private:
  struct Block {
    Index offset = 0;
    Matrix M, L;  // M = L L'
  };
  /// Applies `scale` to the entries of W, or `apply` to its parts in each block.
  template <class Scale, class Apply>
  SparseMatrix by_blocks(const SparseMatrix& W, Scale&& scale, Apply&& apply) const;

  Index size_ = 0;
  Vector diagonal_;            // used when there are no blocks
  std::vector<Block> blocks_;  // cover 0 .. size_ in order
  std::vector<Index> block_of_row_;
};

}  // namespace carom
