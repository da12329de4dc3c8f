#pragma once

#include <vector>

#include "carom/numerics/friction_cone.h"
#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// Contacts of many bodies, each between two of them at most; no matrix between contacts is formed:
///   w = W'u + offset,   M (u - u_free) = W x,   and Coulomb's law between w and x as in cone_problem.h.
/// M has a block for each body.
struct BlockProblem {
  Index each = 0;                   // velocities of a body: 1, 3 or 6; those of one after those of another
  const SparseMatrix& W;            // (velocities x rows)
  Matrix inverse_mass;              // (each x velocities) the blocks of M^-1 side by side
  Vector u_free;                    // (velocities) without contacts
  Vector offset;                    // (rows)
  Vector terms;                     // (rows) size of the numbers that W'u_free + offset is summed from
  std::vector<FrictionCone> cones;  // (contacts) in the order of their rows, without `least` and `slide`
};

/// The blocks of the inverse of a mass matrix that can `solve`, side by side.
template <class Mass>
Matrix inverse_blocks(const Mass& M, Index each) {
  Matrix blocks(each, M.size());
  for (Index j = 0; j < each; ++j) {
    Vector unit = Vector::Zero(M.size());
    for (Index row = j; row < M.size(); row += each) unit[row] = 1;
    const Vector column = M.solve(unit);
    for (Index first = 0; first < M.size(); first += each) blocks.col(first + j) = column.segment(first, each);
  }
  return blocks;
}

/// Whether no contact touches more than two bodies.
bool has_blocks(const SparseMatrix& W, const std::vector<FrictionCone>& cones, Index each);

struct BlockSolution {
  bool solved = false;
  Vector x, u, diagonal;  // (rows), (velocities), (rows) diagonal of W'M^-1 W
  double residual = 0;    // as that of ConeSolution
  int sweeps = 0;
};

/// Gauss-Seidel by contacts: each in turn is given the impulse that its own equations ask for, there and back through
/// all of them, from `guess` on, until the residual is at most `accuracy`. Contacts come in the order of what they feel
/// (see canonical_order), not in that of their numbers. A sweep costs in proportion to the contacts and their number
/// grows with what bodies carry: a heavy one on light ones takes very many, which is noticed soon and given up.
BlockSolution solve_by_sweeps(const BlockProblem& problem, double accuracy, const Vector& guess);

}  // namespace carom::numerics
