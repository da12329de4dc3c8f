#include "numerics/qp.h"

#include <algorithm>

namespace carom::numerics {
namespace {

constexpr int kSteps = 60;
constexpr double kFirstPenalty = 1e2, kLastPenalty = 1e6;  // of the constraints, relative to H
constexpr double kMet = 1e-14;                             // of the constraints, relative: the goal
constexpr double kAcceptable = 1e-10;                      // and what is good enough where the steps stall
constexpr double kFast = 0.1;                              // a step that leaves more of the residual than this is slow

}  // namespace

QpSolution solve_qp(const Matrix& H, const Vector& c, const Matrix& A, const Vector& b) {
  Vector scale = A.rowwise().norm();
  for (double& value : scale) value = value > 0 ? 1 / value : 0;
  const Matrix rows = scale.asDiagonal() * A;
  const Vector right = scale.cwiseProduct(b);
  const double stiffness = H.diagonal().maxCoeff();

  QpSolution solution;
  Vector multipliers = Vector::Zero(b.size());
  double penalty = kFirstPenalty * (stiffness > 0 ? stiffness : 1), before = 0;
  const double last = penalty * (kLastPenalty / kFirstPenalty);
  for (int step = 0; step < kSteps; ++step) {
    const Matrix K = H + penalty * rows.transpose() * rows;
    const LcpSolution lcp = solve_lcp(K, c + rows.transpose() * (multipliers - penalty * right));
    if (lcp.status != LcpStatus::solved) {
      solution.status = lcp.status;
      return solution;
    }
    solution.v = lcp.x;
    const Vector missed = rows * lcp.x - right;
    multipliers += penalty * missed;
    const double size = right.cwiseAbs().maxCoeff() + lcp.x.cwiseAbs().maxCoeff(),
                 residual = missed.cwiseAbs().maxCoeff();
    const bool slow = step > 0 && residual > kFast * before;
    if (residual <= kMet * size || (slow && residual <= kAcceptable * size)) {
      solution.status = LcpStatus::solved;
      return solution;
    }
    if (slow) penalty = std::min(10 * penalty, last);
    before = residual;
  }
  return solution;
}

}  // namespace carom::numerics
