#include "carom/numerics/lcp.h"

#include <vector>

#include "carom/numerics/active_set.h"
#include "carom/numerics/banded_faces.h"
#include "carom/numerics/least_norm.h"
#include "carom/numerics/small_lcp.h"
#include "carom/numerics/sparse_products.h"

namespace carom::numerics {
namespace {

constexpr Index kDenseSize = 40;              // up to here dense arithmetic is faster whatever the pattern
constexpr double kDenseFill = 0.2;            // beyond this share of entries a larger matrix is treated as dense
constexpr Index kNarrowBand = 8;              // up to here the given order has no more fill than a computed one
constexpr Index kLeastNormSize = 400;         // up to here a singular face gets its exact least-norm solution
constexpr double kUnsolved = 1e-9;            // of min(x, w), relative to q: more is no solution
constexpr double kZeroSlack = 1e-9;           // of w, relative to q: below it an unknown may be loaded
constexpr double kRoundingElsewhere = 1e-13;  // and relative to the largest
constexpr double kBlockedSlack = 1e-11;       // of q, relative to its own terms: contradictions below it are rounding

/// The problem in unknowns scaled to unit diagonal; unknowns with a zero row are blocked and stay at zero.
struct Scaling {
  Scaling(const Vector& diagonal, const Vector& q, const Vector& terms)
      : scale(unit_scale(diagonal)), blocked(diagonal.size(), 0) {
    double largest = q.cwiseAbs().maxCoeff();
    size = scale.cwiseProduct(q).cwiseAbs().maxCoeff();
    if (terms.size() > 0) {
      largest = std::max(largest, terms.maxCoeff());
      size = std::max(size, scale.cwiseProduct(terms).maxCoeff());
    }
    for (Index i = 0; i < diagonal.size(); ++i) {
      blocked[i] = scale[i] == 0;
      if (!blocked[i]) continue;
      const double slack =
          terms.size() > 0 ? kBlockedSlack * terms[i] + kRoundingElsewhere * largest : kBlockedSlack * largest;
      if (q[i] < -slack) contradiction = i;
      if (q[i] <= kZeroSlack * largest) undetermined = true;
    }
    unit_q = scale.cwiseProduct(q);
  }
  Vector scale, unit_q;
  double size = 0;  // of the terms of unit_q
  Face blocked;
  Index contradiction = -1;   // a zero row that asks for w < 0
  bool undetermined = false;  // a zero row accepts any x
};

/// A(which, which), dense.
Matrix principal(const Matrix& A, const std::vector<Index>& which) {
  return A(which, which);
}
Matrix principal(const SparseMatrix& A, const std::vector<Index>& which) {
  std::vector<Index> position(A.cols(), -1);
  for (std::size_t k = 0; k < which.size(); ++k) position[which[k]] = static_cast<Index>(k);
  Matrix result = Matrix::Zero(which.size(), which.size());
  for (std::size_t k = 0; k < which.size(); ++k)
    for (SparseMatrix::InnerIterator entry(A, which[k]); entry; ++entry)
      if (position[entry.row()] >= 0) result(position[entry.row()], k) = entry.value();
  return result;
}

/// Looks at the unknowns that carry load or could (w = 0): is x the only answer, and if not, takes the one of least
/// norm.
template <class UnitMatrix, class Faces>
bool settle(const UnitMatrix& A, const Vector& q, const Face& blocked, double scale, Faces& faces,
            ActiveSet<Faces>& active) {
  Face open_face = active.face;
  std::vector<Index> loadable;
  bool degenerate = false;
  for (Index i = 0; i < q.size(); ++i) {
    if (blocked[i]) continue;
    if (!active.face[i] && active.w[i] <= kZeroSlack * scale) open_face[i] = degenerate = true;
    if (open_face[i] || active.x[i] > 0) loadable.push_back(i);
  }
  if (!active.singular && !degenerate) return true;
  Vector unused;
  if (!active.singular && faces.solve(open_face, 0, q, unused)) return true;
  if (static_cast<Index>(loadable.size()) > kLeastNormSize) return false;

  const Matrix loaded = principal(A, loadable);
  const LeastNorm least = least_norm(loaded, q(loadable));
  if (least.nullity == 0) return true;
  if (least.found) {
    Vector candidate = Vector::Zero(q.size()), slack;
    candidate(loadable) = least.x;
    faces.multiply(candidate, slack);
    slack += q;
    if (slack.minCoeff() >= std::min(active.w.minCoeff(), -kSignTolerance * scale)) {
      active.x = candidate;
      active.w = slack;
    }
  }
  return is_unique(loaded, active.x(loadable));
}

template <class Faces, class UnitMatrix>
LcpSolution solve_scaled(const UnitMatrix& unit, const Scaling& scaling) {
  LcpSolution solution;
  Faces faces(unit);
  ActiveSet<Faces> active(faces, scaling.unit_q, scaling.blocked, scaling.size);
  solution.status = active.run();
  solution.iterations = active.iterations;
  if (solution.status == LcpStatus::solved)
    solution.unique =
        settle(unit, scaling.unit_q, scaling.blocked, scaling.size, faces, active) && !scaling.undetermined;
  const double rounding = kSignOfLarge * active.x.cwiseAbs().maxCoeff();
  if (solution.status == LcpStatus::solved && active.violation() > kUnsolved * scaling.size + rounding)
    solution.status = LcpStatus::iteration_limit;
  solution.x = scaling.scale.cwiseProduct(active.x);
  if (active.ray.size() > 0) {
    solution.ray = scaling.scale.cwiseProduct(active.ray);
    solution.ray /= solution.ray.maxCoeff();
  }
  return solution;
}

LcpSolution nothing_to_solve() {
  LcpSolution solution;
  solution.status = LcpStatus::solved;
  return solution;
}

LcpSolution contradiction(Index size, Index row) {
  LcpSolution solution;
  solution.status = LcpStatus::infeasible;
  solution.x = solution.w = Vector::Zero(size);
  solution.ray = Vector::Unit(size, row);
  return solution;
}

Matrix unit_diagonal(const Eigen::Ref<const Matrix>& A, const Vector& scale) {
  Matrix unit = scale.asDiagonal() * A * scale.asDiagonal();
  unit.diagonal().setOnes();
  return unit;
}

SparseMatrix unit_diagonal(const SparseMatrix& A, const Vector& scale) {
  SparseMatrix unit(A.rows(), A.cols());
  unit.reserve(A.nonZeros() + A.rows());
  for (Index j = 0; j < A.outerSize(); ++j) {
    unit.startVec(j);
    bool diagonal = false;
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (!diagonal && entry.row() >= j) {
        unit.insertBack(j, j) = 1;
        diagonal = true;
      }
      if (entry.row() != j) unit.insertBack(entry.row(), j) = scale[entry.row()] * entry.value() * scale[j];
    }
    if (!diagonal) unit.insertBack(j, j) = 1;
  }
  unit.finalize();
  return unit;
}

LcpSolution solve_dense(const Eigen::Ref<const Matrix>& A, const Vector& q, const Vector& terms) {
  if (q.size() == 0) return nothing_to_solve();
  if (q.size() <= kSmallLcp)
    if (std::optional<LcpSolution> solution = solve_small_lcp(A, q, terms)) return *std::move(solution);
  const Scaling scaling(A.diagonal(), q, terms);
  if (scaling.contradiction >= 0) return contradiction(q.size(), scaling.contradiction);
  LcpSolution solution = solve_scaled<DenseFaces>(unit_diagonal(A, scaling.scale), scaling);
  solution.w = A * solution.x + q;
  return solution;
}

}  // namespace

LcpSolution solve_lcp(const Matrix& A, const Vector& q, const Vector& terms) {
  return solve_dense(A, q, terms);
}

LcpSolution solve_lcp(const SparseMatrix& A, const Vector& q, const Vector& terms) {
  if (is_full(A)) return solve_dense(dense_view(A), q, terms);
  if (A.rows() <= kSmallLcp) return solve_dense(SmallMatrix(A), q, terms);
  const double entries = static_cast<double>(A.rows()) * static_cast<double>(A.cols());
  if (A.rows() <= kDenseSize || static_cast<double>(A.nonZeros()) > kDenseFill * entries)
    return solve_dense(Matrix(A), q, terms);
  const Scaling scaling(A.diagonal(), q, terms);
  if (scaling.contradiction >= 0) return contradiction(q.size(), scaling.contradiction);
  const SparseMatrix unit = unit_diagonal(A, scaling.scale);
  LcpSolution solution = bandwidth(unit) <= kNarrowBand ? solve_scaled<BandedFaces>(unit, scaling)
                                                        : solve_scaled<SparseFaces>(unit, scaling);
  solution.w = A * solution.x + q;
  return solution;
}

}  // namespace carom::numerics
