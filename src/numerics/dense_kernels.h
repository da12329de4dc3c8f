#pragma once

#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// Dense kernels for some dozen rows and more. They choose the widest vector instructions of the machine they run on,
/// so that the library itself is compiled for every machine (Eigen would have to be told at compile time).

/// The instructions a kernel may use.
enum class Vectors { portable, avx2, avx512 };
std::vector<Vectors> available_vectors();  // on this machine, by width
Vectors widest_vectors();                  // the last of them

/// The lower half of X'X; the upper half is left alone.
void gram_lower(const Eigen::Ref<const Matrix>& X, Eigen::Ref<Matrix> G, Vectors vectors = widest_vectors());

/// Copies the lower half to the upper one.
void mirror_lower(Eigen::Ref<Matrix> G);

/// y = A x for a symmetric matrix of which only the lower half is read.
void symmetric_product(const Matrix& A, const Vector& x, Vector& y, Vectors vectors = widest_vectors());

/// Replaces the lower half of a symmetric matrix, columns `stride` apart, by its Cholesky factor. False, with the
/// matrix spoiled, if the square of a pivot is not above `least`.
bool cholesky_lower(double* A, Index size, Index stride, double least, Vectors vectors = widest_vectors());

}  // namespace carom::numerics
