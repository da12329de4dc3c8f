#pragma once

#include "carom/numerics/cone_minimum.h"

namespace carom::numerics {

/// min x'Qx / x'Px over the cone B x >= 0 where its faces are too many to look at all of them: Q symmetric, P symmetric
/// positive definite.
class ConeDescent {
 public:
  ConeDescent(const Matrix& Q, const Matrix& P, const Matrix& B);

  /// Downhill from a point of the cone to one where the quotient does not fall into any direction: on the hull of the
  /// face the least eigenvector is the goal; a half-space on the way to it joins the face, one that holds back what
  /// would fall leaves it.
  ConeMinimum descend(const Vector& start);

  /// A number that the minimum is not below: the least eigenvalue of Q - B'NB, relative to P, for any N >= 0. N grows
  /// where the eigenvector violates two half-spaces in opposite senses, from none or from what is positive in Q.
  double lower_bound(int rounds) const;

  long eigenproblems() const { return eigenproblems_; }

 private:
  Matrix positive_entries() const;

  Matrix L_, Q_, B_;  // P = L L'; in coordinates in which P = 1, half-spaces with unit normals
  long eigenproblems_ = 0;
};

}  // namespace carom::numerics
