#include "carom/numerics/banded_faces.h"

#include <algorithm>
#include <cmath>

namespace carom::numerics {

Index bandwidth(const SparseMatrix& A) {
  Index width = 0;
  for (Index j = 0; j < A.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) width = std::max(width, std::abs(entry.row() - j));
  return width;
}

BandedFaces::BandedFaces(const SparseMatrix& A) : size_(A.rows()), width_(bandwidth(A)) {
  band_.setZero(size_ * (width_ + 1));
  for (Index j = 0; j < size_; ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      if (entry.row() >= j) band_[entry.row() * (width_ + 1) + entry.row() - j] = entry.value();
  L_.resize(size_ * width_);
  inverse_pivots_.resize(size_);
}

void BandedFaces::multiply(const Vector& x, Vector& Ax) const {
  Ax.resize(size_);
  for (Index i = 0; i < size_; ++i) {
    const double* row = band_.data() + i * (width_ + 1);
    double sum = row[0] * x[i];
    for (Index k = 1; k <= std::min(width_, i); ++k) {
      sum += row[k] * x[i - k];
      Ax[i - k] += row[k] * x[i];
    }
    Ax[i] = sum;
  }
}

template <class Inside, class Shift>
bool BandedFaces::run(Inside inside, Shift shift, double sign, const Vector& q, Vector& x) {
  x.resize(size_);
  for (Index i = 0; i < size_; ++i) {
    double* L = L_.data() + i * width_;
    std::fill(L, L + width_, 0.0);
    x[i] = 0;
    inverse_pivots_[i] = 1;
    if (!inside(i)) continue;
    const double* row = band_.data() + i * (width_ + 1);
    const Index reach = std::min(width_, i);
    for (Index k = reach; k >= 1; --k) {  // L_ij times the pivot of j = i - k
      const double* L_j = L_.data() + (i - k) * width_;
      double value = inside(i - k) ? row[k] : 0.0;
      for (Index s = k + 1; s <= reach; ++s) value -= L[s - 1] * L_j[s - k - 1];
      L[k - 1] = value;
    }
    double pivot = row[0] + shift(i), y = sign * q[i];
    for (Index k = 1; k <= reach; ++k) {
      const double scaled = L[k - 1];
      L[k - 1] *= inverse_pivots_[i - k];
      pivot -= scaled * L[k - 1];
      y -= L[k - 1] * x[i - k];
    }
    if (!(pivot > kPivotTolerance)) return false;
    inverse_pivots_[i] = 1 / pivot;
    x[i] = y;
  }
  x.array() *= inverse_pivots_.array();
  for (Index i = size_ - 1; i > 0; --i)
    for (Index k = 1; k <= std::min(width_, i); ++k) x[i - k] -= L_[i * width_ + k - 1] * x[i];
  return true;
}

bool BandedFaces::solve(const Face& face, double shift, const Vector& q, Vector& x) {
  return run([&](Index i) { return face[i] != 0; }, [&](Index) { return shift; }, -1, q, x);
}

bool BandedFaces::factorize(const Vector& shifts) {
  shifts_ = shifts;
  return true;
}

void BandedFaces::substitute(const Vector& right, Vector& x) {
  run([](Index) { return true; }, [&](Index i) { return shifts_[i]; }, 1, right, x);
}

}  // namespace carom::numerics
