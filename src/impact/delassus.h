#pragma once

#include "carom/impact/joints.h"
#include "carom/impact/mass_matrix.h"
#include "carom/numerics/linear_algebra.h"

namespace carom {

/// The Delassus matrix W' M^-1 W, exactly symmetric. Costs in proportion to the pairs of columns that share a degree of
/// freedom.
SparseMatrix delassus(const SparseMatrix& W, const MassMatrix& M);

/// The same for a system with joints, V'M V of the velocities V = M^-1 W less their parts across the joints: no
/// subtraction of large matrices, so a small remainder keeps its digits. Rows of contacts that joints hold fast are
/// zero.
SparseMatrix delassus(const SparseMatrix& W, const MassMatrix& M, const Joints& joints);

}  // namespace carom
