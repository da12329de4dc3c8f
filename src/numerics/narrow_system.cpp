#include "carom/numerics/narrow_system.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace carom::numerics {
namespace {

/// Rows of A as they are eliminated, each with the columns [first, end) that it has; the room beyond is not touched.
class NarrowRows {
 public:
  NarrowRows(Index n, const std::vector<Eigen::Triplet<double>>& entries)
      : n_(n),
        room_(new double[static_cast<std::size_t>(n * n)]),
        rows_(static_cast<std::size_t>(n)),
        below_(rows_.size()) {
    for (Index i = 0; i < n; ++i) rows_[i] = {room_.get() + i * n, n, 0};
    for (const auto& entry : entries) {
      Row& row = rows_[entry.row()];
      row.first = std::min<Index>(row.first, entry.col());
      row.end = std::max<Index>(row.end, entry.col() + 1);
    }
    for (Index i = 0; i < n; ++i) {
      const Row& row = rows_[i];
      if (row.first >= row.end) continue;
      std::fill(row.values + row.first, row.values + row.end, 0.0);
      below_[row.first] = i + 1;
    }
    for (Index k = 1; k < n; ++k) below_[k] = std::max(below_[k], below_[k - 1]);
    for (const auto& entry : entries) rows_[entry.row()].values[entry.col()] += entry.value();
  }

  /// Makes the matrix upper triangular, with steps where a column depends on those before it, or up to the first such.
  enum class Dependent { step_over, stop };
  void eliminate(Vector& b, double dependent, Dependent then) {
    for (Index k = 0; k < n_; ++k) {
      const Index p = static_cast<Index>(pivots_.size());
      Index best = p;
      double most = 0;
      for (Index i = p; i < below_[k]; ++i)
        if (const double size = std::abs(rows_[i].at(k)); size > most) {
          most = size;
          best = i;
        }
      if (!(most > dependent)) {
        free_.push_back(k);
        if (then == Dependent::stop) return;
        continue;
      }
      std::swap(rows_[p], rows_[best]);
      std::swap(b[p], b[best]);
      pivots_.push_back(k);
      for (Index i = p + 1; i < below_[k]; ++i)
        if (const double entry = rows_[i].at(k); entry != 0) {
          const double factor = entry / rows_[p].values[k];
          rows_[i].subtract(factor, rows_[p], k + 1);
          b[i] -= factor * b[p];
        }
    }
  }

  /// The unknowns of pivots, where x has those of the free columns.
  template <class Unknowns>
  void substitute(const Vector& b, Unknowns&& x) const {
    for (Index p = static_cast<Index>(pivots_.size()) - 1; p >= 0; --p) {
      const Index k = pivots_[p];
      const Row& row = rows_[p];
      double sum = b[p];
      for (Index j = k + 1; j < row.end; ++j) sum -= row.values[j] * x[j];
      x[k] = sum / row.values[k];
    }
  }

  const std::vector<Index>& free() const { return free_; }

  double least_pivot() const {
    double least = 0;
    for (std::size_t p = 0; p < pivots_.size(); ++p)
      if (const double size = std::abs(rows_[p].values[pivots_[p]]); p == 0 || size < least) least = size;
    return least;
  }

 private:
  struct Row {
    double* values = nullptr;
    Index first = 0, end = 0;

    double at(Index k) const { return k >= first && k < end ? values[k] : 0; }

    void subtract(double factor, const Row& other, Index from) {
      if (end < other.end) {
        std::fill(values + end, values + other.end, 0.0);
        end = other.end;
      }
      for (Index j = from; j < other.end; ++j) values[j] -= factor * other.values[j];
    }
  };

  Index n_;
  std::unique_ptr<double[]> room_;
  std::vector<Row> rows_;
  std::vector<Index> below_;          // (columns) rows from here on have nothing in it, nor in those before
  std::vector<Index> pivots_, free_;  // columns
};

/// The neighbours of each unknown.
struct Graph {
  std::vector<Index> first, other;  // those of i: other[first[i] ... first[i + 1])

  Graph(Index n, const std::vector<std::pair<Index, Index>>& entries) : first(static_cast<std::size_t>(n) + 1, 0) {
    for (const auto& [i, j] : entries) {
      ++first[i + 1];
      ++first[j + 1];
    }
    for (Index i = 0; i < n; ++i) first[i + 1] += first[i];
    other.resize(2 * entries.size());
    std::vector<Index> next(first.begin(), first.end() - 1);
    for (const auto& [i, j] : entries) {
      other[next[i]++] = j;
      other[next[j]++] = i;
    }
  }

  /// All that hangs together with `start`, the nearest first. `seen` is marked with `mark`.
  std::vector<Index> breadth_first(Index start, std::vector<int>& seen, int mark) const {
    std::vector<Index> order{start};
    seen[start] = mark;
    for (std::size_t k = 0; k < order.size(); ++k)
      for (Index e = first[order[k]]; e < first[order[k] + 1]; ++e)
        if (seen[other[e]] != mark) {
          seen[other[e]] = mark;
          order.push_back(other[e]);
        }
    return order;
  }
};

}  // namespace

NarrowSolution solve_narrow(Index n, const std::vector<Eigen::Triplet<double>>& entries, const Vector& b,
                            double dependent) {
  NarrowRows rows(n, entries);
  Vector changed = b;
  rows.eliminate(changed, dependent, NarrowRows::Dependent::step_over);
  NarrowSolution result{Vector::Zero(n), Matrix::Zero(n, static_cast<Index>(rows.free().size())), rows.least_pivot()};
  rows.substitute(changed, result.x);
  const Vector nothing = Vector::Zero(n);
  for (Index k = 0; k < result.kernel.cols(); ++k) {
    result.kernel(rows.free()[k], k) = 1;
    rows.substitute(nothing, result.kernel.col(k));
  }
  return result;
}

std::optional<Vector> solve_regular_narrow(Index n, const std::vector<Eigen::Triplet<double>>& entries, const Vector& b,
                                           double dependent) {
  NarrowRows rows(n, entries);
  Vector changed = b;
  rows.eliminate(changed, dependent, NarrowRows::Dependent::stop);
  if (!rows.free().empty()) return std::nullopt;
  Vector x(n);
  rows.substitute(changed, x);
  return x;
}

std::vector<std::vector<Index>> narrow_order(Index n, const std::vector<std::pair<Index, Index>>& entries) {
  const Graph graph(n, entries);
  std::vector<int> seen(static_cast<std::size_t>(n), 0);
  std::vector<std::vector<Index>> parts;
  for (Index i = 0; i < n; ++i) {
    if (seen[i] != 0) continue;
    const Index end = graph.breadth_first(i, seen, 1).back();
    const Index other_end = graph.breadth_first(end, seen, 2).back();
    parts.push_back(graph.breadth_first(other_end, seen, 3));
  }
  return parts;
}

}  // namespace carom::numerics
