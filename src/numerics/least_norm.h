#pragma once

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// The x of least norm with A x + q = 0, x >= 0, for a symmetric positive semidefinite A; `found` is false if rounding
/// leaves a residual above the tolerance or there is none.
struct LeastNorm {
  bool found = false;
  Vector x;
  Index nullity = 0;  // of A
};
LeastNorm least_norm(const Matrix& A, const Vector& q);

/// Whether A d = 0, d_i >= 0 where x_i = 0, has no solution but d = 0: then x is the only one with its A x.
bool is_unique(const Matrix& A, const Vector& x);

/// The least-squares solution of A x = b of least sum A_ii x_i^2, for a symmetric positive semidefinite A, found in
/// unknowns scaled to unit diagonal.
struct PseudoSolution {
  Vector x;
  double residual = 0;  // what it misses of b, relative to b
  Matrix kernel;        // of A, a basis in its columns
};
PseudoSolution pseudo_solve(const Matrix& A, const Vector& b);

}  // namespace carom::numerics
