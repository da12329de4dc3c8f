#include "carom/numerics/cone_equations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/numerics/cone_order.h"
#include "carom/numerics/decompositions.h"
#include "carom/numerics/dense_kernels.h"
#include "carom/numerics/sparse_decompositions.h"
#include "carom/numerics/sparse_products.h"

namespace carom::numerics {
namespace {

constexpr double kRounding = 4e-15;       // of w, relative to its terms
constexpr double kNegligible = 0.01;      // part of F below which rounding is not looked at closely
constexpr double kSparseProximal = 1e-6;  // added always
constexpr double kPivot = 0.01;           // of the largest entry of a column: what a diagonal one may be
constexpr Index kDenseRows = 150;         // up to this many rows matrices are dense
constexpr double kFull = 0.3;             // or with this share of entries
constexpr double kVectorPasses = 25;      // over all rows in a gradient step, besides the product
constexpr double kSparseOverhead = 250;   // gradient steps that a sparse factorization costs at least
constexpr double kFillOfPivoting = 30;    // multiplications of one that pivots over one that does not

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

double length_of(const double* v, int size) {
  return size == 2 ? std::sqrt(v[0] * v[0] + v[1] * v[1]) : size == 1 ? std::abs(v[0]) : 0;
}

/// Which contacts feel each other.
SparseMatrix graph_of(const SparseMatrix& A, const std::vector<FrictionCone>& cones) {
  std::vector<int> contact(at(A.cols()));
  for (std::size_t c = 0; c < cones.size(); ++c)
    std::fill_n(contact.begin() + cones[c].row, 1 + cones[c].tangents, static_cast<int>(c));
  std::vector<Eigen::Triplet<double>> edges;
  edges.reserve(at(A.nonZeros()));
  for (std::size_t c = 0; c < cones.size(); ++c)
    for (Index row = cones[c].row; row <= cones[c].row + cones[c].tangents; ++row)
      for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry)
        edges.emplace_back(contact[at(entry.row())], static_cast<int>(c), 1);
  SparseMatrix graph(static_cast<Index>(cones.size()), static_cast<Index>(cones.size()));
  graph.setFromTriplets(edges.begin(), edges.end());
  return graph;
}

}  // namespace

ConeEquations::ConeEquations(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                             const Vector& terms)
    : place_(at(q.size())), scale_(q.size()), q_(q.size()), terms_(q.size()) {
  const Vector diagonal = A.diagonal();
  cones_.reserve(cones.size());
  Index next = 0;
  for (const std::size_t i : canonical_order(diagonal, q, cones)) {
    const FrictionCone& cone = cones[i];
    const double mean = diagonal.segment(cone.row, 1 + cone.tangents).mean();
    const double scale = mean > 0 ? 1 / std::sqrt(mean) : 1;
    cones_.push_back(cone);
    cones_.back().row = next;
    cones_.back().least /= scale;
    for (Index row = cone.row; row <= cone.row + cone.tangents; ++row, ++next) {
      place_[at(row)] = next;
      scale_[row] = scale;
      q_[next] = scale * q[row];
      terms_[next] = scale * std::abs(terms.size() > 0 ? terms[row] : q[row]);
    }
  }
  weight_ = size() > 0 ? terms_.maxCoeff() : 0;
  for (const FrictionCone& cone : cones_) weight_ = std::max(weight_, cone.least);  // the diagonal is one
  const double entries = static_cast<double>(A.nonZeros());
  const double all = static_cast<double>(size()) * static_cast<double>(size());
  const bool is_full = entries > kFull * all;
  dense_ = size() <= kDenseRows || is_full;
  gradient_cost_ = (is_full ? all : entries) + kVectorPasses * static_cast<double>(size());
  if (is_full) {
    fill(A);
    return;
  }
  // Read by columns in their new order and written as rows, the entries of each come in order.
  std::vector<Index> row_at(at(size()));
  for (Index row = 0; row < size(); ++row) row_at[at(place_[at(row)])] = row;
  sparse_.resize(size(), size());
  sparse_.resizeNonZeros(A.nonZeros());
  int* first = sparse_.outerIndexPtr();
  std::fill_n(first, size() + 1, 0);
  for (Index j = 0; j < size(); ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) ++first[place_[at(entry.row())] + 1];
  std::partial_sum(first, first + size() + 1, first);
  std::vector<int> free(first, first + size());
  for (Index k = 0; k < size(); ++k)
    for (SparseMatrix::InnerIterator entry(A, row_at[at(k)]); entry; ++entry) {
      const int to = free[at(place_[at(entry.row())])]++;
      sparse_.innerIndexPtr()[to] = static_cast<int>(k);
      sparse_.valuePtr()[to] = scaled(entry);
    }
  if (dense_) find_narrow_order();
  if (dense_ && narrow_.empty()) fill(A);
}

