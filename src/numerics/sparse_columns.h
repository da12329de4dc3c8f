#pragma once

#include <algorithm>
#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// A sparse matrix from its entries, which come column by column, rows in any order and repeated ones added. Costs as
/// much as there are entries and columns, however many rows there are (Eigen's setFromTriplets costs rows, too).
inline SparseMatrix by_columns(Index rows, Index cols, std::vector<Eigen::Triplet<double>>& entries) {
  SparseMatrix result(rows, cols);
  result.reserve(static_cast<Index>(entries.size()));
  auto first = entries.begin();
  for (Index j = 0; j < cols; ++j) {
    const auto last = std::find_if(first, entries.end(), [j](const auto& entry) { return entry.col() != j; });
    std::sort(first, last, [](const auto& a, const auto& b) { return a.row() < b.row(); });
    result.startVec(j);
    while (first != last) {
      double value = 0;
      const auto row = first->row();
      for (; first != last && first->row() == row; ++first) value += first->value();
      result.insertBack(row, j) = value;
    }
  }
  result.finalize();
  return result;
}

}  // namespace carom::numerics
