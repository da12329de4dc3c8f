#pragma once

#include "carom/numerics/faces.h"

namespace carom::numerics {

/// Entries of a sparse matrix lie at most this far from its diagonal.
Index bandwidth(const SparseMatrix& A);

/// Faces of a matrix of narrow band, the Delassus matrix of a chain: one pass factorizes and substitutes, in memory
/// order.
class BandedFaces {
 public:
  explicit BandedFaces(const SparseMatrix& A);

  Index size() const { return size_; }
  bool prefers_full_start() const { return true; }
  void multiply(const Vector& x, Vector& Ax) const;
  bool solve(const Face& face, double shift, const Vector& q, Vector& x);
  bool factorize(const Vector& shifts);
  void substitute(const Vector& right, Vector& x);

 private:
  /// Solves (A + shifts) x = sign q on the rows where inside(i) holds, x = 0 elsewhere. False if a pivot is too small.
  template <class Inside, class Shift>
  bool run(Inside inside, Shift shift, double sign, const Vector& q, Vector& x);

  Index size_ = 0, width_ = 0;
  Vector band_;  // row i: A_ii, A_i,i-1, ... A_i,i-width
  Vector L_;     // row i: L_i,i-1, ... L_i,i-width
  Vector inverse_pivots_, shifts_;
};

}  // namespace carom::numerics