void ConeEquations::fill(const SparseMatrix& A) {
  full_.setZero(size(), size());
  for (Index j = 0; j < size(); ++j)
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      full_(place_[at(entry.row())], place_[at(j)]) = scaled(entry);
}

Vector ConeEquations::start() const {
  Vector x = Vector::Zero(size());
  for (const FrictionCone& cone : cones_) x[cone.row] = cone.least;
  return x;
}

Vector ConeEquations::ordered(const Vector& x) const {
  Vector result(size());
  for (Index row = 0; row < size(); ++row) result[place_[at(row)]] = x[row] / scale_[row];
  return result;
}

Vector ConeEquations::original(const Vector& x) const {
  Vector result(size());
  for (Index row = 0; row < size(); ++row) result[row] = x[place_[at(row)]] * scale_[row];
  return result;
}

void ConeEquations::multiply(const Vector& x, Vector& Ax) const {
  if (sparse_.size() > 0)
    transposed_product(sparse_, x, Ax);  // the same matrix, read by rows
  else
    symmetric_product(full_, x, Ax);
}

void ConeEquations::residual(const Vector& x, const Vector& w, Vector& F) const {
  for (const FrictionCone& cone : cones_) {
    const Index n = cone.row;
    F[n] = x[n] - std::max(cone.least, x[n] - w[n]);
    const double* along = x.data() + n + 1;
    const double* slip = w.data() + n + 1;
    double* residual = F.data() + n + 1;
    if (cone.slides()) {
      for (int t = 0; t < cone.tangents; ++t) residual[t] = along[t] + cone.mu * x[n] * cone.slide[t];
      continue;
    }
    double target[2] = {};
    for (int t = 0; t < cone.tangents; ++t) target[t] = along[t] - slip[t];
    const double radius = cone.mu * std::max(0.0, x[n]), length = length_of(target, cone.tangents);
    for (int t = 0; t < cone.tangents; ++t)
      residual[t] = length > radius ? along[t] - target[t] * (radius / length) : slip[t];
  }
}

void ConeEquations::project(Vector& x) const {
  for (const FrictionCone& cone : cones_) {
    double& normal = x[cone.row];
    double* along = x.data() + cone.row + 1;
    const double mu = cone.mu;
    if (cone.slides()) {
      normal = std::max(normal, cone.least);
      for (int t = 0; t < cone.tangents; ++t) along[t] = -mu * normal * cone.slide[t];
      continue;
    }
    const double length = length_of(along, cone.tangents);
    if (length > mu * normal) normal = mu * length <= -normal ? 0 : (normal + mu * length) / (1 + mu * mu);
    normal = std::max(normal, cone.least);
    if (length > mu * normal)
      for (int t = 0; t < cone.tangents; ++t) along[t] *= mu * normal / length;
  }
}

double ConeEquations::largest_row_sum() const {
  if (largest_row_sum_ >= 0) return largest_row_sum_;
  if (full_.size() > 0) return largest_row_sum_ = full_.cwiseAbs().colwise().sum().maxCoeff();
  for (Index i = 0; i < size(); ++i) largest_row_sum_ = std::max(largest_row_sum_, sparse_.col(i).cwiseAbs().sum());
  return largest_row_sum_;
}

