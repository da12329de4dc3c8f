#pragma once

#include <optional>
#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// A solution of A x = b and, in the columns of `kernel`, the x with A x = 0: independent, not orthonormal.
struct NarrowSolution {
  Vector x;                // 0 in the unknowns that the others make up for
  Matrix kernel;           // (n x n - rank)
  double least_pivot = 0;  // of those above `dependent`; 0 if there is none
};

/// Gaussian elimination with row exchanges of a square A whose entries lie near its diagonal, as those of a chain of
/// bodies do in the order of the chain. The cost is n times the square of the distance to the diagonal. Entries are of
/// order one: a column whose pivot is not above `dependent` depends on those before it. Where A is singular, equations
/// that are left are not looked at: b must be one that A can make.
NarrowSolution solve_narrow(Index n, const std::vector<Eigen::Triplet<double>>& entries, const Vector& b,
                            double dependent);

/// The same where A is regular; nothing, at little cost, where a column depends on those before it.
std::optional<Vector> solve_regular_narrow(Index n, const std::vector<Eigen::Triplet<double>>& entries, const Vector& b,
                                           double dependent);

/// An order of the unknowns of each independent part of a system, in which entries lie near the diagonal: breadth
/// first from an end of its graph [Cuthill, McKee 1969]. `entries` need only one of (i, j), (j, i).
std::vector<std::vector<Index>> narrow_order(Index n, const std::vector<std::pair<Index, Index>>& entries);

}  // namespace carom::numerics
