#include "carom/numerics/qp.h"

#include <algorithm>
#include <vector>

#include "carom/numerics/decompositions.h"
#include "carom/numerics/lcp.h"

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
    const Vector missing = rows * lcp.x - right;
    multipliers += penalty * missing;
    const double size = right.cwiseAbs().maxCoeff() + lcp.x.cwiseAbs().maxCoeff(),
                 residual = missing.cwiseAbs().maxCoeff();
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

namespace {

constexpr double kFlat = 1e-11;      // singular values below this, relative, are zero
constexpr double kNoForce = 1e-10;   // multipliers above minus this are none, relative to the gradient's terms
constexpr double kNoMove = 1e-13;    // steps below this are none, relative to v
constexpr int kSwapsPerUnknown = 8;  // into and out of the active set

/// Directions of the unknowns `free` that keep A v.
Matrix kept_directions(const Matrix& A, const std::vector<Index>& free) {
  return CompleteOrthogonal(A(Eigen::all, free), kFlat).kernel();
}

}  // namespace

Vector improve_qp(const Matrix& H, const Vector& c, const Matrix& A, Vector v) {
  const Index n = v.size();
  std::vector<char> at_zero(static_cast<std::size_t>(n), 0);
  const double size = std::max(1.0, v.cwiseAbs().maxCoeff());
  for (Index j = 0; j < n; ++j) at_zero[j] = v[j] <= kNoMove * size;
  for (int swap = 0; swap < kSwapsPerUnknown * n + 20; ++swap) {
    std::vector<Index> free;
    for (Index j = 0; j < n; ++j) {
      if (!at_zero[j])
        free.push_back(j);
      else
        v[j] = 0;
    }
    const Vector gradient = H * v + c;
    Vector step = Vector::Zero(n);
    if (!free.empty()) {
      const Matrix Z = kept_directions(A, free);
      if (Z.cols() > 0) {
        const Matrix bend = Z.transpose() * H(free, free) * Z;
        step(free) = -Z * CompleteOrthogonal(bend, kFlat).solve(Z.transpose() * Vector(gradient(free)));
      }
    }
    double length = 1;
    Index blocking = -1;
    for (const Index j : free)
      if (step[j] < 0 && v[j] + length * step[j] < 0) {
        length = std::max(0.0, -v[j] / step[j]);
        blocking = j;
      }
    v += length * step;
    if (blocking >= 0) {
      at_zero[blocking] = 1;
      continue;
    }
    // Multipliers of the constraints, then those of the unknowns at zero: the most negative one may grow.
    const Vector now = H * v + c;
    const double terms = 1 + (H.cwiseAbs() * v.cwiseAbs() + c.cwiseAbs()).maxCoeff();
    const Vector y = CompleteOrthogonal(A(Eigen::all, free).transpose()).solve(now(free));
    const Vector force = now - A.transpose() * y;
    Index entering = -1;
    for (Index j = 0; j < n; ++j)
      if (at_zero[j] && force[j] < -kNoForce * terms && (entering < 0 || force[j] < force[entering])) entering = j;
    if (entering < 0) break;
    at_zero[entering] = 0;
  }
  return v;
}

}  // namespace carom::numerics
