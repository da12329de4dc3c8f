#pragma once

#include "numerics/linear_algebra.h"

namespace carom::numerics {

/// Dense kernels for some hundred rows and more. They choose the widest vector instructions of the machine they run on,
/// so that the library itself is compiled for every machine (Eigen would have to be told at compile time).

/// The lower half of X'X; the upper half is left alone.
void gram_lower(const Matrix& X, Matrix& G);

/// Replaces the lower half of a symmetric matrix, columns `stride` apart, by its Cholesky factor. False, with the
/// matrix spoiled, if the square of a pivot is not above `least`.
bool cholesky_lower(double* A, Index size, Index stride, double least);

}  // namespace carom::numerics
