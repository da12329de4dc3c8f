#pragma once

#include "numerics/lcp.h"

namespace carom::numerics {

/// The linear complementarity problem of `solve_lcp` to a requested accuracy only, for many unknowns: accelerated
/// projected gradients with restarts. Costs products with A, so it is linear where the exact method pays for fill. In
/// unknowns of unit diagonal it ends when |min(x, w)| <= accuracy max|q| everywhere. All unknowns change at once, so
/// the answer follows every permutation and rescaling of them.      [Nesterov 1983; O'Donoghue, Candes 2015, restarts]
LcpSolution projected_gradient(const SparseMatrix& A, const Vector& q, double accuracy);

}  // namespace carom::numerics
