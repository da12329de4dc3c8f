#pragma once

#include "random_problem.h"

namespace carom::testing {

/// A contact alone: the velocities are those of the contact itself, its mass matrix is B^-1.
inline ImpactProblem contact_alone(const Matrix& B, const Vector& c, double mu, double e) {
  ImpactProblem result;
  const Matrix M = B.inverse();
  result.M = MassMatrix::dense(0.5 * (M + M.transpose()));
  result.W = Matrix(Matrix::Identity(B.rows(), B.rows())).sparseView();
  result.u_minus = c;
  result.contacts = {{.name = "1", .tangents = static_cast<int>(B.rows()) - 1, .e = e, .mu = mu}};
  return result;
}

/// An impact at one contact of a system with a few more degrees of freedom than the contact has directions; one in ten
/// has no slip beforehand.
inline ImpactProblem random_friction(Random& random, int tangents) {
  const Index rows = 1 + tangents, n = rows + pick(random, 0, 3);
  const Matrix A = random_matrix(random, n, n);
  ImpactProblem result;
  const double spread = std::exp(between(random, -3, 1));
  result.M = MassMatrix::dense(A * A.transpose() + spread * Matrix::Identity(n, n));
  const Matrix W = random_matrix(random, n, rows);
  result.W = W.sparseView();
  result.u_minus = random_matrix(random, n, 1);
  if (W.col(0).dot(result.u_minus) > 0) result.u_minus *= -1;
  if (random.uniform() < 0.1) {  // the velocity of least norm that has no slip
    Vector c = Vector::Zero(rows);
    c[0] = W.col(0).dot(result.u_minus);
    result.u_minus = W * (W.transpose() * W).inverse() * c;
  }
  result.contacts = {{.name = "1",
                      .tangents = tangents,
                      .e = random_restitution(random),
                      .mu = random.uniform() < 0.1 ? 0 : std::exp(between(random, -3, 1.5)),
                      .e_t = between(random, -1, 1)}};
  return result;
}

/// The same impact in space: the second tangent is a direction of its own that nothing moves, and both are turned.
inline ImpactProblem turned_into_space(const ImpactProblem& planar, double angle) {
  const Index n = planar.M.size();
  Matrix M = Matrix::Zero(n + 1, n + 1), W = Matrix::Zero(n + 1, 3);
  M.topLeftCorner(n, n) = planar.M.to_dense();
  M(n, n) = 1.7;
  const Matrix W2 = planar.W;
  W.topLeftCorner(n, 1) = W2.col(0);
  W.block(0, 1, n, 1) = std::cos(angle) * W2.col(1);
  W.block(0, 2, n, 1) = std::sin(angle) * W2.col(1);
  W(n, 1) = -std::sin(angle);
  W(n, 2) = std::cos(angle);
  ImpactProblem result = planar;
  result.M = MassMatrix::dense(M);
  result.W = W.sparseView();
  result.u_minus.conservativeResize(n + 1);
  result.u_minus[n] = 0;
  result.contacts[0].tangents = 2;
  return result;
}

}  // namespace carom::testing
