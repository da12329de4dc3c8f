#include "carom/impact/delassus.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "carom/numerics/dense_kernels.h"
#include "carom/numerics/sparse_products.h"

namespace carom {
namespace {

constexpr Index kFewRows = 32;      // up to here every pair of columns is multiplied; beyond, only those that meet
constexpr Index kFewDofs = 64;      // up to here a dense copy of few columns is made on the stack
constexpr double kBlocked = 1e-10;  // of a contact's motion that joints leave, relative to without them: less is none
constexpr Index kFullShare = 4;     // W counts as full if more than one entry in this many is not zero

/// A matrix with every entry, whatever its value: what is full stays so.
SparseMatrix full_pattern(Index rows) {
  SparseMatrix G(rows, rows);
  G.resizeNonZeros(rows * rows);
  for (Index j = 0; j < rows; ++j) {
    G.outerIndexPtr()[j + 1] = static_cast<int>((j + 1) * rows);
    std::iota(G.innerIndexPtr() + j * rows, G.innerIndexPtr() + (j + 1) * rows, 0);
  }
  return G;
}

template <Index rows>
using FewColumns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, rows, kFewRows>;

/// The entries of a small matrix that are not zero.
SparseMatrix without_zeros(const FewColumns<kFewRows>& values) {
  SparseMatrix G(values.rows(), values.cols());
  G.resizeNonZeros(values.size());  // room for all
  int next = 0;
  for (Index j = 0; j < values.cols(); ++j) {
    for (Index i = 0; i < values.rows(); ++i) {  // a zero is overwritten by what follows
      G.innerIndexPtr()[next] = static_cast<int>(i);
      G.valuePtr()[next] = values(i, j);
      next += values(i, j) != 0;
    }
    G.outerIndexPtr()[j + 1] = next;
  }
  G.resizeNonZeros(next);
  return G;
}

/// The columns' inner products W'V where every pair is multiplied: for few rows. The entries of V are those of B,
/// scaled(value, row).
template <class Scaled>
SparseMatrix delassus_of_few(const SparseMatrix& W, const SparseMatrix& B, Scaled&& scaled) {
  const Index rows = W.cols();
  FewColumns<kFewRows> values(rows, rows);
  Vector work = Vector::Zero(W.rows());
  for (Index j = 0; j < rows; ++j) {
    for (SparseMatrix::InnerIterator entry(B, j); entry; ++entry)
      work[entry.row()] = scaled(entry.value(), entry.row());
    for (Index i = 0; i <= j; ++i) {
      double sum = 0;
      for (SparseMatrix::InnerIterator entry(W, i); entry; ++entry) sum += entry.value() * work[entry.row()];
      values(i, j) = values(j, i) = sum;
    }
    for (SparseMatrix::InnerIterator entry(B, j); entry; ++entry) work[entry.row()] = 0;
  }
  return without_zeros(values);
}
SparseMatrix delassus_of_few(const SparseMatrix& W, const SparseMatrix& B) {
  return delassus_of_few(W, B, [](double value, Index) { return value; });
}

/// The same for a full W of few rows and few degrees of freedom.
SparseMatrix delassus_of_few_full(const Eigen::Ref<const Matrix>& W, const MassMatrix& M) {
  FewColumns<kFewDofs> V(W.rows(), W.cols());  // M^-1 W
  if (M.is_diagonal()) {
    const Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kFewDofs, 1> inverse = M.masses().cwiseInverse();
    V = inverse.asDiagonal() * W;
  } else {
    for (Index j = 0; j < W.cols(); ++j) V.col(j) = M.solve(W.col(j));
  }
  SparseMatrix G = full_pattern(W.cols());
  Eigen::Map<Matrix> values(G.valuePtr(), W.cols(), W.cols());
  for (Index j = 0; j < W.cols(); ++j)
    for (Index i = j; i < W.cols(); ++i) values(i, j) = values(j, i) = W.col(i).dot(V.col(j));
  return G;
}

/// The same where W is full: one dense product of half the work.
SparseMatrix delassus_of_full(const SparseMatrix& W, const MassMatrix& M) {
  const Index rows = W.cols();
  SparseMatrix G = full_pattern(rows);
  Eigen::Map<Matrix> values(G.valuePtr(), rows, rows);
  numerics::gram_lower(M.dense_half_solve(W), values);
  numerics::mirror_lower(values);
  return G;
}

std::vector<Index> entries_by_row(const SparseMatrix& W) {
  std::vector<Index> entries(W.rows(), 0);
  for (Index j = 0; j < W.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(W, j); entry; ++entry) ++entries[entry.row()];
  return entries;
}

/// The same where many columns meet in some rows of a sparse X = L^-1 W: those rows make one dense product.
SparseMatrix delassus_of_shared(const SparseMatrix& X) {
  const std::vector<Index> entries = entries_by_row(X);
  const Index rows = X.cols();
  std::vector<Index> place(X.rows(), -1);  // of the rows that are shared
  Index shared = 0;
  for (Index i = 0; i < X.rows(); ++i)
    if (entries[i] > rows / kFullShare) place[i] = shared++;
  Matrix dense = Matrix::Zero(shared, rows);
  SparseMatrix rest(X.rows(), rows);
  for (Index j = 0; j < rows; ++j) {
    rest.startVec(j);
    for (SparseMatrix::InnerIterator entry(X, j); entry; ++entry)
      if (place[entry.row()] >= 0)
        dense(place[entry.row()], j) = entry.value();
      else
        rest.insertBack(entry.row(), j) = entry.value();
  }
  rest.finalize();

  SparseMatrix G = full_pattern(rows);
  Eigen::Map<Matrix> values(G.valuePtr(), rows, rows);
  numerics::gram_lower(dense, values);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_row = rest;
  for (Index i = 0; i < by_row.outerSize(); ++i)
    for (decltype(by_row)::InnerIterator one(by_row, i); one; ++one)
      for (decltype(by_row)::InnerIterator other(by_row, i); other && other.col() <= one.col(); ++other)
        values(one.col(), other.col()) += one.value() * other.value();
  numerics::mirror_lower(values);
  return G;
}

/// The same where columns meet in few rows: the lower half from the rows that two columns share, then mirrored.
SparseMatrix delassus_of_sparse(const SparseMatrix& W, const SparseMatrix& B) {
  const Index rows = W.cols();
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_row = W;
  std::vector<int> start(rows + 1, 0), count(rows, 0), lower_row, touched, seen(rows, -1);
  std::vector<double> lower_value, sum(rows, 0.0);
  lower_row.reserve(2 * W.nonZeros());
  lower_value.reserve(2 * W.nonZeros());
  for (Index j = 0; j < rows; ++j) {
    touched.clear();
    for (SparseMatrix::InnerIterator entry(B, j); entry; ++entry) {
      const int first = by_row.outerIndexPtr()[entry.row()];
      for (int s = by_row.outerIndexPtr()[entry.row() + 1] - 1; s >= first && by_row.innerIndexPtr()[s] >= j; --s) {
        const int i = by_row.innerIndexPtr()[s];
        if (seen[i] != j) {
          seen[i] = static_cast<int>(j);
          sum[i] = 0;
          touched.push_back(i);
        }
        sum[i] += by_row.valuePtr()[s] * entry.value();
      }
    }
    std::sort(touched.begin(), touched.end());
    for (const int i : touched) {
      lower_row.push_back(i);
      lower_value.push_back(sum[i]);
      ++count[j];
      if (i != j) ++count[i];
    }
    start[j + 1] = static_cast<int>(lower_row.size());
  }
  SparseMatrix G(rows, rows);
  G.outerIndexPtr()[0] = 0;
  for (Index j = 0; j < rows; ++j) G.outerIndexPtr()[j + 1] = G.outerIndexPtr()[j] + count[j];
  G.resizeNonZeros(G.outerIndexPtr()[rows]);
  std::vector<int> next(G.outerIndexPtr(), G.outerIndexPtr() + rows);
  const auto put = [&](Index i, Index j, double value) {
    G.innerIndexPtr()[next[j]] = static_cast<int>(i);
    G.valuePtr()[next[j]++] = value;
  };
  for (Index j = 0; j < rows; ++j)  // the upper entries of a column come from earlier ones: rows stay sorted
    for (int s = start[j]; s < start[j + 1]; ++s) {
      put(lower_row[s], j, lower_value[s]);
      if (lower_row[s] != j) put(j, lower_row[s], lower_value[s]);
    }
  return G;
}

}  // namespace

SparseMatrix delassus(const SparseMatrix& W, const MassMatrix& M) {
  const bool few = W.cols() <= kFewRows, full = W.nonZeros() > W.rows() * W.cols() / kFullShare;
  if (few && full && W.rows() <= kFewDofs)
    return numerics::is_full(W) ? delassus_of_few_full(numerics::dense_view(W), M)
                                : delassus_of_few_full(FewColumns<kFewDofs>(W), M);
  if (full) return delassus_of_full(W, M);
  if (few && M.is_diagonal())
    return delassus_of_few(W, W, [&](double value, Index row) { return value / M.masses()[row]; });
  if (few) return delassus_of_few(W, M.solve(W));
  const auto by_row = entries_by_row(W);
  if (*std::max_element(by_row.begin(), by_row.end()) > W.cols() / 2) return delassus_of_shared(M.half_solve(W));
  return delassus_of_sparse(W, M.solve(W));
}

SparseMatrix delassus(const SparseMatrix& W, const MassMatrix& M, const Joints& joints) {
  const SparseMatrix free = M.solve(W), V = joints.project(free);
  const SparseMatrix MV = M * V, Mfree = M * free;
  SparseMatrix G = W.cols() <= kFewRows ? delassus_of_few(V, MV) : delassus_of_sparse(V, MV);
  // Contacts whose direction the joints hold fast move by nothing: their rows become exactly zero.
  std::vector<char> blocked(W.cols());
  for (Index i = 0; i < W.cols(); ++i)
    blocked[i] = G.coeff(i, i) <= kBlocked * kBlocked * free.col(i).dot(Mfree.col(i));
  for (Index j = 0; j < G.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(G, j); entry; ++entry)
      if (blocked[j] || blocked[entry.row()]) entry.valueRef() = 0;
  G.prune(0.0);
  return G;
}

}  // namespace carom
