#include "carom/impact/mass_matrix.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/error.h"
#include "carom/numerics/decompositions.h"

namespace carom {
namespace {

constexpr double kSymmetryTolerance = 1e-12;  // of |M_ij - M_ji| relative to sqrt(M_ii M_jj)
constexpr double kPivotTolerance = 1e-14;     // of a squared pivot relative to its diagonal entry

void require_finite_and_positive_diagonal(const Matrix& M) {
  for (Index i = 0; i < M.rows(); ++i)
    for (Index j = 0; j < M.cols(); ++j)
      if (!std::isfinite(M(i, j)))
        throw InputError(fmt::format("M[{}][{}]", i, j), fmt::format("{} is not a finite number", M(i, j)));
  for (Index i = 0; i < M.rows(); ++i)
    if (M(i, i) <= 0)
      throw InputError(fmt::format("M[{0}][{0}]", i),
                       fmt::format("{} is not positive; the mass matrix must be positive definite", M(i, i)));
}

void require_symmetric(const Matrix& M) {
  for (Index i = 0; i < M.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if (std::abs(M(i, j) - M(j, i)) > kSymmetryTolerance * std::sqrt(M(i, i)) * std::sqrt(M(j, j)))
        throw InputError(
            fmt::format("M[{}][{}]", i, j),
            fmt::format("{} differs from M[{}][{}] = {}; the mass matrix must be symmetric", M(i, j), j, i, M(j, i)));
}

/// The Cholesky factor of the symmetric part; throws where a pivot shows that M is not positive definite.
Matrix cholesky(const Matrix& M) {
  const Vector scale = M.diagonal().cwiseSqrt();
  const Matrix unit = scale.cwiseInverse().asDiagonal() * M * scale.cwiseInverse().asDiagonal();
  const numerics::Cholesky factor(unit);
  if (!factor.is_positive_definite() || factor.least_pivot() <= kPivotTolerance)
    throw InputError("M", "is not positive definite; some motion would have no inertia");
  return scale.asDiagonal() * factor.L();
}

}  // namespace

MassMatrix MassMatrix::diagonal(Vector masses) {
  for (Index i = 0; i < masses.size(); ++i)
    if (!(masses[i] > 0) || !std::isfinite(masses[i]))
      throw InputError(fmt::format("mass[{}]", i), fmt::format("{} is not a positive finite mass", masses[i]));
  MassMatrix result;
  result.size_ = masses.size();
  result.diagonal_ = std::move(masses);
  return result;
}

MassMatrix MassMatrix::block_diagonal(const std::vector<Matrix>& blocks) {
  MassMatrix result;
  for (const Matrix& M : blocks) {
    if (M.rows() != M.cols()) throw InputError("M", fmt::format("{} x {} is not square", M.rows(), M.cols()));
    require_finite_and_positive_diagonal(M);
    require_symmetric(M);
    Matrix symmetric = 0.5 * (M + M.transpose());
    Matrix L = cholesky(symmetric);
    result.block_of_row_.insert(result.block_of_row_.end(), M.rows(), static_cast<Index>(result.blocks_.size()));
    result.blocks_.push_back({result.size_, std::move(symmetric), std::move(L)});
    result.size_ += M.rows();
  }
  return result;
}

MassMatrix MassMatrix::dense(const Matrix& M) {
  if (M.rows() == M.cols() && M.isDiagonal(0)) {
    require_finite_and_positive_diagonal(M);
    return diagonal(M.diagonal());
  }
  return block_diagonal({M});
}

Vector MassMatrix::operator*(Vector u) const {
  if (is_diagonal()) {
    u.array() *= diagonal_.array();
    return u;
  }
  Vector p(size_);
  for (const Block& block : blocks_)
    p.segment(block.offset, block.M.rows()).noalias() = block.M * u.segment(block.offset, block.M.rows());
  return p;
}

Vector MassMatrix::solve(Vector p) const {
  if (is_diagonal()) p.array() /= diagonal_.array();
  for (const Block& block : blocks_) {
    auto part = p.segment(block.offset, block.M.rows());
    block.L.triangularView<Eigen::Lower>().solveInPlace(part);
    block.L.transpose().triangularView<Eigen::Upper>().solveInPlace(part);
  }
  return p;
}

template <class Scale, class Apply>
SparseMatrix MassMatrix::by_blocks(const SparseMatrix& W, Scale&& scale, Apply&& apply) const {
  if (is_diagonal()) {
    SparseMatrix result = W;
    for (Index j = 0; j < result.outerSize(); ++j)
      for (SparseMatrix::InnerIterator entry(result, j); entry; ++entry)
        scale(entry.valueRef(), diagonal_[entry.row()]);
    return result;
  }
  SparseMatrix result(W.rows(), W.cols());
  Index reserve = 0;
  for (Index j = 0; j < W.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(W, j); entry; ++entry)
      reserve += blocks_[block_of_row_[entry.row()]].M.rows();
  result.reserve(std::min(reserve, W.rows() * W.cols()));
  Vector part;
  for (Index j = 0; j < W.outerSize(); ++j) {
    result.startVec(j);
    for (SparseMatrix::InnerIterator entry(W, j); entry;) {
      const Block& block = blocks_[block_of_row_[entry.row()]];
      part.setZero(block.M.rows());
      for (; entry && entry.row() < block.offset + block.M.rows(); ++entry)
        part[entry.row() - block.offset] = entry.value();
      apply(block, part);
      for (Index i = 0; i < part.size(); ++i) result.insertBack(block.offset + i, j) = part[i];
    }
  }
  result.finalize();
  return result;
}

SparseMatrix MassMatrix::solve(const SparseMatrix& W) const {
  return by_blocks(
      W, [](double& value, double mass) { value /= mass; },
      [](const Block& block, Vector& part) {
        block.L.triangularView<Eigen::Lower>().solveInPlace(part);
        block.L.transpose().triangularView<Eigen::Upper>().solveInPlace(part);
      });
}

SparseMatrix MassMatrix::operator*(const SparseMatrix& V) const {
  return by_blocks(
      V, [](double& value, double mass) { value *= mass; },
      [](const Block& block, Vector& part) { part = Vector(block.M * part); });
}

SparseMatrix MassMatrix::half_solve(const SparseMatrix& W) const {
  return by_blocks(
      W, [](double& value, double mass) { value /= std::sqrt(mass); },
      [](const Block& block, Vector& part) { block.L.triangularView<Eigen::Lower>().solveInPlace(part); });
}

Matrix MassMatrix::dense_half_solve(const SparseMatrix& W) const {
  const Vector scale = is_diagonal() ? Vector(diagonal_.cwiseSqrt().cwiseInverse()) : Vector::Ones(size_);
  Matrix X(W.rows(), W.cols());
  for (Index j = 0; j < W.outerSize(); ++j) {
    X.col(j).setZero();
    for (SparseMatrix::InnerIterator entry(W, j); entry; ++entry)
      X(entry.row(), j) = scale[entry.row()] * entry.value();
  }
  for (const Block& block : blocks_)
    block.L.triangularView<Eigen::Lower>().solveInPlace(X.middleRows(block.offset, block.M.rows()));
  return X;
}

double MassMatrix::kinetic_energy(const Vector& u) const {
  if (is_diagonal()) return 0.5 * u.dot(diagonal_.cwiseProduct(u));
  return 0.5 * u.dot(*this * u);
}

double MassMatrix::inverse_norm_squared(const Vector& p) const {
  if (is_diagonal()) return p.dot(p.cwiseQuotient(diagonal_));
  return p.dot(solve(p));
}

Matrix MassMatrix::to_dense() const {
  if (is_diagonal()) return diagonal_.asDiagonal();
  Matrix M = Matrix::Zero(size_, size_);
  for (const Block& block : blocks_) M.block(block.offset, block.offset, block.M.rows(), block.M.rows()) = block.M;
  return M;
}

}  // namespace carom
