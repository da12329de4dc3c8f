#include "carom/numerics/factored_lcp.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/numerics/decompositions.h"
#include "carom/numerics/least_norm.h"

namespace carom::numerics {
namespace {

constexpr double kLargeSolution = 1e4;       // relative to q, in unknowns of unit diagonal
constexpr double kLooseEnd = 1e-11;          // of its terms: what a column of zeros may ask for and be ignored
constexpr double kRoundingOfOthers = 1e-13;  // and of the largest term
constexpr double kOptimal = 1e-13;           // of a slope, relative to its terms: no reason to load an unknown
constexpr double kNearZero = 1e-7;           // of the last residual: nearer to zero there is no solution
constexpr double kRankOfColumns = 1e-13;
constexpr double kRoundingOfW = 1e-12;    // relative to the terms of w
constexpr double kBalanced = 1e-11;       // of the columns of a ray that must add up to nothing
constexpr double kCouldLoad = 1e-9;       // of w, relative to the largest term: below it an unknown may be loaded
constexpr double kUnknownIsZero = 1e-14;  // of the largest unknown: below it rounding
constexpr int kRefinements = 3;

/// min |A z - b|^2, z >= 0, by the active-set method of Lawson and Hanson. Nothing if it does not end.
std::optional<Vector> nonnegative_least_squares(const Matrix& A, const Vector& b) {
  const Index m = A.cols();
  Vector z = Vector::Zero(m);
  std::vector<Index> active;
  std::vector<char> barred(static_cast<std::size_t>(m), 0);  // loading it has just failed
  for (Index round = 0; round < 6 * m + 40; ++round) {
    const Vector left = b - A * z, slope = A.transpose() * left;
    const Vector terms = A.cwiseAbs().transpose() * left.cwiseAbs();
    Index best = -1;
    for (Index i = 0; i < m; ++i)
      if (z[i] == 0 && !barred[i] && slope[i] > kOptimal * (terms[i] + A.col(i).norm() * b.norm()) &&
          (best < 0 || slope[i] > slope[best]))
        best = i;
    if (best < 0) return z;
    active.push_back(best);
    bool first = true;
    while (!active.empty()) {
      const Vector goal = PivotedQr(A(Eigen::all, active)).solve(b);
      if (first && !(goal[goal.size() - 1] > 0)) {  // rounding made it look useful
        barred[best] = 1;
        active.pop_back();
        break;
      }
      first = false;
      double share = 1;
      for (std::size_t k = 0; k < active.size(); ++k)
        if (const double from = z[active[k]], to = goal[static_cast<Index>(k)]; to <= 0)
          share = std::min(share, from > 0 ? from / (from - to) : 0.0);
      for (std::size_t k = 0; k < active.size(); ++k) {
        double& value = z[active[k]];
        value += share * (goal[static_cast<Index>(k)] - value);
        if (goal[static_cast<Index>(k)] <= 0 && value <= kUnknownIsZero * (1 + goal.cwiseAbs().maxCoeff())) value = 0;
      }
      if (share == 1) break;
      std::erase_if(active, [&](Index i) { return z[i] == 0; });
    }
    if (!barred[best]) std::fill(barred.begin(), barred.end(), 0);
  }
  return std::nullopt;
}

std::vector<Index> support(const Vector& z) {
  std::vector<Index> result;
  for (Index i = 0; i < z.size(); ++i)
    if (z[i] > 0) result.push_back(i);
  return result;
}

/// x with w = 0 where z is loaded, of least norm; nothing if it would pull or leave w below zero elsewhere.
std::optional<Vector> polished(const Matrix& V, const Vector& q, const Vector& terms, const Vector& z) {
  const std::vector<Index> loaded = support(z);
  Vector x = Vector::Zero(q.size());
  if (!loaded.empty()) {
    const Matrix columns = V(Eigen::all, loaded);
    const CompleteOrthogonal factor(columns, kRankOfColumns), across(columns.transpose(), kRankOfColumns);
    Vector part = Vector::Zero(columns.cols());
    for (int pass = 0; pass <= kRefinements; ++pass)
      part += factor.solve(across.solve(-q(loaded) - columns.transpose() * Vector(columns * part)));
    if (part.minCoeff() < -kRoundingOfW * part.cwiseAbs().maxCoeff()) part = z(loaded);
    x(loaded) = part.cwiseMax(0);
  }
  const Vector moved = V * x, w = V.transpose() * moved + q;
  const Vector rounding = kRoundingOfW * (terms + V.cwiseAbs().transpose() * moved.cwiseAbs());
  for (Index i = 0; i < q.size(); ++i)
    if (w[i] < -rounding[i] || (x[i] > 0 && w[i] > rounding[i])) return std::nullopt;
  return x;
}

/// Whether the unknowns that carry load or could (w = 0) allow no other solution.
bool is_only_one(const Matrix& V, const Vector& q, const Vector& terms, const Vector& x) {
  const Vector w = V.transpose() * Vector(V * x) + q;
  std::vector<Index> loadable;
  for (Index i = 0; i < q.size(); ++i)
    if (x[i] > 0 || w[i] <= kCouldLoad * terms.maxCoeff()) loadable.push_back(i);
  if (loadable.empty()) return true;
  const Matrix columns = V(Eigen::all, loadable);
  return PivotedQr(columns, kRankOfColumns).rank() == columns.cols() ||
         is_unique(columns.transpose() * columns, x(loadable));
}

/// z without what keeps its columns from adding up to nothing; nothing if they do not.
std::optional<Vector> balanced(const Matrix& V, const Vector& z) {
  const std::vector<Index> loaded = support(z);
  if (loaded.empty()) return std::nullopt;  // numbers at the end of their range
  const Matrix columns = V(Eigen::all, loaded);
  Vector part = z(loaded);
  const CompleteOrthogonal factor(columns, kNearZero);
  for (int pass = 0; pass <= kRefinements; ++pass) part -= factor.solve(columns * part);
  if (!(part.minCoeff() > 0) || Vector(columns * part).norm() > kBalanced * part.sum()) return std::nullopt;
  Vector ray = Vector::Zero(z.size());
  ray(loaded) = part;
  return ray;
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

std::optional<LcpSolution> solve_factored_lcp(const Matrix& V, const Vector& q, const Vector& terms) {
  const Vector length = V.colwise().norm();
  std::vector<Index> moving;
  for (Index i = 0; i < q.size(); ++i) {
    if (length[i] > 0)
      moving.push_back(i);
    else if (q[i] < -kLooseEnd * terms[i] - kRoundingOfOthers * terms.maxCoeff())
      return std::nullopt;
  }
  LcpSolution solution;
  solution.x = Vector::Zero(q.size());
  solution.w = q;
  solution.status = LcpStatus::solved;
  if (moving.empty()) return solution;
  const Vector unit = length(moving).cwiseInverse();
  const Matrix U = V(Eigen::all, moving) * unit.asDiagonal();
  const Vector p = q(moving).cwiseProduct(unit), size = terms(moving).cwiseProduct(unit).cwiseMax(p.cwiseAbs());
  const double largest = p.cwiseAbs().maxCoeff();
  if (!(largest > 0)) return solution;

  // The distance of (0, -1) from the cone of the columns (U, p): zero if there is no solution [Lawson, Hanson 1974,
  // 23].
  Matrix A(U.rows() + 1, U.cols());
  A << U, p.transpose() / largest;
  const std::optional<Vector> z = nonnegative_least_squares(A, -Vector::Unit(A.rows(), A.rows() - 1));
  if (!z) return std::nullopt;
  const double left = 1 + p.dot(*z) / largest;
  if (left > kNearZero * kNearZero) {
    if (const std::optional<Vector> x = polished(U, p, size, *z * (largest / left))) {
      solution.x(moving) = x->cwiseProduct(unit);
      solution.w = V.transpose() * Vector(V * solution.x) + q;
      solution.unique = is_only_one(U, p, size, *x) && moving.size() == static_cast<std::size_t>(q.size());
      return solution;
    }
  }
  if (left > kNearZero) return std::nullopt;
  const std::optional<Vector> ray = balanced(U, *z);
  if (!ray || !(p.dot(*ray) < -kLooseEnd * size.dot(*ray))) return std::nullopt;
  solution.status = LcpStatus::infeasible;
  solution.ray = Vector::Zero(q.size());
  solution.ray(moving) = ray->cwiseProduct(unit);
  solution.ray /= solution.ray.maxCoeff();
  return solution;
}

}  // namespace carom::numerics
