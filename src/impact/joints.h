#pragma once

#include <vector>

#include "carom/impact/mass_matrix.h"
#include "carom/numerics/decompositions.h"
#include "carom/numerics/linear_algebra.h"

namespace carom {

/// The bilateral directions J of a system: projects velocities onto J'u = 0 in the kinetic metric. Joints are grouped
/// by the bodies they share, and of redundant ones in a group an independent subset is kept, so the cost follows the
/// groups.
class Joints {
 public:
  Joints() = default;
  Joints(const MassMatrix& M, const SparseMatrix& J);

  bool empty() const { return groups_.empty(); }

  /// u minus its part across the joints.
  Vector project(const Vector& u) const;

  /// The same for each column of V. Columns fill in only where they meet a group.
  SparseMatrix project(const SparseMatrix& V) const;

 private:
  struct Group {
    std::vector<Index> rows;  // degrees of freedom it moves
    SparseMatrix J, MinvJ;    // (n x k) independent columns
    numerics::Cholesky S;     // J' M^-1 J
  };
  std::vector<Group> groups_;
  std::vector<Index> group_of_row_;  // -1: none
};

}  // namespace carom
