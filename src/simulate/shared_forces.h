#pragma once

#include <utility>
#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom::simulate {

/// A contact among the unknowns of constraint forces: its normal force in `row`, and after it `tangents` friction
/// forces that must stay in the cone |x_T| <= mu x_N. A contact that slips has none: its friction follows its normal
/// force.
struct ForceCone {
  Index row = 0;
  int tangents = 0;
  double mu = 0;
};

/// The forces x of constraints, S x = r. Where constraints are redundant many x do: then the one of least norm, or if
/// it pulls or leaves a cone and others do not, the nearest to it that does neither, or comes closest to that.
struct SharedForces {
  Vector x;
  bool redundant = false;
  std::vector<char> open;  // (rows) the equations alone do not determine it; empty: they determine all
};
SharedForces share_forces(const SparseMatrix& S, const Vector& r, const std::vector<ForceCone>& cones);

/// Groups of constraints that depend on each other, each in the order of elimination. Of the same constraints at
/// another state they are the same: found anew only where others depend on each other than before.
class ForceOrder {
 public:
  using Groups = std::vector<std::vector<Index>>;
  /// `links` need only one of (i, j), (j, i).
  const Groups& of(Index rows, std::vector<std::pair<Index, Index>> links);

 private:
  Index rows_ = -1;
  std::vector<std::pair<Index, Index>> links_;
  Groups groups_;
};
SharedForces share_forces(const SparseMatrix& S, const Vector& r, const std::vector<ForceCone>& cones,
                          ForceOrder& order);

}  // namespace carom::simulate
