#include "carom/numerics/decompositions.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom::numerics {
namespace {

template <class Factor>
void set_rank_threshold(Factor& factor, RankThreshold threshold) {
  if (!threshold.is_default()) factor.setThreshold(threshold.part());
}

}  // namespace

Cholesky::Cholesky(const Matrix& A) {
  const Eigen::LLT<Matrix> factor(A);
  positive_ = factor.info() == Eigen::Success;
  L_ = factor.matrixLLT();
}

double Cholesky::least_pivot() const {
  return L_.diagonal().cwiseAbs2().minCoeff();
}

double Cholesky::determinant() const {
  return positive_ ? L_.diagonal().cwiseAbs2().prod() : 0;
}

Matrix Cholesky::L() const {
  return L_.triangularView<Eigen::Lower>();
}

Vector Cholesky::solve(const Vector& b) const {
  Vector x = b;
  L_.triangularView<Eigen::Lower>().solveInPlace(x);
  L_.adjoint().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

Vector solve_semidefinite(const Matrix& A, const Vector& b) {
  return A.ldlt().solve(b);
}

SpectrumOf<Vector, Matrix> symmetric_spectrum(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

/// The same method, QR steps with Wilkinson's shift, written out: two rows need no reduction and few steps.
SpectrumOf<Eigen::Vector2d, Eigen::Matrix2d> symmetric_spectrum(const Eigen::Matrix2d& A) {
  constexpr int kSteps = 60;
  constexpr double kRounding = std::numeric_limits<double>::epsilon(), kTiny = std::numeric_limits<double>::min();
  const double largest = std::max({std::abs(A(0, 0)), std::abs(A(1, 0)), std::abs(A(1, 1))});
  const double scale = largest == 0 ? 1 : largest;
  double a = A(0, 0) / scale, b = A(1, 0) / scale, c = A(1, 1) / scale;
  Eigen::Matrix2d V = Eigen::Matrix2d::Identity();
  for (int step = 0; step < kSteps; ++step) {
    const double part = b / kRounding;
    if (std::abs(b) < kTiny || part * part <= std::abs(a) + std::abs(c)) break;
    const double half = (a - c) * 0.5, root = Eigen::numext::hypot(half, b);
    const double shift = half == 0    ? c - std::abs(b)
                         : b * b == 0 ? c - b / ((half + (half > 0 ? root : -root)) / b)
                                      : c - b * b / (half + (half > 0 ? root : -root));
    Eigen::JacobiRotation<double> turn;
    turn.makeGivens(a - shift, b);
    const double cos = turn.c(), sin = turn.s();
    const double below = sin * a + cos * b, last = sin * b + cos * c;
    a = cos * (cos * a - sin * b) - sin * (cos * b - sin * c);
    c = sin * below + cos * last;
    b = cos * below - sin * last;
    V.applyOnTheRight(0, 1, turn);
  }
  if (c < a) {
    std::swap(a, c);
    V.col(0).swap(V.col(1));
  }
  return {Eigen::Vector2d(a, c) * scale, V};
}

Eigen::Vector3d symmetric_eigenvalues(const Eigen::Matrix3d& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

LargestSingular largest_singular(const Matrix& A) {
  const SpectrumOf<Vector, Matrix> squares =
      symmetric_spectrum(Matrix(A.transpose() * A));  // the largest keeps its digits
  Vector direction = squares.vectors.rightCols(1);
  const double value = (A * direction).norm();
  return {value, std::move(direction)};
}

struct PivotedQr::Factors : Eigen::ColPivHouseholderQR<Matrix> {};

PivotedQr::PivotedQr(const Matrix& A, RankThreshold threshold) : factors_(std::make_unique<Factors>()) {
  set_rank_threshold(*factors_, threshold);
  factors_->compute(A);
}
PivotedQr::PivotedQr(PivotedQr&&) noexcept = default;
PivotedQr& PivotedQr::operator=(PivotedQr&&) noexcept = default;
PivotedQr::~PivotedQr() = default;

Index PivotedQr::rank() const {
  return factors_->rank();
}

Vector PivotedQr::solve(const Vector& b) const {
  return factors_->solve(b);
}

Matrix PivotedQr::range() const {
  return factors_->householderQ() * Matrix::Identity(factors_->rows(), rank());
}

struct CompleteOrthogonal::Factors : Eigen::CompleteOrthogonalDecomposition<Matrix> {};

CompleteOrthogonal::CompleteOrthogonal(const Matrix& A, RankThreshold threshold)
    : factors_(std::make_unique<Factors>()) {
  set_rank_threshold(*factors_, threshold);
  factors_->compute(A);
}
CompleteOrthogonal::CompleteOrthogonal(CompleteOrthogonal&&) noexcept = default;
CompleteOrthogonal& CompleteOrthogonal::operator=(CompleteOrthogonal&&) noexcept = default;
CompleteOrthogonal::~CompleteOrthogonal() = default;

Index CompleteOrthogonal::rank() const {
  return factors_->rank();
}

Vector CompleteOrthogonal::solve(const Vector& b) const {
  return factors_->solve(b);
}

Matrix CompleteOrthogonal::kernel() const {
  const Index n = factors_->cols();
  if (rank() == n) return Matrix(n, 0);
  return factors_->colsPermutation() * Matrix(factors_->matrixZ().transpose()).rightCols(n - rank());
}

Matrix CompleteOrthogonal::pseudo_inverse() const {
  return factors_->pseudoInverse();
}

VectorUpTo6 least_squares(const MatrixUpTo6& A, const VectorUpTo6& b, RankThreshold threshold) {
  Eigen::CompleteOrthogonalDecomposition<MatrixUpTo6> factor;
  set_rank_threshold(factor, threshold);
  return factor.compute(A).solve(b);
}

struct Lu::Factors : Eigen::PartialPivLU<Matrix> {};

Lu::Lu() : factors_(std::make_unique<Factors>()) {}
Lu::Lu(const Matrix& A) : Lu() {
  compute(A);
}
Lu::Lu(Lu&&) noexcept = default;
Lu& Lu::operator=(Lu&&) noexcept = default;
Lu::~Lu() = default;

void Lu::compute(const Matrix& A) {
  factors_->compute(A);
}

Vector Lu::solve(const Vector& b) const {
  return factors_->solve(b);
}

Matrix Lu::solve(const Matrix& B) const {
  return factors_->solve(B);
}

Vector Lu::solve_transposed(const Vector& b) const {
  return factors_->transpose().solve(b);
}

bool Lu::is_singular(double part) const {
  const auto pivots = factors_->matrixLU().diagonal().cwiseAbs();
  return !(pivots.minCoeff() > part * pivots.maxCoeff());
}

bool Lu::has_positive_determinant() const {
  bool is_positive = factors_->permutationP().determinant() > 0;
  for (Index i = 0; i < factors_->rows(); ++i) is_positive ^= factors_->matrixLU()(i, i) < 0;
  return is_positive;
}

struct FullLu::Factors : Eigen::FullPivLU<Matrix> {
  using Eigen::FullPivLU<Matrix>::FullPivLU;
};

FullLu::FullLu(const Matrix& A) : factors_(std::make_unique<Factors>(A)) {}
FullLu::FullLu(FullLu&&) noexcept = default;
FullLu& FullLu::operator=(FullLu&&) noexcept = default;
FullLu::~FullLu() = default;

double FullLu::largest_pivot() const {
  return factors_->maxPivot();
}

void FullLu::set_threshold(RankThreshold threshold) {
  set_rank_threshold(*factors_, threshold);
}

bool FullLu::is_invertible() const {
  return factors_->isInvertible();
}

Vector FullLu::solve(const Vector& b) const {
  return factors_->solve(b);
}

Matrix FullLu::kernel() const {
  return factors_->kernel();
}

}  // namespace carom::numerics
