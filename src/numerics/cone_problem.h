#pragma once

#include <array>
#include <vector>

#include "numerics/linear_algebra.h"

namespace carom::numerics {

/// The unknowns of one contact: x_N in `row`, its tangents in the rows after it.
struct FrictionCone {
  Index row = 0;
  int tangents = 0;  // 0, 1 or 2
  double mu = 0;
  double least = 0;               // lower bound of x_N, >= 0
  std::array<double, 2> slide{};  // if not zero, a unit direction: x_T = -mu x_N slide, whatever w_T is
  bool slides() const { return slide[0] != 0 || slide[1] != 0; }
};

struct ConeSolution {
  bool solved = false;
  Vector x, w;          // w = A x + q
  double residual = 0;  // of the equations below in unknowns of unit diagonal, relative to the terms of w
  double missed = 0;    // the same without allowance for the rounding of large x
  bool unique = true;   // x is the only solution near it
  int iterations = 0;   // linear solves
};

/// Coulomb's law for many contacts, A symmetric positive semidefinite:
///   w = A x + q,   0 <= w_N _|_ x_N - least >= 0,   |x_T| <= mu x_N,   w_T = 0 or x_T = -mu x_N w_T / |w_T|.
/// It has a solution wherever the frictionless problem has one for every x_T within the cones; it may have several.
///
/// Method: projected gradients onto the cones find out which contacts carry and slip, Newton's method on the projection
/// equations finds the digits; they take turns, and each goes on as long as the other would not be sooner there. If
/// both fail, a path through other problems is followed (cone_path.h). Without it all contacts change at once, so the
/// answer follows every permutation and mirror image.
///
/// `terms` (as long as q, empty = |q|) is the size of the numbers that q was summed from. `accuracy` > 0 asks for less
/// than all digits, for very many contacts. `guess` is an x to start from; empty = none.
ConeSolution solve_cone_problem(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                                const Vector& terms = {}, double accuracy = 0, const Vector& guess = {});

}  // namespace carom::numerics
