#include "carom/numerics/cone_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/numerics/decompositions.h"

namespace carom::numerics {
namespace {

constexpr double kOnConeFace = 1e-12;   // distance of a unit vector from a half-space that it lies on
constexpr double kAtGoal = 1e-12;       // of the quotient: a fall below it is none, relative to the spectrum
constexpr double kHoldsBack = 1e-9;     // of the spectrum: a multiplier below its negative
constexpr int kStepsPerHalfSpace = 12;  // of a descent

/// Orthonormal columns: the vectors across the chosen rows.
Matrix hull_of_face(const Matrix& B, const std::vector<Index>& rows) {
  if (rows.empty()) return Matrix::Identity(B.cols(), B.cols());
  return CompleteOrthogonal(B(rows, Eigen::all), 1e-11).kernel();
}

/// How far one may go from x towards `goal` and what stops it; -1: nothing does.
struct DescentWay {
  double part = 1;
  Index stops = -1;
};
DescentWay way_to(const Matrix& B, const Vector& x, const Vector& goal, const std::vector<Index>& face) {
  DescentWay way;
  const Vector from = B * x, to = B * goal;
  for (Index j = 0; j < B.rows(); ++j) {
    if (to[j] >= -kOnConeFace || std::find(face.begin(), face.end(), j) != face.end()) continue;
    const double part = std::max(0.0, from[j]) / (std::max(0.0, from[j]) - to[j]);
    if (part < way.part) way = {part, j};
  }
  return way;
}

/// The half-space that most of all holds back a fall from x, a stationary point on the face; -1: none does.
Index holding_back(const Matrix& Q, const Matrix& B, const Vector& x, double value, const std::vector<Index>& face) {
  if (face.empty()) return -1;
  const Vector gradient = Q * x - value * x;
  const Matrix rows = B(face, Eigen::all);
  const Vector multipliers = CompleteOrthogonal(Matrix(rows.transpose()), 1e-11).solve(gradient);
  Index least = 0;
  return multipliers.minCoeff(&least) < -kHoldsBack * Q.norm() ? face[least] : -1;
}

}  // namespace

ConeDescent::ConeDescent(const Matrix& Q, const Matrix& P, const Matrix& B) : L_(Cholesky(P).L()) {
  const Index n = Q.rows();
  const auto lower = L_.triangularView<Eigen::Lower>();
  const Matrix half = lower.solve(Q);
  Q_ = lower.solve(Matrix(half.transpose()));
  Q_ = Matrix((Q_ + Q_.transpose()) / 2);
  B_.resize(B.rows(), n);
  Index rows = 0;
  for (Index j = 0; j < B.rows(); ++j) {
    const Vector normal = lower.solve(Vector(B.row(j).transpose()));
    if (normal.norm() > 0) B_.row(rows++) = normal.transpose() / normal.norm();
  }
  B_.conservativeResize(rows, n);
}

ConeMinimum ConeDescent::descend(const Vector& start) {
  Vector x = L_.transpose() * start;
  x.normalize();
  std::vector<Index> face;
  for (Index j = 0; j < B_.rows(); ++j)
    if (B_.row(j).dot(x) <= kOnConeFace) face.push_back(j);
  const double least_fall = kAtGoal * (Q_.norm() + std::numeric_limits<double>::min());
  double value = x.dot(Q_ * x);
  for (Index step = 0; step < kStepsPerHalfSpace * (B_.rows() + 1); ++step) {
    const Matrix Z = hull_of_face(B_, face);
    if (Z.cols() == 0) break;
    const auto [values, vectors] = symmetric_spectrum(Matrix(Z.transpose() * Q_ * Z));
    ++eigenproblems_;
    Vector goal = Z * vectors.col(0);
    if (goal.dot(x) < 0) goal = -goal;
    DescentWay way;
    if (values[0] < value - least_fall) {
      way = way_to(B_, x, goal, face);
      x = ((1 - way.part) * x + way.part * goal).normalized();
      value = x.dot(Q_ * x);
    }
    if (way.stops >= 0) {
      face.push_back(way.stops);
      continue;
    }
    const Index held = holding_back(Q_, B_, x, value, face);
    if (held < 0) break;
    face.erase(std::find(face.begin(), face.end(), held));
  }
  return {value, L_.transpose().triangularView<Eigen::Upper>().solve(x)};
}

/// Of as many half-spaces as there are dimensions, coordinates along them: the entries there that are positive.
Matrix ConeDescent::positive_entries() const {
  const Index k = B_.rows();
  if (k == 0 || k != B_.cols() || PivotedQr(B_, 1e-11).rank() < k) return Matrix::Zero(k, k);
  const Matrix inverse = Lu(B_).solve(Matrix(Matrix::Identity(k, k)));
  Matrix N = (inverse.transpose() * Q_ * inverse).cwiseMax(0);
  N.diagonal().setZero();
  return N;
}

double ConeDescent::lower_bound(int rounds) const {
  const Index k = B_.rows();
  const auto spectrum = [&](const Matrix& N) { return symmetric_spectrum(Matrix(Q_ - B_.transpose() * N * B_)); };
  const double size = Q_.norm();
  Matrix N = positive_entries();
  double best = spectrum(N).values[0];
  if (const double none = symmetric_spectrum(Q_).values[0]; none > best) {
    best = none;
    N.setZero();
  }
  for (int round = 1; round < rounds && k > 0 && best < -kAtGoal; ++round) {
    const auto [values, vectors] = spectrum(N);
    best = std::max(best, values[0]);
    const Vector b = B_ * vectors.col(0);
    const Matrix slope = -b * b.transpose();
    if (!(slope.norm() > 0)) break;
    N = (N + 0.3 * size / std::sqrt(static_cast<double>(round)) * slope).cwiseMax(0);
  }
  return best;
}

}  // namespace carom::numerics
