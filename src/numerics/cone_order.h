#pragma once

#include <vector>

#include "carom/numerics/friction_cone.h"
#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// The contacts by what they feel: q, the diagonal of A and mu. Where a problem has several solutions, rounding must
/// not let the order in which they come choose.
std::vector<std::size_t> canonical_order(const Vector& diagonal, const Vector& q,
                                         const std::vector<FrictionCone>& cones);

}  // namespace carom::numerics
