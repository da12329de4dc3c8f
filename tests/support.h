#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "carom/base/random.h"
#include "carom/laws/all.h"

namespace carom::testing {

inline Vector vector(std::initializer_list<double> values) {
  Vector result(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double value : values) result[i++] = value;
  return result;
}

/// A problem from dense matrices; contacts are named 1, 2, ... and have the given e.
inline ImpactProblem problem(const MassMatrix& M, const Matrix& W, const Vector& u, const Vector& e) {
  ImpactProblem result;
  result.M = M;
  result.W = W.sparseView();
  result.u_minus = u;
  for (Index i = 0; i < W.cols(); ++i) result.contacts.push_back({.name = std::to_string(i + 1), .e = e[i]});
  return result;
}

/// Balls on a line, each touching the next.
inline ImpactProblem chain(const Vector& masses, const Vector& u, double e) {
  const Index n = masses.size();
  ImpactProblem result;
  result.M = MassMatrix::diagonal(masses);
  result.W.resize(n, n - 1);
  result.u_minus = u;
  for (Index i = 0; i + 1 < n; ++i) {
    result.W.startVec(i);
    result.W.insertBack(i, i) = -1;
    result.W.insertBack(i + 1, i) = 1;
    result.contacts.push_back({.name = std::to_string(i + 1), .e = e});
  }
  result.W.finalize();
  return result;
}

/// A rigid square table of mass 1 on four legs: coordinates height and two tilts; the four contacts are redundant.
inline ImpactProblem table(const Vector& u, const Vector& e) {
  Matrix W(3, 4);
  W << 1, 1, 1, 1, 1, 1, -1, -1, 1, -1, -1, 1;
  return problem(MassMatrix::diagonal(vector({1, 1.0 / 3, 1.0 / 3})), W, u, e);
}

#define EXPECT_VECTOR_NEAR(actual, expected, tolerance)                                                     \
  do {                                                                                                      \
    const carom::Vector a_ = (actual), e_ = (expected);                                                     \
    ASSERT_EQ(a_.size(), e_.size());                                                                        \
    const double worst_ = a_.size() > 0 ? (a_ - e_).cwiseAbs().maxCoeff() : 0;                              \
    EXPECT_LE(worst_, (tolerance)) << "  actual   " << a_.transpose() << "\n  expected " << e_.transpose(); \
  } while (false)

}  // namespace carom::testing
