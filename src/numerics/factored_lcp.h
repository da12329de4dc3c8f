#pragma once

#include <optional>

#include "numerics/lcp.h"

namespace carom::numerics {

/// The complementarity problem of A = V'V (lcp.h) from V itself: for columns that are nearly dependent, where A has
/// lost the digits that tell them apart (a light body between heavy ones). One unknown after the other enters the
/// active set [Lawson, Hanson], each time with a QR factorization and residuals of V. Nothing if columns are dependent,
/// or no answer is found. For some hundred unknowns.
std::optional<LcpSolution> solve_factored_lcp(Matrix V, Vector q, Vector terms);

/// Whether a solution is so large that A may have lost its digits.
bool is_ill_conditioned(const SparseMatrix& A, const Vector& q, const Vector& x);

}  // namespace carom::numerics
