#include "carom/numerics/cone_minimum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/numerics/decompositions.h"

namespace carom::numerics {
namespace {

constexpr double kInsideCone = 1e-10;     // how far a unit vector may be outside a half-space
constexpr double kSameHalfSpace = 1e-11;  // part of a unit normal: below it a half-space says nothing new on a hull

/// Orthonormal columns: the vectors of length d that are across c, by a reflection that turns c into the first axis.
Matrix hull_across(const Vector& c) {
  const Index d = c.size();
  Vector v = c / c.norm();
  v[0] += v[0] < 0 ? -1 : 1;
  Matrix result = Matrix::Identity(d, d) - 2 / v.squaredNorm() * v * v.transpose();
  return result.rightCols(d - 1);
}

/// In coordinates in which P = 1, with half-spaces of unit normals.
class ConeSearch {
 public:
  ConeSearch(const Matrix& Q, const Matrix& B) : Q_(Q), B_(B) {}

  std::optional<ConeMinimum> best;

  /// The faces whose hull is spanned by Z, and those that further half-spaces, from `next` on, make of it.
  void search(const Matrix& Z, Index next) {
    const auto [values, vectors] = symmetric_spectrum(Matrix(Z.transpose() * Q_ * Z));
    if (best && values[0] >= best->value) return;
    for (Index i = 0; i < values.size() && !(best && values[i] >= best->value); ++i)
      take(values[i], Z * vectors.col(i));
    if (Z.cols() == 1) return;
    for (Index j = next; j < B_.rows(); ++j) {
      const Vector c = Z.transpose() * B_.row(j).transpose();
      if (c.norm() > kSameHalfSpace) search(Z * hull_across(c), j + 1);
    }
  }

 private:
  void take(double value, const Vector& y) {
    const Vector distance = B_ * y;
    if (distance.size() == 0 || distance.minCoeff() >= -kInsideCone)
      best = {value, y};
    else if (distance.maxCoeff() <= kInsideCone)
      best = {value, -y};
  }

  const Matrix& Q_;
  const Matrix& B_;
};

}  // namespace

std::optional<ConeMinimum> least_on_cone(const Matrix& Q, const Matrix& P, const Matrix& B) {
  const Index n = Q.rows();
  if (n == 0) return std::nullopt;
  // y = L'x with P = L L'.
  const Matrix L = Cholesky(P).L();
  const auto lower = L.triangularView<Eigen::Lower>();
  const Matrix half = lower.solve(Q);
  Matrix scaled_Q = lower.solve(Matrix(half.transpose()));
  scaled_Q = Matrix((scaled_Q + scaled_Q.transpose()) / 2);
  Matrix scaled_B(B.rows(), n);
  Index rows = 0;
  for (Index j = 0; j < B.rows(); ++j) {
    const Vector normal = lower.solve(Vector(B.row(j).transpose()));
    if (normal.norm() > 0) scaled_B.row(rows++) = normal.transpose() / normal.norm();
  }
  scaled_B.conservativeResize(rows, n);
  ConeSearch cone(scaled_Q, scaled_B);
  cone.search(Matrix::Identity(n, n), 0);
  if (cone.best) cone.best->x = L.transpose().triangularView<Eigen::Upper>().solve(cone.best->x);
  return cone.best;
}

double most_faces_of_cone(Index n, Index k) {
  double sum = 0, binomial = 1;
  for (Index j = 0; j < n && j <= k; ++j) {
    sum += binomial;
    binomial *= static_cast<double>(k - j) / static_cast<double>(j + 1);
  }
  return sum;
}

}  // namespace carom::numerics
