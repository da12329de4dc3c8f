#pragma once

#include <optional>

#include "carom/numerics/lcp_solution.h"

namespace carom::numerics {

/// The complementarity problem of A = V'V (lcp.h) from V itself: for columns that are nearly dependent, where A has
/// lost the digits that tell them apart (a light body between heavy ones), and for problems that seem to have no
/// solution. It is a least-distance problem [Lawson, Hanson 1974]: one unknown after the other enters an active set,
/// each time with a QR factorization. Nothing if neither an answer nor a proof that there is none is found. For some
/// hundred unknowns.
std::optional<LcpSolution> solve_factored_lcp(const Matrix& V, const Vector& q, const Vector& terms);

/// Whether a solution is so large that A may have lost its digits.
bool is_ill_conditioned(const SparseMatrix& A, const Vector& q, const Vector& x);

}  // namespace carom::numerics
