#pragma once

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

}  // namespace carom::simulate
