#pragma once

#include <optional>

#include "carom/numerics/friction_cone.h"

namespace carom::numerics {

/// A proof that no x in Coulomb's cones has (A x + q)_N >= 0, so that the problem of cone_problem.h has no solution:
/// z >= 0, one entry per cone, with -A z in the dual cones (z in the normal rows) and q_N . z < 0. Nothing if there is
/// none, or if it is not found. `terms` is the size of the numbers that q was summed from.
std::optional<Vector> cone_contradiction(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                                         const Vector& terms);

}  // namespace carom::numerics
