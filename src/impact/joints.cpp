#include "impact/joints.h"

#include <Eigen/QR>
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

}  // namespace

Joints::Joints(const MassMatrix& M, const SparseMatrix& J) : size_(M.size()) {
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
    groups_.push_back({columns(own_J, kept), columns(own_MinvJ, kept), Eigen::LLT<Matrix>(own_S(kept, kept))});
  }
}

Vector Joints::project(const Vector& u) const {
  Vector result = u;
  for (const Group& group : groups_)
    for (int pass = 0; pass < 2; ++pass)  // the second pass removes what rounding left of the first
      result -= group.MinvJ * group.S.solve(group.J.transpose() * result);
  return result;
}

SparseMatrix Joints::delassus_correction(const SparseMatrix& W) const {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows = W;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Index> touched;
  for (const Group& group : groups_) {
    touched.clear();
    for (Index j = 0; j < group.MinvJ.outerSize(); ++j)
      for (SparseMatrix::InnerIterator entry(group.MinvJ, j); entry; ++entry)
        for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator w(rows, entry.row()); w; ++w)
          touched.push_back(w.col());
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    if (touched.empty()) continue;
    Matrix X = Matrix(group.MinvJ.transpose() * columns(W, touched));
    group.S.matrixL().solveInPlace(X);
    const Matrix taken = X.transpose() * X;
    for (Index a = 0; a < taken.rows(); ++a)
      for (Index b = 0; b < taken.cols(); ++b) entries.emplace_back(touched[a], touched[b], -taken(a, b));
  }
  SparseMatrix correction(W.cols(), W.cols());
  correction.setFromTriplets(entries.begin(), entries.end());
  return correction;
}

}  // namespace carom
