#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "impact/mass_matrix.h"
#include "numerics/linear_algebra.h"

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

  /// W' (M^-1 - projection across the joints) W - W' M^-1 W, sparse: what the joints take from the Delassus matrix.
  SparseMatrix delassus_correction(const SparseMatrix& W) const;

 private:
  struct Group {
    SparseMatrix J, MinvJ;  // (n x k) independent columns
    Eigen::LLT<Matrix> S;   // J' M^-1 J
  };
  std::vector<Group> groups_;
  Index size_ = 0;
};

}  // namespace carom
