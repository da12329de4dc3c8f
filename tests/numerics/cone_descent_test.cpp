#include "carom/numerics/cone_descent.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/random.h"

namespace carom::numerics {
namespace {

struct DescentCase {
  Matrix Q, P, B;
};

/// An orthant, with a few half-spaces more that its middle lies in.
DescentCase descent_case(Random& random, Index n, Index more) {
  const auto entries = [&](Index rows, Index columns) {
    Matrix result(rows, columns);
    for (double& entry : result.reshaped()) entry = random.normal();
    return result;
  };
  const Matrix q = entries(n, n), p = entries(n, n);
  DescentCase made{q + q.transpose(), p * p.transpose() + 0.1 * Matrix::Identity(n, n), Matrix(n + more, n)};
  made.B.topRows(n).setIdentity();
  made.B.bottomRows(more) = entries(more, n);
  for (Index j = n; j < n + more; ++j)
    if (made.B.row(j).sum() < 0) made.B.row(j) *= -1;
  return made;
}

TEST(ConeDescent, TheBestOfManyIsTheMinimumAndNoneIsBelowTheBound) {
  Random random(21);
  int found = 0, bounded = 0;
  for (int i = 0; i < 60; ++i) {
    const Index n = 3 + i % 4;
    const DescentCase made = descent_case(random, n, i % 3);
    const double least = least_on_cone(made.Q, made.P, made.B)->value;
    ConeDescent cone(made.Q, made.P, made.B);
    double best = std::numeric_limits<double>::infinity();
    for (int start = 0; start < 60; ++start) {
      Vector x = Vector::Ones(n);
      for (double& entry : x) entry += random.uniform() - 0.5;
      if ((made.B * x).minCoeff() < 0) continue;
      const ConeMinimum end = cone.descend(x);
      EXPECT_GE((made.B * end.x).minCoeff(), -1e-8);
      EXPECT_NEAR(end.x.dot(made.Q * end.x) / end.x.dot(made.P * end.x), end.value, 1e-9 * (1 + std::abs(end.value)));
      EXPECT_GE(end.value, least - 1e-8 * (1 + std::abs(least)));
      best = std::min(best, end.value);
    }
    found += best <= least + 1e-8 * (1 + std::abs(least));
    const double bound = cone.lower_bound(400);
    EXPECT_LE(bound, least + 1e-8 * (1 + std::abs(least)));
    bounded += bound >= least - 0.1 * std::abs(least);
  }
  EXPECT_GE(found, 54);  // the others have a lower end that no start was near
  EXPECT_GE(bounded, 20);
}

/// Copositive, as N >= 0 and nothing else says: no eigenvalue alone would.
TEST(ConeDescent, EntriesThatAreNotNegativeNeedNoEigenvalue) {
  const Index n = 30;
  Matrix Q = Matrix::Ones(n, n);
  Q.diagonal().setZero();
  EXPECT_GE(ConeDescent(Q, Matrix::Identity(n, n), Matrix::Identity(n, n)).lower_bound(400), -1e-3);
  EXPECT_LT(ConeDescent(Q, Matrix::Identity(n, n), Matrix(0, n)).lower_bound(400), -0.99);
}

}  // namespace
}  // namespace carom::numerics
