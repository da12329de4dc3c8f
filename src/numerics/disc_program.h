#pragma once

#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// One block of unknowns of a disc program: one or two of them, inside a circle.
struct Disc {
  Index start = 0;    // of its unknowns
  int size = 1;       // 1 or 2
  double radius = 0;  // >= 0
};

struct DiscSolution {
  bool solved = false;
  Vector x, slope;  // slope = A x + b: unique, though x need not be
  int iterations = 0;
};

/// min 1/2 x'Ax + b'x  over |x_j| <= r_j,  A symmetric positive semidefinite, dense, small. Accelerated projected
/// gradients find the face, Newton's method on the projection equation the digits. All blocks change at once, so the
/// answer follows every permutation, rotation and rescaling.
DiscSolution solve_disc_program(const Matrix& A, const Vector& b, const std::vector<Disc>& discs);

}  // namespace carom::numerics
