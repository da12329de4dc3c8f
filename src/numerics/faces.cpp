#include "carom/numerics/faces.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/dense_kernels.h"

namespace carom::numerics {
namespace {

constexpr Index kSmallFace = 24;  // up to here a plain loop is faster

/// In-place Cholesky factor of the lower triangle; false if a pivot is too small.
bool small_cholesky(Eigen::Map<Matrix>& L) {
  const Index k = L.rows();
  for (Index j = 0; j < k; ++j) {
    double pivot = L(j, j);
    for (Index s = 0; s < j; ++s) pivot -= L(j, s) * L(j, s);
    if (!(pivot > kPivotTolerance)) return false;
    const double root = std::sqrt(pivot), inverse = 1 / root;
    L(j, j) = root;
    for (Index i = j + 1; i < k; ++i) {
      double sum = L(i, j);
      for (Index s = 0; s < j; ++s) sum -= L(i, s) * L(j, s);
      L(i, j) = sum * inverse;
    }
  }
  return true;
}

}  // namespace

Eigen::Map<Matrix> DenseFaces::factor(Index size) {
  if (storage_.size() < size * size) storage_.resize(size * size);
  return {storage_.data(), size, size};
}

bool DenseFaces::solve(const Face& face, double shift, const Vector& q, Vector& x) {
  members_.clear();
  for (Index i = 0; i < size(); ++i)
    if (face[i]) members_.push_back(i);
  const Index k = static_cast<Index>(members_.size());
  x.setZero(size());
  if (k == 0) return true;
  Eigen::Map<Matrix> L = factor(k);
  y_.resize(k);
  for (Index j = 0; j < k; ++j) {
    const double* column = A_.data() + members_[j] * A_.rows();
    for (Index i = j; i < k; ++i) L(i, j) = column[members_[i]];
    L(j, j) += shift;
    y_[j] = -q[members_[j]];
  }
  if (k <= kSmallFace ? !small_cholesky(L) : !cholesky_lower(L.data(), k, k, kPivotTolerance)) return false;
  L.triangularView<Eigen::Lower>().solveInPlace(y_);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(y_);
  for (Index j = 0; j < k; ++j) x[members_[j]] = y_[j];
  return true;
}

bool DenseFaces::factorize(const Vector& shifts) {
  Eigen::Map<Matrix> L = factor(size());
  L = A_;
  L.diagonal() += shifts;
  return cholesky_lower(L.data(), size(), size(), 0);
}

void DenseFaces::substitute(const Vector& right, Vector& x) {
  const Eigen::Map<Matrix> L = factor(size());
  x = right;
  L.triangularView<Eigen::Lower>().solveInPlace(x);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

SparseFaces::SparseFaces(const SparseMatrix& A) : A_(A), work_(A), factor_(A) {}

bool SparseFaces::factorize_face(const Face& face, double shift) {
  if (shift == factored_shift_ && face == factored_face_) return healthy_;
  for (Index j = 0; j < A_.outerSize(); ++j) {
    const double* from = A_.valuePtr() + A_.outerIndexPtr()[j];
    double* to = work_.valuePtr() + work_.outerIndexPtr()[j];
    const int* row = A_.innerIndexPtr() + A_.outerIndexPtr()[j];
    const int count = A_.outerIndexPtr()[j + 1] - A_.outerIndexPtr()[j];
    for (int s = 0; s < count; ++s) {
      if (row[s] == j)
        to[s] = face[j] ? from[s] + shift : 1.0;
      else
        to[s] = face[j] && face[row[s]] ? from[s] : 0.0;
    }
  }
  factored_face_ = face;
  factored_shift_ = shift;
  healthy_ = factor_.factorize(work_) && factor_.least_pivot() > kPivotTolerance;
  return healthy_;
}

bool SparseFaces::solve(const Face& face, double shift, const Vector& q, Vector& x) {
  if (!factorize_face(face, shift)) return false;
  const auto clear = [&] {
    for (Index i = 0; i < size(); ++i)
      if (!face[i]) x[i] = 0;
  };
  x = -q;
  clear();
  x = factor_.solve(x);
  clear();
  return true;
}

bool SparseFaces::factorize(const Vector& shifts) {
  work_ = A_;
  work_.diagonal() += shifts;
  factored_face_.clear();
  return factor_.factorize(work_);
}

void SparseFaces::substitute(const Vector& right, Vector& x) {
  x = factor_.solve(right);
}

}  // namespace carom::numerics
