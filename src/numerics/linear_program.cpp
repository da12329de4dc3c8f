#include "carom/numerics/linear_program.h"

#include <algorithm>
#include <vector>

#include "carom/numerics/decompositions.h"

namespace carom::numerics {
namespace {

constexpr double kPivotRounding = 1e-12;  // of reduced costs and pivots, relative to the columns they come from

/// Steps from a feasible basis to the best one; columns from `allowed` on may not enter, and those from `zero` on,
/// which are in the basis at most with the value zero, keep it. False if unbounded.
bool descend(const Vector& c, const Matrix& A, const Vector& b, Index allowed, Index zero, std::vector<Index>& basis) {
  const Index rows = A.rows();
  const double scale = std::max(c.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  while (true) {
    Matrix B(rows, rows);
    Vector c_B(rows);
    for (Index i = 0; i < rows; ++i) {
      B.col(i) = A.col(basis[i]);
      c_B[i] = c[basis[i]];
    }
    const Lu lu(B);
    const Vector x = lu.solve(b), y = lu.solve_transposed(c_B);
    Index entering = -1;
    for (Index j = 0; j < allowed && entering < 0; ++j) {
      const bool inside = std::find(basis.begin(), basis.end(), j) != basis.end();
      const double rounding = kPivotRounding * (scale + y.cwiseAbs().dot(A.col(j).cwiseAbs()));
      if (!inside && c[j] - y.dot(A.col(j)) < -rounding) entering = j;
    }
    if (entering < 0) return true;
    const Vector direction = lu.solve(Vector(A.col(entering)));
    Index leaving = -1;
    double least = 0;
    for (Index i = 0; i < rows; ++i) {
      const bool stays_zero = basis[i] >= zero;
      if ((stays_zero ? std::abs(direction[i]) : direction[i]) <= kPivotRounding * direction.cwiseAbs().maxCoeff())
        continue;
      const double ratio = stays_zero ? 0 : std::max(0.0, x[i]) / direction[i];
      if (leaving < 0 || ratio < least || (ratio == least && basis[i] < basis[leaving])) {
        least = ratio;
        leaving = i;
      }
    }
    if (leaving < 0) return false;
    basis[leaving] = entering;
  }
}

}  // namespace

LinearProgramSolution solve_linear_program(const Vector& c, const Matrix& A, const Vector& b) {
  // First with one more unknown per row, as cheap as possible to have at zero; then without them.
  const Index rows = A.rows(), n = A.cols();
  Matrix extended(rows, n + rows);
  extended << A, Vector(b.unaryExpr([](double v) { return v < 0 ? -1.0 : 1.0; })).asDiagonal().toDenseMatrix();
  Vector penalty = Vector::Zero(n + rows), cost = Vector::Zero(n + rows);
  penalty.tail(rows).setOnes();
  cost.head(n) = c;
  std::vector<Index> basis(rows);
  for (Index i = 0; i < rows; ++i) basis[i] = n + i;
  descend(penalty, extended, b, n, n + rows, basis);
  const auto solution = [&] {
    Matrix B(rows, rows);
    for (Index i = 0; i < rows; ++i) B.col(i) = extended.col(basis[i]);
    const Vector x_B = Lu(B).solve(b);
    Vector x = Vector::Zero(n + rows);
    for (Index i = 0; i < rows; ++i) x[basis[i]] = x_B[i];
    return x;
  };
  if (solution().tail(rows).cwiseAbs().maxCoeff() > 1e-9 * b.cwiseAbs().maxCoeff()) return {};
  if (!descend(cost, extended, b, n, n, basis)) return {LinearProgramStatus::unbounded, 0, {}};
  const Vector x = solution().head(n);
  return {LinearProgramStatus::solved, c.dot(x), x};
}

}  // namespace carom::numerics