double ConeEquations::residual(const Vector& F, const Vector& x) const {
  if (!(weight_ > 0)) return 0;
  const double largest = F.cwiseAbs().maxCoeff();
  const double rounding = kRounding * (weight_ + largest_row_sum() * x.cwiseAbs().maxCoeff());
  if (!(rounding > kNegligible * largest)) return largest / weight_;
  Vector terms = terms_;
  if (full_.size() > 0)
    terms.noalias() += full_.cwiseAbs() * x.cwiseAbs();
  else
    terms += sparse_.cwiseAbs().transpose() * x.cwiseAbs();
  return std::max((F.cwiseAbs() - kRounding * terms).maxCoeff() / weight_, 0.0);
}

ConeEquations::Rows ConeEquations::derivative(const FrictionCone& cone, const Vector& x, const Vector& w) const {
  const Index n = cone.row;
  Rows rows;
  const bool closed = x[n] - w[n] > cone.least + kRounding * weight_;  // else it carries nothing that counts
  (closed ? rows.across : rows.own)(0, 0) = 1;
  if (cone.slides()) {
    for (int t = 0; t < cone.tangents; ++t) {
      rows.own(1 + t, 1 + t) = 1;
      rows.own(1 + t, 0) = cone.mu * cone.slide[t];
    }
    return rows;
  }
  double target[2] = {};
  for (int t = 0; t < cone.tangents; ++t) target[t] = x[n + 1 + t] - w[n + 1 + t];
  const double radius = cone.mu * std::max(0.0, x[n]), length = length_of(target, cone.tangents);
  if (cone.tangents > 0 && length <= radius) {
    for (int t = 0; t < cone.tangents; ++t) rows.across(1 + t, 1 + t) = 1;
    return rows;
  }
  rows.open = !closed && !(x[n] > 0 && cone.tangents > 0);
  for (int i = 0; i < cone.tangents; ++i) {
    for (int t = 0; t < cone.tangents; ++t) {
      const double same = i == t ? 1 : 0, turning = radius / length * (same - target[i] / length * target[t] / length);
      rows.across(1 + i, 1 + t) = turning;
      rows.own(1 + i, 1 + t) = same - turning;
    }
    if (x[n] > 0) rows.own(1 + i, 0) = -cone.mu * target[i] / length;
  }
  return rows;
}

bool ConeEquations::newton_costs_less_than(double multiplications, const Vector& x) {
  if (dense_) {
    double rows = 0;
    for (const FrictionCone& cone : cones_)
      if (x[cone.row] > kRounding * weight_) rows += 1 + cone.tangents;
    return rows * rows * rows / 3 < multiplications;
  }
  if (newton_cost_ == 0) {
    const double least = kSparseOverhead * gradient_cost_;
    if (least >= multiplications) return false;  // whatever the pattern is
    const double rows = static_cast<double>(size()) / static_cast<double>(cones_.size());
    newton_cost_ = least + kFillOfPivoting * rows * rows * rows * factorization_cost(graph_of(sparse_, cones_));
  }
  return newton_cost_ < multiplications;
}

std::optional<Vector> ConeEquations::newton_step(const Vector& x, const Vector& w, const Vector& F, bool& singular) {
  std::vector<Rows> rows;
  rows.reserve(cones_.size());
  for (const FrictionCone& cone : cones_) rows.push_back(derivative(cone, x, w));
  Vector change = -F;
  if (!narrow_.empty())
    narrow_step(rows, change, singular);
  else if (dense_)
    dense_step(rows, change, singular);
  else if (!sparse_step(rows, change))
    return std::nullopt;
  return all_finite(change) ? std::optional(std::move(change)) : std::nullopt;
}

