#pragma once

#include <Eigen/QR>
#include <cmath>
#include <vector>

#include "carom/numerics/lcp.h"

namespace carom::testing {

using numerics::LcpSolution;
using numerics::LcpStatus;

inline constexpr double kPivot = 1e-11;  // of a tableau entry: smaller ones are zero
inline constexpr double kTie = 1e-12;    // of two ratios, relative: closer ones are equal

/// The tableau of  w - A z - z0 1 = q. Columns 0 .. n-1 are w, n .. 2n-1 are z, 2n is z0, the last is the right-hand
/// side. The columns of w hold the inverse of the basis, which the lexicographic rule compares.
class Tableau {
 public:
  Tableau(const Matrix& A, const Vector& q) : n(q.size()), basic(n), T(n, 2 * n + 2) {
    T.leftCols(n).setIdentity();
    T.middleCols(n, n) = -A;
    T.col(2 * n).setConstant(-1);
    T.col(2 * n + 1) = q;
    for (Index i = 0; i < n; ++i) basic[i] = i;
  }

  void pivot(Index row, Index column) {
    T.row(row) /= T(row, column);
    for (Index i = 0; i < n; ++i)
      if (i != row && T(i, column) != 0) T.row(i) -= T(i, column) * T.row(row);
    basic[row] = column;
  }

  /// Whether row a divided by its entry comes before row b divided by its own, at the given divisors.
  bool before(Index a, double divisor_a, Index b, double divisor_b) const {
    if (const int sign = compare(T(a, 2 * n + 1) / divisor_a, T(b, 2 * n + 1) / divisor_b)) return sign < 0;
    for (Index j = 0; j < n; ++j)
      if (const int sign = compare(T(a, j) / divisor_a, T(b, j) / divisor_b)) return sign < 0;
    return false;
  }

  /// The row whose basic unknown first reaches zero as `column` grows; -1 if none does.
  Index leaving(Index column) const {
    Index best = -1;
    for (Index i = 0; i < n; ++i) {
      if (T(i, column) <= kPivot) continue;
      if (best < 0 || before(i, T(i, column), best, T(best, column))) best = i;
    }
    if (best < 0) return best;
    for (Index i = 0; i < n; ++i)  // z0 leaves as soon as it can
      if (basic[i] == 2 * n && T(i, column) > kPivot &&
          compare(T(i, 2 * n + 1) / T(i, column), T(best, 2 * n + 1) / T(best, column)) <= 0)
        return i;
    return best;
  }

  static int compare(double a, double b) {
    if (std::abs(a - b) <= kTie * (std::abs(a) + std::abs(b)) || std::abs(a - b) < 1e-300) return 0;
    return a < b ? -1 : 1;
  }

  Index n;
  std::vector<Index> basic;
  Matrix T;
};

/// Solves again with the basis that Lemke's method found, to undo the rounding of its pivots.
inline void polish(const Matrix& A, const Vector& q, Vector& z) {
  std::vector<Index> support;
  for (Index i = 0; i < z.size(); ++i)
    if (z[i] > 0) support.push_back(i);
  if (support.empty()) return;
  const Vector polished = Matrix(A(support, support)).completeOrthogonalDecomposition().solve(-q(support));
  if (polished.minCoeff() < 0) return;
  Vector candidate = Vector::Zero(z.size());
  candidate(support) = polished;
  const auto violation = [&](const Vector& v) { return (A * v + q).cwiseMin(v).cwiseAbs().maxCoeff(); };
  if (violation(candidate) <= violation(z)) z = candidate;
}

/// Lemke's method with lexicographic ratio test: a second way to the answers of numerics::solve_lcp, sharing nothing
/// with it.
inline LcpSolution solve_lemke(const Matrix& A, const Vector& q) {
  LcpSolution solution;
  const Index n = q.size();
  solution.x = Vector::Zero(n);
  solution.w = q;
  solution.status = LcpStatus::solved;
  if (n == 0 || q.minCoeff() >= 0) return solution;

  Tableau tableau(A, q);
  Index row = 0;
  for (Index i = 1; i < n; ++i)
    if (tableau.before(i, 1, row, 1)) row = i;
  Index entering = 2 * n;
  solution.status = LcpStatus::iteration_limit;
  for (Index step = 0; step < 50 * n + 100; ++step) {
    ++solution.iterations;
    const Index left = tableau.basic[row];
    tableau.pivot(row, entering);
    if (left == 2 * n) {
      solution.status = LcpStatus::solved;
      break;
    }
    entering = left < n ? left + n : left - n;
    row = tableau.leaving(entering);
    if (row < 0) {
      solution.status = LcpStatus::infeasible;
      return solution;
    }
  }
  for (Index i = 0; i < n; ++i)
    if (tableau.basic[i] >= n && tableau.basic[i] < 2 * n)
      solution.x[tableau.basic[i] - n] = std::max(0.0, tableau.T(i, 2 * n + 1));
  if (solution.status == LcpStatus::solved) polish(A, q, solution.x);
  solution.w = A * solution.x + q;
  return solution;
}

}  // namespace carom::testing
