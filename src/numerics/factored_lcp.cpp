#include "numerics/factored_lcp.h"

#include <Eigen/QR>
#include <algorithm>
#include <vector>

namespace carom::numerics {
namespace {

constexpr double kDependentColumns = 1e-10;  // of R, in columns of unit length
constexpr double kRoundingOfW = 1e-14;       // relative to the terms of w
constexpr int kRefinements = 3;
constexpr double kLargeSolution = 1e4;  // relative to q, in unknowns of unit diagonal

/// V_A'V_A z = -q_A, or nothing if the columns are dependent.
std::optional<Vector> solve_active(const Matrix& V, const Vector& q, const std::vector<Index>& active) {
  const Matrix columns = V(Eigen::all, active);
  if (columns.cols() > columns.rows()) return std::nullopt;
  const Eigen::HouseholderQR<Matrix> factor(columns);
  const Index k = columns.cols();
  const auto R = factor.matrixQR().topLeftCorner(k, k).triangularView<Eigen::Upper>();
  if (factor.matrixQR().diagonal().head(k).cwiseAbs().minCoeff() <= kDependentColumns) return std::nullopt;
  const Vector right = -q(active);
  Vector z = Vector::Zero(k);
  for (int pass = 0; pass <= kRefinements; ++pass) {
    const Vector missed = right - columns.transpose() * Vector(columns * z);
    z += R.solve(Vector(R.transpose().solve(missed)));
  }
  return z;
}

}  // namespace

bool is_ill_conditioned(const SparseMatrix& A, const Vector& q, const Vector& x) {
  double size = 0, largest = 0;  // squares
  for (Index i = 0; i < q.size(); ++i) {
    const double diagonal = A.coeff(i, i);
    if (!(diagonal > 0)) continue;
    size = std::max(size, q[i] * q[i] / diagonal);
    largest = std::max(largest, x[i] * x[i] * diagonal);
  }
  return largest > kLargeSolution * kLargeSolution * size;
}

std::optional<LcpSolution> solve_factored_lcp(Matrix V, Vector q, Vector terms) {
  const Index m = q.size();
  const Vector length = V.colwise().norm();
  if (!(length.minCoeff() > 0)) return std::nullopt;
  V = V * length.cwiseInverse().asDiagonal();
  q = q.cwiseQuotient(length);
  terms = terms.cwiseQuotient(length).cwiseMax(q.cwiseAbs());
  LcpSolution solution;
  Vector x = Vector::Zero(m);
  std::vector<Index> active;
  for (Index round = 0; round < 3 * m + 20; ++round) {
    const Vector moved = V * x, w = V.transpose() * moved + q;
    const Vector rounding = kRoundingOfW * (terms + V.cwiseAbs().transpose() * moved.cwiseAbs());
    Index worst = -1;
    for (Index i = 0; i < m; ++i)
      if (std::find(active.begin(), active.end(), i) == active.end() && w[i] < -rounding[i] &&
          (worst < 0 || w[i] < w[worst]))
        worst = i;
    if (worst < 0) {
      solution.status = LcpStatus::solved;
      solution.x = x.cwiseQuotient(length);
      solution.w = w.cwiseProduct(length);
      return solution;
    }
    active.push_back(worst);
    for (bool inside = false; !inside;) {
      ++solution.iterations;
      const std::optional<Vector> goal = solve_active(V, q, active);
      if (!goal) return std::nullopt;
      double share = 1;
      std::size_t leaving = active.size();
      for (std::size_t k = 0; k < active.size(); ++k) {
        const double to = (*goal)[static_cast<Index>(k)], from = x[active[k]];
        if (to > 0 || from - to <= 0) continue;
        if (const double part = from / (from - to); part < share || leaving == active.size()) {
          share = std::min(share, part);
          leaving = k;
        }
      }
      for (std::size_t k = 0; k < active.size(); ++k)
        x[active[k]] += share * ((*goal)[static_cast<Index>(k)] - x[active[k]]);
      inside = leaving == active.size();
      if (inside) continue;
      x[active[leaving]] = 0;
      active.erase(active.begin() + static_cast<std::ptrdiff_t>(leaving));
      if (active.empty()) break;
    }
  }
  return std::nullopt;
}

}  // namespace carom::numerics
