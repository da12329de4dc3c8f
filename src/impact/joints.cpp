#include "carom/impact/joints.h"

#include <algorithm>
#include <numeric>

namespace carom {
namespace {

constexpr double kRankTolerance = 1e-12;  // of a squared pivot of the unit-diagonal J' M^-1 J

/// Labels the connected components of a symmetric sparsity pattern by their least member.
std::vector<Index> components(const SparseMatrix& S) {
  std::vector<Index> parent(S.cols());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (Index j = 0; j < S.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry) {
      const Index a = root(entry.row()), b = root(j);
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::vector<Index> label(parent.size());
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = root(static_cast<Index>(i));
  return label;
}

/// A largest set of columns of the unit-diagonal Gram matrix S that are independent, by pivoted Cholesky.
std::vector<Index> independent_columns(Matrix S) {
  std::vector<Index> kept;
  Vector left = S.diagonal();
  Matrix L = Matrix::Zero(S.rows(), S.cols());
  for (Index step = 0; step < S.cols(); ++step) {
    Index pivot = 0;
    if (left.maxCoeff(&pivot) <= kRankTolerance) break;
    Vector column = S.col(pivot) - L.leftCols(step) * L.row(pivot).head(step).transpose();
    column /= std::sqrt(left[pivot]);
    L.col(step) = column;
    left -= column.cwiseAbs2();
    left[pivot] = 0;
    kept.push_back(pivot);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

SparseMatrix columns(const SparseMatrix& A, const std::vector<Index>& which) {
  SparseMatrix result(A.rows(), static_cast<Index>(which.size()));
  for (std::size_t k = 0; k < which.size(); ++k) {
    result.startVec(static_cast<Index>(k));
    for (SparseMatrix::InnerIterator entry(A, which[k]); entry; ++entry)
      result.insertBack(entry.row(), static_cast<Index>(k)) = entry.value();
  }
  result.finalize();
  return result;
}

/// The columns' products with v, touching only their own rows of it.
Vector products(const SparseMatrix& A, const Vector& v) {
  Vector result = Vector::Zero(A.cols());
  for (Index j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) result[j] += entry.value() * v[entry.row()];
  return result;
}

}  // namespace

Joints::Joints(const MassMatrix& M, const SparseMatrix& J) : group_of_row_(M.size(), -1) {
  if (J.cols() == 0) return;
  const SparseMatrix MinvJ = M.solve(J);
  const SparseMatrix S = J.transpose() * MinvJ;
  const std::vector<Index> label = components(S);
  std::vector<std::vector<Index>> members(label.size());
  for (std::size_t j = 0; j < label.size(); ++j) members[label[j]].push_back(static_cast<Index>(j));
  for (const std::vector<Index>& group : members) {
    if (group.empty()) continue;
    const SparseMatrix own_J = columns(J, group), own_MinvJ = columns(MinvJ, group);
    const Matrix own_S = Matrix(own_J.transpose() * own_MinvJ);
    const Vector scale = own_S.diagonal().cwiseSqrt().cwiseInverse();
    const std::vector<Index> kept = independent_columns(scale.asDiagonal() * own_S * scale.asDiagonal());
    Group added{{}, columns(own_J, kept), columns(own_MinvJ, kept), numerics::Cholesky(own_S(kept, kept))};
    for (Index j = 0; j < added.MinvJ.outerSize(); ++j)
      for (SparseMatrix::InnerIterator entry(added.MinvJ, j); entry; ++entry) {
        Index& owner = group_of_row_[entry.row()];
        if (owner < 0) added.rows.push_back(entry.row());
        owner = static_cast<Index>(groups_.size());
      }
    groups_.push_back(std::move(added));
  }
}

Vector Joints::project(const Vector& u) const {
  Vector result = u;
  for (const Group& group : groups_)
    for (int pass = 0; pass < 2; ++pass)  // the second pass removes what rounding left of the first
      result -= group.MinvJ * group.S.solve(group.J.transpose() * result);
  return result;
}

SparseMatrix Joints::project(const SparseMatrix& V) const {
  SparseMatrix result(V.rows(), V.cols());
  result.reserve(V.nonZeros());
  Vector work = Vector::Zero(V.rows());
  std::vector<Index> rows, met;
  for (Index j = 0; j < V.outerSize(); ++j) {
    rows.clear();
    met.clear();
    for (SparseMatrix::InnerIterator entry(V, j); entry; ++entry) {
      work[entry.row()] = entry.value();
      const Index group = group_of_row_[entry.row()];
      if (group < 0)
        rows.push_back(entry.row());
      else if (std::find(met.begin(), met.end(), group) == met.end())
        met.push_back(group);
    }
    for (const Index g : met) {
      const Group& group = groups_[g];
      rows.insert(rows.end(), group.rows.begin(), group.rows.end());
      for (int pass = 0; pass < 2; ++pass) {
        const Vector across = group.S.solve(products(group.J, work));
        for (Index k = 0; k < group.MinvJ.outerSize(); ++k)
          for (SparseMatrix::InnerIterator entry(group.MinvJ, k); entry; ++entry)
            work[entry.row()] -= entry.value() * across[k];
      }
    }
    std::sort(rows.begin(), rows.end());
    result.startVec(j);
    for (const Index row : rows) {
      if (work[row] != 0) result.insertBack(row, j) = work[row];
      work[row] = 0;
    }
  }
  result.finalize();
  return result;
}

}  // namespace carom
