#include "carom/numerics/least_norm.h"

#include <vector>

#include "carom/numerics/active_set.h"
#include "carom/numerics/decompositions.h"

namespace carom::numerics {
namespace {

constexpr double kRankTolerance = 1e-11;      // of an eigenvalue, relative to the largest
constexpr double kResidualTolerance = 1e-10;  // of A x + q, relative to q
constexpr double kSurelyRegular = 1e-3;       // of the determinant of a matrix of unit diagonal
constexpr double kSupport = 1e-9;             // of x_i, relative to the largest: below it x_i counts as zero

/// Eigenvalues, ascending, and eigenvectors of a symmetric positive semidefinite matrix, with its numerical kernel.
struct Spectrum {
  explicit Spectrum(const Matrix& A) : values(A.rows()), vectors(A.rows(), A.rows()) {
    if (A.rows() == 0) return;
    SpectrumOf<Vector, Matrix> spectrum = symmetric_spectrum(A);
    values = std::move(spectrum.values);
    vectors = std::move(spectrum.vectors);
    const double largest = std::max(values[values.size() - 1], 0.0);
    while (nullity < values.size() && values[nullity] <= kRankTolerance * largest) ++nullity;
  }
  Index rank() const { return values.size() - nullity; }
  auto kernel() const { return vectors.leftCols(nullity); }
  auto range() const { return vectors.rightCols(rank()); }
  Vector pseudo_inverse_times(const Vector& b) const {
    return range() * (range().transpose() * b).cwiseQuotient(values.tail(rank()));
  }

  Vector values;
  Matrix vectors;
  Index nullity = 0;
};

/// w = P v + q >= 0, v >= 0, w'v = 0 for a projector P of any diagonal; only w matters.
bool project_to_positive(const Matrix& P, const Vector& q, Vector& w) {
  const Index n = q.size();
  const Vector scale = unit_scale((P.diagonal().array() > kRankTolerance).select(P.diagonal(), 0.0));
  Face blocked(n, 0);
  for (Index i = 0; i < n; ++i) blocked[i] = scale[i] == 0;
  Matrix unit = scale.asDiagonal() * P * scale.asDiagonal();
  unit.diagonal().setOnes();
  const Vector scaled_q = scale.cwiseProduct(q);
  DenseFaces faces(unit);
  ActiveSet<DenseFaces> active(faces, scaled_q, blocked, scaled_q.cwiseAbs().maxCoeff());
  if (active.run() != LcpStatus::solved) return false;
  w = P * scale.cwiseProduct(active.x) + q;
  return true;
}

std::vector<Index> indices_where(Index n, auto&& holds) {
  std::vector<Index> indices;
  for (Index i = 0; i < n; ++i)
    if (holds(i)) indices.push_back(i);
  return indices;
}

}  // namespace

PseudoSolution pseudo_solve(const Matrix& A, const Vector& b) {
  const Vector scale = unit_scale(A.diagonal());
  const Matrix unit = scale.asDiagonal() * A * scale.asDiagonal();
  const Vector target = scale.cwiseProduct(b);
  // The least of n eigenvalues whose sum is n is more than det / e.
  if (const Cholesky regular(unit); regular.determinant() > kSurelyRegular)
    return {scale.cwiseProduct(regular.solve(target)), 0, Matrix(A.rows(), 0)};
  const Spectrum spectrum(unit);
  const Vector x = spectrum.pseudo_inverse_times(target);
  const double whole = target.norm();
  return {scale.cwiseProduct(x), whole > 0 ? (unit * x - target).norm() / whole : 0,
          scale.asDiagonal() * spectrum.kernel()};
}

LeastNorm least_norm(const Matrix& A, const Vector& q) {
  LeastNorm result;
  const Spectrum spectrum(A);
  result.nullity = spectrum.nullity;
  result.x = spectrum.pseudo_inverse_times(-q);
  const double size = result.x.size() > 0 ? result.x.cwiseAbs().maxCoeff() : 0;
  if (size > 0 && result.x.minCoeff() < -kSignTolerance * size) {
    const Matrix P = spectrum.kernel() * spectrum.kernel().transpose();
    Vector positive;
    if (!project_to_positive(P, result.x, positive)) return result;
    // Once it is known which x_i are zero, the rest is an unconstrained least norm.
    const double largest = positive.cwiseAbs().maxCoeff();
    const auto support = indices_where(q.size(), [&](Index i) { return positive[i] > kSupport * largest; });
    const Vector polished = Spectrum(A(support, support)).pseudo_inverse_times(-q(support));
    result.x.setZero();
    result.x(support) = polished;
  }
  result.x = result.x.cwiseMax(0);
  const double scale = q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0;
  result.found = q.size() == 0 || (A * result.x + q).cwiseAbs().maxCoeff() <= kResidualTolerance * scale;
  return result;
}

bool is_unique(const Matrix& A, const Vector& x) {
  const double largest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
  const auto positive = indices_where(x.size(), [&](Index i) { return x[i] > kSupport * largest; });
  const auto zero = indices_where(x.size(), [&](Index i) { return !(x[i] > kSupport * largest); });
  const Spectrum loaded(A(positive, positive));
  if (loaded.nullity > 0) return false;
  if (zero.empty()) return true;
  // With the loaded unknowns free, is there d >= 0 in the kernel of the Schur complement S?  No, iff  S z > 0 for some
  // z >= 0, that is, iff  0 <= S z - 1 _|_ z >= 0  can be solved.
  Matrix S = A(zero, zero);
  if (!positive.empty()) {
    const Matrix coupling = A(positive, zero);
    const Matrix modes = loaded.vectors.transpose() * coupling;
    S -= modes.transpose() * loaded.values.cwiseInverse().asDiagonal() * modes;
  }
  if (S.diagonal().minCoeff() <= kRankTolerance) return false;
  const Vector scale = unit_scale(S.diagonal());
  Matrix unit = scale.asDiagonal() * S * scale.asDiagonal();
  unit.diagonal().setOnes();
  const Vector q = -scale;
  const Face blocked(q.size(), 0);
  DenseFaces faces(unit);
  return ActiveSet<DenseFaces>(faces, q, blocked, q.cwiseAbs().maxCoeff()).run() == LcpStatus::solved;
}

}  // namespace carom::numerics
