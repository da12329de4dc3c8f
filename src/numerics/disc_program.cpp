#include "carom/numerics/disc_program.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/decompositions.h"

namespace carom::numerics {
namespace {

constexpr double kDiscAccuracy = 1e-13;  // of the projection equation, relative to the terms it is summed from
constexpr int kDiscNewtonSteps = 12, kDiscGradientSteps = 400, kDiscRounds = 12;
constexpr double kRank = 1e-11;

/// The program in unknowns of comparable size: each block in units of its radius or of what its slope asks for.
class Program {
 public:
  Program(const Matrix& A, const Vector& b, const std::vector<Disc>& discs) : A_(A), b_(b), discs_(discs) {
    step_.resize(b.size());
    double largest = 0;  // bound of the eigenvalues of A in unknowns of unit diagonal
    Vector scale(b.size());
    for (const Disc& disc : discs) {
      const double trace = A.diagonal().segment(disc.start, disc.size).sum();
      scale.segment(disc.start, disc.size).setConstant(trace > 0 ? 1 / std::sqrt(trace) : 0);
    }
    for (Index i = 0; i < b.size(); ++i) {
      double sum = 0;
      for (Index j = 0; j < b.size(); ++j) sum += std::abs(A(i, j)) * scale[i] * scale[j];
      largest = std::max(largest, sum);
    }
    for (Index i = 0; i < b.size(); ++i) step_[i] = largest > 0 ? scale[i] * scale[i] / largest : 0;
  }

  Vector slope(const Vector& x) const { return A_ * x + b_; }

  void project(Vector& x) const {
    for (const Disc& disc : discs_) {
      auto block = x.segment(disc.start, disc.size);
      const double length = block.norm();
      if (length > disc.radius) block *= disc.radius / length;
    }
  }

  Vector gradient_step(const Vector& x) const {
    Vector next = x - step_.cwiseProduct(slope(x));
    project(next);
    return next;
  }

  /// By how much x misses the projection equation, relative to the terms of its slope; 0 is perfect.
  double residual(const Vector& x) const {
    const Vector now = slope(x);
    double worst = 0;
    for (const Disc& disc : discs_) {
      const auto block = x.segment(disc.start, disc.size);
      const auto part = now.segment(disc.start, disc.size);
      const double terms = b_.segment(disc.start, disc.size).norm() +
                           (A_.middleRows(disc.start, disc.size).cwiseAbs() * x.cwiseAbs()).norm();
      if (terms <= 0) continue;
      // inside, the slope vanishes; on the rim it points against x
      const double at_rim = disc.radius > 0 ? (part + block * (part.norm() / disc.radius)).norm() : 0;
      worst = std::max(worst, std::min(part.norm(), at_rim) / terms);
    }
    return worst;
  }

  void newton(Vector& x) const {
    const Index n = x.size();
    Matrix J = Matrix::Zero(n, n);
    Vector residual(n);
    const Vector moved = x - step_.cwiseProduct(slope(x));
    for (const Disc& disc : discs_) {
      const auto target = moved.segment(disc.start, disc.size);
      const double length = target.norm();
      auto rows = J.middleRows(disc.start, disc.size);
      Matrix D = Matrix::Identity(disc.size, disc.size);  // derivative of the projection
      if (length > disc.radius) {
        D -= target * target.transpose() / (length * length);
        D *= disc.radius / length;
      }
      Matrix inner = step_.segment(disc.start, disc.size).asDiagonal() * A_.middleRows(disc.start, disc.size);
      inner *= -1;
      inner.middleCols(disc.start, disc.size) += Matrix::Identity(disc.size, disc.size);
      rows = -D * inner;
      rows.middleCols(disc.start, disc.size) += Matrix::Identity(disc.size, disc.size);
      residual.segment(disc.start, disc.size) =
          x.segment(disc.start, disc.size) - (length > disc.radius ? Vector(target * (disc.radius / length)) : target);
    }
    x -= CompleteOrthogonal(J, kRank).solve(residual);
    project(x);
  }

 private:
  const Matrix& A_;
  const Vector& b_;
  const std::vector<Disc>& discs_;
  Vector step_;
};

/// Nesterov's steps with restarts.
void descend(const Program& program, Vector& x, int steps) {
  Vector before = x, ahead = x;
  double weight = 1;
  for (int step = 0; step < steps; ++step) {
    const Vector next = program.gradient_step(ahead);
    if ((ahead - next).dot(next - before) > 0) weight = 1;
    const double heavier = 0.5 * (1 + std::sqrt(1 + 4 * weight * weight));
    ahead = next + (weight - 1) / heavier * (next - before);
    weight = heavier;
    before = next;
  }
  x = before;
}

}  // namespace

DiscSolution solve_disc_program(const Matrix& A, const Vector& b, const std::vector<Disc>& discs) {
  const Program program(A, b, discs);
  DiscSolution solution;
  solution.x = Vector::Zero(b.size());
  double best = program.residual(solution.x);
  for (int round = 0; round < kDiscRounds && best > kDiscAccuracy; ++round) {
    if (round > 0) descend(program, solution.x, kDiscGradientSteps);
    Vector x = solution.x;
    for (int step = 0; step < kDiscNewtonSteps && best > kDiscAccuracy; ++step) {
      program.newton(x);
      ++solution.iterations;
      const double residual = program.residual(x);
      if (residual < best) {
        best = residual;
        solution.x = x;
      }
    }
  }
  constexpr double kDiscAccepted = 1e-9;
  solution.solved = best <= kDiscAccepted;
  solution.slope = program.slope(solution.x);
  return solution;
}

}  // namespace carom::numerics
