#pragma once

#include <memory>

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// Dense factorizations, compiled once for all of their users. A right-hand side is a vector or a matrix of columns;
/// an expression is evaluated by the caller.

/// A = L L' for a symmetric A, of which the lower triangle is read. Copies are independent.
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const Matrix& A);

  bool is_positive_definite() const { return positive_; }
  double least_pivot() const;  // the smallest squared entry of L's diagonal
  double determinant() const;  // of A; 0 if it is not positive definite
  Matrix L() const;            // zero above the diagonal
  Vector solve(const Vector& b) const;

 private:
  Matrix L_;  // what stands above the diagonal is of no meaning
  bool positive_ = false;
};

/// The solution of A x = b for a symmetric semidefinite A, of which the lower triangle is read: L D L' with pivots.
Vector solve_semidefinite(const Matrix& A, const Vector& b);

/// Eigenvalues, ascending, and orthonormal eigenvectors of a symmetric A, of which the lower triangle is read.
template <class Values, class Vectors>
struct SpectrumOf {
  Values values;
  Vectors vectors;
};
SpectrumOf<Vector, Matrix> symmetric_spectrum(const Matrix& A);
SpectrumOf<Eigen::Vector2d, Eigen::Matrix2d> symmetric_spectrum(const Eigen::Matrix2d& A);
Eigen::Vector3d symmetric_eigenvalues(const Eigen::Matrix3d& A);

/// The largest singular value of A and the unit vector that A lengthens by it.
struct LargestSingular {
  double value = 0;
  Vector direction;
};
LargestSingular largest_singular(const Matrix& A);

/// Pivots below this part of the largest count as zero; the default is rounding times the smaller size of A.
class RankThreshold {
 public:
  RankThreshold() = default;
  RankThreshold(double part) : part_(part) {}
  bool is_default() const { return part_ < 0; }
  double part() const { return part_; }

 private:
  double part_ = -1;
};

/// A P = Q R with column pivots: a rank, a solution of A x = b in the least squares of A x - b, of which there may be
/// many.
class PivotedQr {
 public:
  explicit PivotedQr(const Matrix& A, RankThreshold threshold = {});
  PivotedQr(PivotedQr&&) noexcept;
  PivotedQr& operator=(PivotedQr&&) noexcept;
  ~PivotedQr();

  Index rank() const;
  Vector solve(const Vector& b) const;
  Matrix range() const;  // orthonormal columns that span those of A

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// A P = Q T Z with column pivots: of the solutions of A x = b in least squares, the one of least norm.
class CompleteOrthogonal {
 public:
  explicit CompleteOrthogonal(const Matrix& A, RankThreshold threshold = {});
  CompleteOrthogonal(CompleteOrthogonal&&) noexcept;
  CompleteOrthogonal& operator=(CompleteOrthogonal&&) noexcept;
  ~CompleteOrthogonal();

  Index rank() const;
  Vector solve(const Vector& b) const;
  Matrix kernel() const;  // orthonormal columns x with A x = 0
  Matrix pseudo_inverse() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// The same solution where inner loops need it, for up to six rows and columns: nothing is allocated.
using MatrixUpTo6 = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
using VectorUpTo6 = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
VectorUpTo6 least_squares(const MatrixUpTo6& A, const VectorUpTo6& b, RankThreshold threshold = {});

/// P A = L U with row pivots, for a square A that is not singular.
class Lu {
 public:
  Lu();
  explicit Lu(const Matrix& A);
  Lu(Lu&&) noexcept;
  Lu& operator=(Lu&&) noexcept;
  ~Lu();

  void compute(const Matrix& A);  // in the memory of the factors before, where it is large enough
  Vector solve(const Vector& b) const;
  Matrix solve(const Matrix& B) const;
  Vector solve_transposed(const Vector& b) const;
  bool is_singular(double part) const;  // a pivot is at most this part of the largest
  bool has_positive_determinant() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// P A Q = L U with row and column pivots, for any A.
class FullLu {
 public:
  explicit FullLu(const Matrix& A);
  FullLu(FullLu&&) noexcept;
  FullLu& operator=(FullLu&&) noexcept;
  ~FullLu();

  double largest_pivot() const;
  void set_threshold(RankThreshold threshold);
  bool is_invertible() const;
  Vector solve(const Vector& b) const;  // one of the solutions, if there is one
  Matrix kernel() const;                // columns x with A x = 0; one column of zeros if there is no other

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace carom::numerics
