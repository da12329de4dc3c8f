#pragma once

#include "impact/mass_matrix.h"
#include "numerics/linear_algebra.h"

namespace carom {

/// The Delassus matrix W' M^-1 W, exactly symmetric. Costs in proportion to the pairs of columns that share a degree of
/// freedom.
SparseMatrix delassus(const SparseMatrix& W, const MassMatrix& M);

}  // namespace carom
