#include "carom/numerics/cone_minimum.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "carom/base/random.h"

namespace carom::numerics {
namespace {

Matrix orthant(Index n) {
  return Matrix::Identity(n, n);
}

Matrix cone_entries(Random& random, Index rows, Index columns) {
  Matrix result(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) result(i, j) = random.normal();
  return result;
}

Matrix cone_form(Random& random, Index n) {
  const Matrix A = cone_entries(random, n, n);
  return (A + A.transpose()) / 2;
}

Matrix cone_metric(Random& random, Index n) {
  const Matrix A = cone_entries(random, n, n);
  return A * A.transpose() + 0.1 * Matrix::Identity(n, n);
}

double cone_value(const Matrix& Q, const Matrix& P, const Vector& x) {
  return x.dot(Q * x) / x.dot(P * x);
}

TEST(ConeMinimum, HornsMatrixIsCopositiveAndNotSemidefinite) {
  Matrix H(5, 5);
  H << 1, -1, 1, 1, -1, -1, 1, -1, 1, 1, 1, -1, 1, -1, 1, 1, 1, -1, 1, -1, -1, 1, 1, -1, 1;
  const Matrix one = Matrix::Identity(5, 5);
  EXPECT_NEAR(least_on_cone(H, one, Matrix(0, 5))->value, 1 - std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(least_on_cone(H, one, orthant(5))->value, 0, 1e-12);
  for (Index i = 0; i < 5; ++i) {  // any smaller diagonal entry breaks it: it is extreme
    Matrix less = H;
    less(i, i) -= 1e-3;
    const auto found = least_on_cone(less, one, orthant(5));
    EXPECT_LT(found->value, -1e-5);
    EXPECT_GE(found->x.minCoeff(), -1e-12);
    EXPECT_NEAR(cone_value(less, one, found->x), found->value, 1e-12);
  }
}

/// x'Qx >= 0 on the quadrant iff a, c >= 0 and b >= -sqrt(a c).
TEST(ConeMinimum, TwoByTwoMatricesObeyTheirClosedForm) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Matrix Q = cone_form(random, 2);
    const double a = Q(0, 0), b = Q(0, 1), c = Q(1, 1);
    const double slack = std::min({a, c, b + std::sqrt(std::max(0.0, a) * std::max(0.0, c))});
    if (std::abs(slack) < 1e-6) continue;
    EXPECT_EQ(least_on_cone(Q, Matrix::Identity(2, 2), orthant(2))->value >= 0, slack > 0) << Q;
  }
}

TEST(ConeMinimum, NoPointOfTheConeIsLower) {
  Random random(2);
  for (int i = 0; i < 150; ++i) {
    const Index n = 2 + i % 4, k = i % 7;
    const Matrix Q = cone_form(random, n), P = cone_metric(random, n), B = cone_entries(random, k, n);
    const auto found = least_on_cone(Q, P, B);
    double sampled = 1e300;
    for (int s = 0; s < 20000; ++s) {
      const Vector x = cone_entries(random, n, 1);
      if (k == 0 || (B * x).minCoeff() >= 0) sampled = std::min(sampled, cone_value(Q, P, x));
    }
    if (!found) {
      EXPECT_EQ(sampled, 1e300);
      continue;
    }
    EXPECT_NEAR(found->x.dot(P * found->x), 1, 1e-9);
    EXPECT_NEAR(cone_value(Q, P, found->x), found->value, 1e-9);
    EXPECT_GE((Vector(k + 1) << B * found->x, 0).finished().minCoeff(), -1e-7);
    EXPECT_GE(sampled, found->value - 1e-9);
  }
}

/// The same cone by rays: x = R y, y >= 0.
TEST(ConeMinimum, HalfSpacesAndRaysOfOneConeAgree) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Index n = 2 + i % 4;
    const Matrix Q = cone_form(random, n), P = cone_metric(random, n), R = cone_entries(random, n, n);
    const Matrix inverse = R.inverse();
    const double by_half_spaces = least_on_cone(Q, P, inverse)->value;
    const double by_rays = least_on_cone(R.transpose() * Q * R, R.transpose() * P * R, orthant(n))->value;
    EXPECT_NEAR(by_half_spaces, by_rays, 1e-7 * (1 + std::abs(by_rays)));
  }
}

TEST(ConeMinimum, ChangesNeitherWithUnitsNorWithTheOrderOfHalfSpaces) {
  Random random(4);
  for (int i = 0; i < 60; ++i) {
    const Index n = 3, k = 5;
    const Matrix Q = cone_form(random, n), P = cone_metric(random, n), B = cone_entries(random, k, n);
    const auto found = least_on_cone(Q, P, B);
    const Vector unit = Vector::LinSpaced(n, -3, 3).unaryExpr([](double x) { return std::pow(10, x); });
    const Matrix D = unit.asDiagonal();
    const auto other = least_on_cone(D * Q * D, D * P * D, 1e4 * B.colwise().reverse() * D);
    ASSERT_EQ(found.has_value(), other.has_value());
    if (!found) continue;
    EXPECT_NEAR(found->value, other->value, 1e-6 * (1 + std::abs(found->value)));
  }
}

TEST(ConeMinimum, AConeThatIsAPointHasNone) {
  Matrix B(3, 2);
  B << 1, 0, -1, 1, 0, -1;  // x >= 0, y >= x, y <= 0
  EXPECT_FALSE(least_on_cone(Matrix::Identity(2, 2), Matrix::Identity(2, 2), B).has_value());
}

}  // namespace
}  // namespace carom::numerics
