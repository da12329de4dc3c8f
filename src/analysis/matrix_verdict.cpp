#include "carom/analysis/matrix_verdict.h"

#include <cmath>
#include <vector>

#include "carom/analysis/kinetic_metric.h"
#include "carom/impact/law.h"
#include "carom/numerics/cone_minimum.h"
#include "carom/numerics/decompositions.h"

namespace carom::analysis {
namespace {

constexpr double kRedundant = 1e-11;     // of the least pivot of A: below it the contacts are
constexpr double kNeutralRatio = 1e-10;  // T+/T- this close to 1 keeps the energy
constexpr double kZeroEntry = 1e-11;     // of the largest entry of a matrix: a negative one this small is rounding

/// The velocity of contact j alone that makes the first negative entry of `answers`, whose columns belong to it.
std::optional<Failure> first_negative(const Matrix& answers, const Vector& scale) {
  const double zero = -kZeroEntry * answers.cwiseAbs().maxCoeff();
  for (Index j = 0; j < answers.cols(); ++j)
    for (Index i = 0; i < answers.rows(); ++i)
      if (answers(i, j) < zero) return Failure{-Vector::Unit(answers.cols(), j) / scale[j], i};
  return std::nullopt;
}

/// Velocities q- of which a set of contacts presses: B q >= 0, and 2 (T- - T+) = q'Qq there.
struct Piece {
  Matrix Q, B;
};

Matrix closing_rows(Index m, Velocities velocities) {
  return velocities == Velocities::all ? Matrix(0, m) : Matrix(-Matrix::Identity(m, m));
}

Piece of_equality(const Matrix& A_inverse, const Matrix& E, Velocities velocities) {
  return {A_inverse - E.transpose() * A_inverse * E, closing_rows(E.rows(), velocities)};
}

/// Lambda = 0 but for `pressing` contacts, whose q+ = -E q-.
Piece of_pressing(const Matrix& A, const Matrix& E, unsigned pressing, Velocities velocities) {
  const Index m = A.rows();
  std::vector<Index> set;
  for (Index i = 0; i < m; ++i)
    if (pressing >> i & 1U) set.push_back(i);
  const Matrix moved = Matrix::Identity(m, m) + E;
  Matrix Lambda = Matrix::Zero(m, m);  // of q-
  if (!set.empty()) {
    const numerics::Cholesky factor(Matrix(A(set, set)));
    const Matrix right = -moved(set, Eigen::all);
    for (Index j = 0; j < m; ++j) {
      const Vector column = factor.solve(Vector(right.col(j)));
      for (std::size_t i = 0; i < set.size(); ++i) Lambda(set[i], j) = column[static_cast<Index>(i)];
    }
  }
  Matrix conditions = moved + A * Lambda;  // q+ + E q-, of those that do not press
  for (const Index i : set) conditions.row(i) = Lambda.row(i);
  const Matrix closes = closing_rows(m, velocities);
  Matrix B(m + closes.rows(), m);
  B << conditions, closes;
  // 2 (T+ - T-) = Lambda'(q+ + q-)
  const Matrix gain = Lambda.transpose() * (2 * Matrix::Identity(m, m) + A * Lambda);
  return {-(gain + gain.transpose()) / 2, B};
}

}  // namespace

Matrix in_kinetic_coordinates(const ContactProblem& problem, const Matrix& epsilon) {
  require_square(epsilon, problem.size(), "law.matrix");
  const Vector scale = kinetic_normal_velocities(problem, Vector::Ones(problem.size()));
  return scale.asDiagonal() * epsilon * scale.cwiseInverse().asDiagonal();
}

std::optional<MatrixVerdict> matrix_verdict(const ContactProblem& problem, const Restitution& restitution,
                                            Velocities velocities) {
  const Index m = problem.size();
  const Matrix& E = restitution.E;
  require_square(E, m, "law.E_n");
  const bool equality = restitution.form == Restitution::Form::equality;
  if (m == 0 || m > (equality ? kMostForEquality : kMostForInequality)) return std::nullopt;
  const Matrix A = kinetic_cosines(problem);
  const numerics::Cholesky factor(A);
  const Vector scale = kinetic_normal_velocities(problem, Vector::Ones(m));
  if (!factor.is_positive_definite() || factor.least_pivot() <= kRedundant || scale.minCoeff() <= 0)
    return std::nullopt;
  Matrix A_inverse(m, m);
  for (Index j = 0; j < m; ++j) A_inverse.col(j) = factor.solve(Vector(Vector::Unit(m, j)));
  A_inverse = Matrix((A_inverse + A_inverse.transpose()) / 2);

  MatrixVerdict verdict;
  std::optional<numerics::ConeMinimum> least;
  if (equality) {
    if (velocities == Velocities::approaching) {
      verdict.penetrates = first_negative(E, scale);
      verdict.pulls = first_negative(A_inverse * (Matrix::Identity(m, m) + E), scale);
    }
    const Piece piece = of_equality(A_inverse, E, velocities);
    least = numerics::least_on_cone(piece.Q, A_inverse, piece.B);
  } else {
    for (unsigned pressing = 0; pressing < 1U << m; ++pressing) {
      const Piece piece = of_pressing(A, E, pressing, velocities);
      const auto found = numerics::least_on_cone(piece.Q, A_inverse, piece.B);
      if (found && (!least || found->value < least->value)) least = found;
    }
  }
  if (!least) return std::nullopt;
  verdict.energy_ratio = std::max(0.0, 1 - least->value);
  verdict.energetic = verdict.energy_ratio <= 1 + kNeutralRatio;
  const Vector q = velocities == Velocities::approaching ? Vector(least->x.cwiseMin(0)) : least->x;
  verdict.gamma_minus = q.cwiseQuotient(scale);
  // u = M^-1 W y with W'u = gamma: y = G^-1 gamma, in kinetic coordinates A^-1 q.
  Vector rows = Vector::Zero(problem.gamma_minus.size());
  const Vector y = scale.cwiseProduct(A_inverse * q);
  for (Index i = 0; i < m; ++i) rows[problem.row[static_cast<std::size_t>(i)]] = y[i];
  verdict.u_minus = problem.joints.project(problem.impact->M.solve(Vector(problem.impact->W * rows)));
  return verdict;
}

}  // namespace carom::analysis
