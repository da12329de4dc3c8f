#include "numerics/projected_gradient.h"

#include <algorithm>
#include <cmath>

namespace carom::numerics {
namespace {

constexpr int kMostIterations = 20000;
constexpr int kBetweenChecks = 10;
constexpr int kGradientPowerSteps = 20;
constexpr double kMargin = 1.05;  // on the estimated norm of A
constexpr double kGrowth = 1.5;   // of the norm where a step shows that it was too small

/// The largest eigenvalue of A, from below, by power iteration from a vector without a direction of its own.
double norm_of(const SparseMatrix& A) {
  Vector x = A * Vector::Ones(A.rows());
  double norm = 1;
  for (int i = 0; i < kGradientPowerSteps && x.norm() > 0; ++i) {
    x /= x.norm();
    x = A * x;
    norm = x.norm();
  }
  return norm;
}

}  // namespace

LcpSolution projected_gradient(const SparseMatrix& A, const Vector& q, double accuracy) {
  const Vector scale = unit_scale(A.diagonal());
  const SparseMatrix unit = scale.asDiagonal() * A * scale.asDiagonal();
  const Vector b = scale.cwiseProduct(q);
  const double enough = accuracy * b.cwiseAbs().maxCoeff();
  LcpSolution solution;
  solution.unique = false;  // nobody looked
  Vector x = Vector::Zero(q.size()), ahead = x, next, gradient;
  double norm = kMargin * norm_of(unit), momentum = 1;
  for (int i = 0; i < kMostIterations; ++i) {
    gradient = unit * ahead + b;
    next = (ahead - gradient / norm).cwiseMax(0);
    const Vector step = next - ahead;
    if (step.dot(unit * step) > norm * step.squaredNorm()) {  // the norm was underestimated
      norm *= kGrowth;
      continue;
    }
    const bool uphill = gradient.dot(next - x) > 0;
    const double before = uphill ? 1 : momentum;
    momentum = 0.5 * (1 + std::sqrt(1 + 4 * before * before));
    ahead = uphill ? next : Vector(next + (before - 1) / momentum * (next - x));
    x = next;
    solution.iterations = i + 1;
    if (i % kBetweenChecks != 0) continue;
    if (x.cwiseMin(unit * x + b).cwiseAbs().maxCoeff() <= enough) {
      solution.status = LcpStatus::solved;
      break;
    }
  }
  solution.x = scale.cwiseProduct(x);
  solution.w = A * solution.x + q;
  return solution;
}

}  // namespace carom::numerics