/// `change` comes as -F. Open contacts leave the system first.
void ConeEquations::dense_step(const std::vector<Rows>& rows, Vector& change, bool& singular) {
  std::vector<Index> coupled;
  coupled.reserve(at(size()));
  Vector known = Vector::Zero(size()), pushed(size());
  for (std::size_t c = 0; c < rows.size(); ++c)
    for (Index row = cones_[c].row; row <= cones_[c].row + cones_[c].tangents; ++row) {
      if (rows[c].open)
        known[row] = change[row];
      else
        coupled.push_back(row);
    }
  const auto count = static_cast<Index>(coupled.size());
  if (count == 0) return;
  multiply(known, pushed);
  Matrix J(count, count);
  Vector right(count);
  Index first = 0;  // row of the contact in J
  for (std::size_t c = 0; c < rows.size(); ++c) {
    if (rows[c].open) continue;
    const Index n = cones_[c].row, k = 1 + cones_[c].tangents;
    const Eigen::Matrix3d& across = rows[c].across;
    for (Index j = 0; j < count; ++j) {
      const double* from = full_.data() + n + coupled[at(j)] * size();
      double* to = J.data() + first + j * count;
      to[0] = across(0, 0) * from[0];
      if (k == 2) to[1] = across(1, 1) * from[1];
      if (k == 3) {
        to[1] = across(1, 1) * from[1] + across(1, 2) * from[2];
        to[2] = across(2, 1) * from[1] + across(2, 2) * from[2];
      }
    }
    J.block(first, first, k, k) += rows[c].own.topLeftCorner(k, k);
    right.segment(first, k) = change.segment(n, k) - across.topLeftCorner(k, k) * pushed.segment(n, k);
    first += k;
  }
  Lu factor(J);
  singular = factor.is_singular(kSingular);
  if (singular) {
    first = 0;
    for (std::size_t c = 0; c < rows.size(); ++c) {
      if (rows[c].open) continue;
      const Index k = 1 + cones_[c].tangents;
      J.block(first, first, k, k) += kProximal * rows[c].across.topLeftCorner(k, k);
      first += k;
    }
    factor.compute(J);
  }
  right = factor.solve(right);
  for (Index i = 0; i < count; ++i) change[coupled[at(i)]] = right[i];
}

ConeEquations::Coupled ConeEquations::coupled(const std::vector<Rows>& rows, const Vector& change,
                                              const std::vector<Index>& in_J, Index count, double proximal) const {
  Vector known = Vector::Zero(size()), pushed(size());
  for (Index row = 0; row < size(); ++row)
    if (in_J[at(row)] < 0) known[row] = change[row];
  multiply(known, pushed);
  Coupled result;
  result.entries.reserve(at(sparse_.nonZeros()));
  result.right.resize(count);
  for (std::size_t c = 0; c < rows.size(); ++c) {
    if (rows[c].open) continue;
    const Index n = cones_[c].row, k = 1 + cones_[c].tangents;
    for (Index i = 0; i < k; ++i) {
      const int own_row = static_cast<int>(in_J[at(n + i)]);
      double& right = result.right[own_row] = change[n + i];
      for (Index t = 0; t < k; ++t) {
        const double across = rows[c].across(i, t), own = rows[c].own(i, t) + proximal * across;
        if (own != 0) result.entries.emplace_back(own_row, static_cast<int>(in_J[at(n + t)]), own);
        if (across == 0) continue;
        right -= across * pushed[n + t];
        for (SparseMatrix::InnerIterator entry(sparse_, n + t); entry; ++entry)
          if (const Index column = in_J[at(entry.row())]; column >= 0)
            result.entries.emplace_back(own_row, static_cast<int>(column), across * entry.value());
      }
    }
  }
  return result;
}

bool ConeEquations::sparse_step(const std::vector<Rows>& rows, Vector& change) {
  std::vector<Index> in_J(at(size()), -1);
  Index count = 0;
  for (std::size_t c = 0; c < rows.size(); ++c)
    for (Index row = cones_[c].row; !rows[c].open && row <= cones_[c].row + cones_[c].tangents; ++row)
      in_J[at(row)] = count++;
  if (count == 0) return true;
  const Coupled system = coupled(rows, change, in_J, count, kSparseProximal);
  SparseMatrix J(count, count);
  J.setFromTriplets(system.entries.begin(), system.entries.end());
  const SparseLu factor(J, kPivot);
  if (factor.is_singular()) return false;
  const double filled = factor.entries();
  newton_cost_ = filled * filled / (4 * static_cast<double>(count)) + kSparseOverhead * gradient_cost_;
  const Vector found = factor.solve(system.right);
  for (Index row = 0; row < size(); ++row)
    if (const Index from = in_J[at(row)]; from >= 0) change[row] = found[from];
  return true;
}

}  // namespace carom::numerics
