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

}  // namespace carom::testing
