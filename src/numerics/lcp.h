#pragma once

#include "carom/numerics/lcp_solution.h"

namespace carom::numerics {

/// The linear complementarity problem of a symmetric positive semidefinite A,
///   w = A x + q,   0 <= w _|_ x >= 0,   that is  min 1/2 x'Ax + q'x  over x >= 0.
/// w is unique. Of several x the one of least sum A_ii x_i^2 is returned, so the answer follows every permutation and
/// every rescaling of the unknowns. `infeasible` means that no x exists: some d >= 0 has A d = 0 and q'd < 0.
///
/// Method: active sets exchanged in blocks, then, where that stalls, one face at a time with a strictly decreasing
/// objective, which cannot cycle. A singular face is made definite by proximal terms, whose limit is the same problem.
/// Dense up to a few dozen unknowns or where A is full, sparse LDL' elsewhere: cost follows the fill of A.
///
/// `terms` (as long as q, empty = |q|) is the size of the numbers that q was summed from: signs of q below its rounding
/// mean nothing, and a contradiction must be larger than that.
LcpSolution solve_lcp(const Matrix& A, const Vector& q, const Vector& terms = {});
LcpSolution solve_lcp(const SparseMatrix& A, const Vector& q, const Vector& terms = {});

}  // namespace carom::numerics
