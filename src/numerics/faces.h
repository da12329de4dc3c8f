#pragma once

#include <memory>
#include <vector>

#include "carom/numerics/linear_algebra.h"
#include "carom/numerics/sparse_decompositions.h"

namespace carom::numerics {

/// Which unknowns of a complementarity problem are free (x > 0); the others are held at zero.
using Face = std::vector<char>;

/// Below this relative pivot a unit-diagonal matrix counts as singular.
inline constexpr double kPivotTolerance = 1e-13;

/// Solves with principal submatrices of one symmetric positive semidefinite matrix of unit diagonal.
class DenseFaces {
 public:
  explicit DenseFaces(const Matrix& A) : A_(A) {}

  Index size() const { return A_.rows(); }
  bool prefers_full_start() const { return false; }
  void multiply(const Vector& x, Vector& Ax) const { Ax.noalias() = A_.selfadjointView<Eigen::Lower>() * x; }

  /// x = -(A + shift)_FF^-1 q_F on the face, zero off it. False if the face is numerically singular.
  bool solve(const Face& face, double shift, const Vector& q, Vector& x);

  /// Factorizes A + diag(shifts), shifts > 0, and solves with it.
  bool factorize(const Vector& shifts);
  void substitute(const Vector& right, Vector& x);

 private:
  Eigen::Map<Matrix> factor(Index size);  // the factor's place, as close together as it can be

  const Matrix& A_;
  std::vector<Index> members_;
  Vector storage_, y_;
};

/// The same for a sparse matrix. The symbolic factorization is made once: rows off the face become rows of the
/// identity.
class SparseFaces {
 public:
  explicit SparseFaces(const SparseMatrix& A);

  Index size() const { return A_.rows(); }
  bool prefers_full_start() const { return true; }  // a front moves one contact a step from a sparse start
  void multiply(const Vector& x, Vector& Ax) const { Ax.noalias() = A_ * x; }
  bool solve(const Face& face, double shift, const Vector& q, Vector& x);
  bool factorize(const Vector& shifts);
  void substitute(const Vector& right, Vector& x);

 private:
  bool factorize_face(const Face& face, double shift);

  const SparseMatrix& A_;
  SparseMatrix work_;
  Face factored_face_;
  double factored_shift_ = -1;
  bool healthy_ = false;
  SparseCholesky factor_;
};

}  // namespace carom::numerics
