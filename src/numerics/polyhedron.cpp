#include "carom/numerics/polyhedron.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "carom/numerics/decompositions.h"

namespace carom::numerics {
namespace {

constexpr double kNoPivot = 1e-9;     // entries of the tableau below this are zero
constexpr double kNoGain = 1e-10;     // reduced costs above minus this are none
constexpr double kZero = 1e-9;        // unknowns below this are zero
constexpr double kSameVertex = 1e-8;  // of two vertices
constexpr int kGreedySteps = 200;     // after which Bland's rule excludes cycles
constexpr int kMostSteps = 5000;
constexpr int kPivotsAtOnce = 32;   // before the tableau is computed anew
constexpr double kSlack = 1e-12;    // by which unknowns may fall below zero for a better pivot
constexpr double kNoEntry = 1e-13;  // entries of the tableau that are rounding
constexpr double kRoundingOfSums = 2e-16;
constexpr double kMostUnknowns = 1e8;  // sum of all: what needs more is no solution

}  // namespace

Polyhedron::Polyhedron(const Matrix& A, const Vector& b) : forbidden_(static_cast<std::size_t>(A.cols()), 0) {
  // One artificial unknown a row, which must vanish.
  const Index rows = A.rows(), n = A.cols();
  tableau_ = Matrix::Zero(rows, n + rows + 1);
  basis_.resize(static_cast<std::size_t>(rows));
  for (Index i = 0; i < rows; ++i) {
    const double sign = b[i] < 0 ? -1 : 1;
    tableau_.row(i).head(n) = sign * A.row(i);
    tableau_(i, n + i) = 1;
    tableau_(i, n + rows) = sign * b[i];
    basis_[i] = n + i;
  }
  forbidden_.resize(static_cast<std::size_t>(n + rows), 0);
  const Matrix given = tableau_;
  Vector cost = Vector::Zero(n + rows);
  cost.tail(rows).setOnes();
  descend(cost);
  double missing = 0;
  for (Index i = 0; i < rows; ++i)
    if (basis_[i] >= n) missing += tableau_(i, n + rows);
  empty_ = missing > kZero * std::max(1.0, b.cwiseAbs().sum());
  if (empty_) {  // weights of the rows whose sum no unknowns below kMostUnknowns can meet
    const Vector weights = tableau_.middleCols(n, rows).transpose() * basic_costs(cost);
    const Vector sum = given.transpose() * weights;
    const Vector terms = given.cwiseAbs().transpose() * weights.cwiseAbs();
    const double met = sum.head(n).maxCoeff() + kRoundingOfSums * terms.head(n).maxCoeff();
    sure_ = sure_ && sum[n + rows] - kRoundingOfSums * terms[n + rows] > kMostUnknowns * std::max(0.0, met);
    return;
  }
  std::vector<Index> kept;
  for (Index i = 0; i < rows; ++i) {
    if (basis_[i] >= n) {
      Index column = 0;
      const double largest = tableau_.row(i).head(n).cwiseAbs().maxCoeff(&column);
      if (largest <= kNoPivot) continue;  // the row says nothing new
      pivot(i, column);
    }
    kept.push_back(i);
  }
  std::vector<Index> columns(static_cast<std::size_t>(n + 1)), basis;
  for (Index j = 0; j < n; ++j) columns[j] = j;
  columns.back() = n + rows;
  for (const Index i : kept) basis.push_back(basis_[i]);
  tableau_ = Matrix(tableau_(kept, columns));
  basis_ = std::move(basis);
  forbidden_.resize(static_cast<std::size_t>(n));
  A_.resize(rows, n + 1);
  A_ << A, b;
  A_ = Matrix(A_(kept, Eigen::all));
  refresh();
}

void Polyhedron::refresh() {
  pivots_ = 0;
  if (basis_.empty()) return;
  work_ += static_cast<double>(A_.rows() * A_.size());
  tableau_ = Lu(A_(Eigen::all, basis_)).solve(A_);
  const double size = A_.cwiseAbs().maxCoeff();
  tableau_ = (tableau_.array().abs() > kNoEntry * size).select(tableau_, 0.0);
}

void Polyhedron::pivot(Index row, Index column) {
  tableau_.row(row) /= tableau_(row, column);
  for (Index i = 0; i < tableau_.rows(); ++i)
    if (i != row && tableau_(i, column) != 0) tableau_.row(i) -= tableau_(i, column) * tableau_.row(row);
  basis_[row] = column;
  ++pivots_;
  work_ += static_cast<double>(tableau_.size());
}

/// The first row that an unknown, growing from zero, brings to zero, of nearly equal ones that of the largest pivot; -1
/// if none.
Index Polyhedron::leaving_row(Index column) const {
  const Index last = tableau_.cols() - 1;
  const double least_pivot = kNoPivot * std::max(1.0, tableau_.col(column).cwiseAbs().maxCoeff());
  double limit = -1;
  for (Index i = 0; i < tableau_.rows(); ++i) {
    const double slope = tableau_(i, column);
    if (slope <= least_pivot) continue;
    const double ratio = (std::max(0.0, tableau_(i, last)) + kSlack) / slope;
    if (limit < 0 || ratio < limit) limit = ratio;
  }
  if (limit < 0) return -1;
  Index leaving = -1;
  for (Index i = 0; i < tableau_.rows(); ++i) {
    const double slope = tableau_(i, column);
    if (slope <= least_pivot || std::max(0.0, tableau_(i, last)) > limit * slope) continue;
    if (leaving < 0 || slope > tableau_(leaving, column)) leaving = i;
  }
  return leaving;
}

Vector Polyhedron::basic_costs(const Vector& cost) const {
  Vector basic(tableau_.rows());
  for (Index i = 0; i < basic.size(); ++i) basic[i] = cost[basis_[i]];
  return basic;
}

bool Polyhedron::descend(const Vector& cost) {
  const Index n = tableau_.cols() - 1;
  for (int step = 0; step < kMostSteps; ++step) {
    if (pivots_ >= kPivotsAtOnce && A_.size() > 0) refresh();
    work_ += 2 * static_cast<double>(tableau_.size());
    const Vector basic = basic_costs(cost);
    const Vector reduced = cost - tableau_.leftCols(n).transpose() * basic;
    const Vector terms = cost.cwiseAbs() + tableau_.leftCols(n).cwiseAbs().transpose() * basic.cwiseAbs();
    Index entering = -1;
    for (Index j = 0; j < n; ++j) {
      if (forbidden_[j] || reduced[j] >= -kNoGain * (1 + terms[j])) continue;
      if (entering < 0 || (step < kGreedySteps && reduced[j] < reduced[entering])) entering = j;
    }
    if (entering < 0) return true;
    const Index leaving = leaving_row(entering);
    if (leaving < 0) return false;
    pivot(leaving, entering);
  }
  sure_ = false;
  return true;
}

bool Polyhedron::forbid(Index column) {
  if (!allows(column)) return true;
  const Index n = tableau_.cols() - 1;
  if (!descend(Vector::Unit(n, column))) return false;
  forbidden_[column] = 1;
  const auto place = std::find(basis_.begin(), basis_.end(), column);
  if (place == basis_.end()) return true;
  const Index row = place - basis_.begin();
  if (tableau_(row, n) > kZero) {
    sure_ = sure_ && tableau_(row, n) > kZero * tableau_.col(n).cwiseAbs().maxCoeff();
    return false;
  }
  tableau_(row, n) = 0;
  Index other = -1;
  for (Index j = 0; j < n; ++j)
    if (allows(j) && std::abs(tableau_(row, j)) > kNoPivot &&
        (other < 0 || std::abs(tableau_(row, j)) > std::abs(tableau_(row, other))))
      other = j;
  if (other >= 0) pivot(row, other);
  return true;
}

std::optional<double> Polyhedron::least(const Vector& cost) {
  if (!descend(cost)) return std::nullopt;
  return cost.dot(point());
}

bool Polyhedron::is_zero(const Vector& cost) {
  const std::optional<double> most = least(-cost);
  return most && -*most <= kZero;
}

Vector Polyhedron::point() const {
  const Index n = tableau_.cols() - 1;
  Vector v = Vector::Zero(n);
  for (Index i = 0; i < tableau_.rows(); ++i) v[basis_[i]] = std::max(0.0, tableau_(i, n));
  return v;
}

bool Polyhedron::bounded() const {
  Polyhedron copy = *this;
  Vector all = Vector::Constant(tableau_.cols() - 1, -1.0);
  for (Index j = 0; j < all.size(); ++j)
    if (!allows(j)) all[j] = 0;
  return copy.least(all).has_value();
}

std::optional<std::vector<Vector>> Polyhedron::vertices(std::size_t most) const {
  std::vector<Vector> found;
  std::set<std::vector<Index>> seen;
  std::vector<Polyhedron> open = {*this};
  const auto sorted = [](std::vector<Index> basis) {
    std::sort(basis.begin(), basis.end());
    return basis;
  };
  seen.insert(sorted(basis_));
  while (!open.empty()) {
    const Polyhedron here = std::move(open.back());
    open.pop_back();
    const Vector v = here.point();
    if (std::none_of(found.begin(), found.end(),
                     [&](const Vector& other) { return (other - v).cwiseAbs().maxCoeff() <= kSameVertex; }))
      found.push_back(v);
    if (found.size() > most || seen.size() > 16 * most) return std::nullopt;
    for (Index j = 0; j < v.size(); ++j) {
      if (!allows(j) || std::find(here.basis_.begin(), here.basis_.end(), j) != here.basis_.end()) continue;
      const Index row = here.leaving_row(j);
      if (row < 0) continue;
      std::vector<Index> basis = here.basis_;
      basis[row] = j;
      if (!seen.insert(sorted(basis)).second) continue;
      Polyhedron next = here;
      next.pivot(row, j);
      open.push_back(std::move(next));
    }
  }
  return found;
}

}  // namespace carom::numerics
