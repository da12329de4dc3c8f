#pragma once

#include <vector>

#include "carom/scene/field.h"

namespace carom::scene {

/// Collects directions, each a dense list as long as u, [-1, 1, 0], or a sparse object, {"0": -1, "1": 1}, as the
/// columns of a matrix. Zeros are not stored, however they are written.
class DirectionReader {
 public:
  explicit DirectionReader(Index degrees_of_freedom) : n_(degrees_of_freedom) {}

  void add(const Field& direction);
  SparseMatrix matrix() const;  // (n x directions)

 private:
  void add_dense(const Field& direction);
  void add_sparse(const Field& direction);
  void add_entry(std::size_t row, double value);

  Index n_, columns_ = 0;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace carom::scene
