#include "carom/analysis/matrix_verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/analysis/kinetic_metric.h"
#include "carom/base/random.h"
#include "carom/impact/law.h"
#include "carom/numerics/cone_descent.h"
#include "carom/numerics/cone_minimum.h"
#include "carom/numerics/decompositions.h"
#include "carom/numerics/lcp.h"
#include "carom/numerics/polyhedron.h"

namespace carom::analysis {
namespace {

constexpr double kRedundant = 1e-11;     // of the least pivot of A: below it the contacts are
constexpr double kNeutralRatio = 1e-10;  // T+/T- this close to 1 keeps the energy
constexpr double kZeroEntry = 1e-11;     // of the largest entry of a matrix: a negative one this small is rounding
constexpr double kUnmet = 1e-9;          // of the velocities: what is asked for and not met
constexpr std::size_t kMostEdges = 20000;
constexpr double kMostFaces = 1.2e5, kMostFacesOfOne = 5000;  // of all pieces of a cone, of one: for an exact answer
constexpr double kSearchWork = 5e7;  // of a search: eigenproblems times the third power of their size
constexpr int kMostDescents = 500, kLeastDescents = 8;
constexpr int kMostBoundRounds = 400, kLeastBoundRounds = 20;

/// The normals in kinetic coordinates. q = V y for all velocities that the contacts can have together.
struct Normals {
  Matrix A, A_inverse;  // (m x m) of redundant contacts the pseudo-inverse
  Matrix V;             // (m x r) orthonormal columns; 1 where the contacts are independent
  Matrix kernel;        // (m x m - r) what the velocities are across
  Vector scale;         // (m) q = scale gamma

  bool redundant() const { return kernel.cols() > 0; }
  Matrix metric() const { return V.transpose() * A_inverse * V; }
};

Normals normals_of(const ContactProblem& problem) {
  const Index m = problem.size();
  Normals result{.A = kinetic_cosines(problem),
                 .A_inverse = Matrix(m, m),
                 .V = Matrix::Identity(m, m),
                 .kernel = Matrix(m, 0),
                 .scale = kinetic_normal_velocities(problem, Vector::Ones(m))};
  const numerics::Cholesky factor(result.A);
  if (factor.is_positive_definite() && factor.least_pivot() > kRedundant) {
    for (Index j = 0; j < m; ++j) result.A_inverse.col(j) = factor.solve(Vector(Vector::Unit(m, j)));
    result.A_inverse = Matrix((result.A_inverse + result.A_inverse.transpose()) / 2);
    return result;
  }
  const auto [values, vectors] = numerics::symmetric_spectrum(result.A);
  const Index none = (values.array() <= kRedundant * values.maxCoeff()).count();
  result.kernel = vectors.leftCols(none);
  result.V = vectors.rightCols(m - none);
  result.A_inverse = result.V * values.tail(m - none).cwiseInverse().asDiagonal() * result.V.transpose();
  return result;
}

/// The edges of the cone of approaching velocities, as columns y = -q >= 0. Nothing if there are too many.
std::optional<Matrix> edges_of(const Normals& normals) {
  const Index m = normals.scale.size(), ties = normals.kernel.cols();
  if (!normals.redundant()) return Matrix(Matrix::Identity(m, m));
  Matrix rows(ties + 1, m);
  rows << normals.kernel.transpose(), Vector::Ones(m).transpose();
  const numerics::Polyhedron cut(rows, Vector::Unit(ties + 1, ties));
  if (cut.empty()) return Matrix(m, 0);
  const auto vertices = cut.vertices(kMostEdges);
  if (!vertices || !cut.sure()) return std::nullopt;
  Matrix edges(m, static_cast<Index>(vertices->size()));
  for (Index j = 0; j < edges.cols(); ++j) edges.col(j) = (*vertices)[static_cast<std::size_t>(j)];
  return edges;
}

/// The first column of `answers`, one for each edge, with an entry below zero.
std::optional<Failure> first_negative(const Normals& normals, const Matrix& edges, const Matrix& answers) {
  const double zero = answers.size() > 0 ? -kZeroEntry * answers.cwiseAbs().maxCoeff() : 0;
  for (Index j = 0; j < answers.cols(); ++j)
    for (Index i = 0; i < answers.rows(); ++i)
      if (answers(i, j) < zero) return Failure{-edges.col(j).cwiseQuotient(normals.scale), i};
  return std::nullopt;
}

/// What an equality does on the edges decides on the whole cone: velocities are linear, and impulses that press add up.
void judge_equality(const Normals& normals, const Matrix& E, MatrixVerdict& verdict) {
  const std::optional<Matrix> edges = edges_of(normals);
  verdict.told = edges.has_value();
  if (!edges) return;
  const Matrix after = E * *edges, jump = *edges + after;
  verdict.penetrates = first_negative(normals, *edges, after);
  if (!normals.redundant()) {
    verdict.pulls = first_negative(normals, *edges, normals.A_inverse * jump);
    return;
  }
  const Matrix untied = normals.kernel * (normals.kernel.transpose() * after);
  for (Index j = 0; j < edges->cols(); ++j) {
    const double size = jump.col(j).cwiseAbs().maxCoeff();
    Index contact = 0;
    if (untied.col(j).cwiseAbs().maxCoeff(&contact) > kUnmet * size) {
      if (!verdict.impossible) verdict.impossible = Failure{-edges->col(j).cwiseQuotient(normals.scale), contact};
      continue;
    }
    if (verdict.pulls) continue;
    // The impulses >= 0 that come nearest to the jump open a contact that would have to be pulled.
    const numerics::LcpSolution pressed = numerics::solve_lcp(normals.A, Vector(-jump.col(j)));
    const Vector opened = normals.A * pressed.x - jump.col(j);
    if (opened.maxCoeff(&contact) > kUnmet * size)
      verdict.pulls = Failure{-edges->col(j).cwiseQuotient(normals.scale), contact};
  }
}

/// The same with those velocities only that an equality maps to ones that the contacts can have together.
Normals where_possible(const Normals& normals, const Matrix& E) {
  Normals result = normals;
  const Matrix torn = normals.kernel.transpose() * E * normals.V;
  if (torn.size() == 0 || torn.norm() <= kUnmet * E.norm()) return result;
  result.V = normals.V * numerics::CompleteOrthogonal(torn, kUnmet).kernel();
  result.kernel = numerics::CompleteOrthogonal(Matrix(result.V.transpose()), kUnmet).kernel();
  return result;
}

/// Velocities q = V y of which a set of contacts presses: B y >= 0, and 2 (T- - T+) = y'Qy there.
struct Piece {
  Matrix Q, B;
};

Matrix closing_rows(Index m, Velocities velocities) {
  return velocities == Velocities::all ? Matrix(0, m) : Matrix(-Matrix::Identity(m, m));
}

Piece of_equality(const Normals& normals, const Matrix& E, Velocities velocities) {
  const Matrix Q = normals.A_inverse - E.transpose() * normals.A_inverse * E;
  return {normals.V.transpose() * Q * normals.V, closing_rows(E.rows(), velocities) * normals.V};
}

/// Lambda = 0 but for the contacts of `set`, whose q+ = -E q-. Nothing if they are redundant: fewer do the same.
std::optional<Piece> of_pressing(const Normals& normals, const Matrix& E, const std::vector<Index>& set,
                                 Velocities velocities) {
  const Matrix& A = normals.A;
  const Index m = A.rows();
  const Matrix moved = Matrix::Identity(m, m) + E;
  Matrix Lambda = Matrix::Zero(m, m);  // of q-
  if (!set.empty()) {
    const numerics::Cholesky factor(Matrix(A(set, set)));
    if (!factor.is_positive_definite() || factor.least_pivot() <= kRedundant) return std::nullopt;
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
  return Piece{normals.V.transpose() * (-(gain + gain.transpose()) / 2) * normals.V, B * normals.V};
}

/// The least of 2 (T- - T+) / 2 T-, how well it is known, and y.
struct Least {
  numerics::ConeMinimum found;
  double bound = 0;
  bool exact = true;
  long descents = 0;
};

std::optional<Least> exactly(const std::optional<numerics::ConeMinimum>& found) {
  if (!found) return std::nullopt;
  return Least{.found = *found, .bound = found->value};
}

/// All sets of at most `most` contacts.
template <class Visit>
void for_each_set(Index m, Index most, std::vector<Index>& set, Visit&& visit) {
  visit(set);
  if (static_cast<Index>(set.size()) == most) return;
  for (Index i = set.empty() ? 0 : set.back() + 1; i < m; ++i) {
    set.push_back(i);
    for_each_set(m, most, set, visit);
    set.pop_back();
  }
}

std::optional<Least> least_of_pieces(const Normals& normals, const Matrix& E, Velocities velocities) {
  std::optional<numerics::ConeMinimum> least;
  std::vector<Index> set;
  const Matrix P = normals.metric();
  for_each_set(E.rows(), normals.V.cols(), set, [&](const std::vector<Index>& pressing) {
    const std::optional<Piece> piece = of_pressing(normals, E, pressing, velocities);
    if (!piece) return;
    const auto found = numerics::least_on_cone(piece->Q, P, piece->B);
    if (found && (!least || found->value < least->value)) least = found;
  });
  return exactly(least);
}

/// A velocity to start from: an edge of the cone, some of them, or all at random.
class Starts {
 public:
  Starts(const Normals& normals, Velocities velocities) : normals_(normals), velocities_(velocities) {
    if (velocities == Velocities::approaching) edges_ = edges_of(normals);
  }

  /// In the coordinates y; nothing if no velocity is known.
  std::optional<Vector> next() {
    const Index m = normals_.scale.size(), k = count_++;
    if (velocities_ == Velocities::all) {
      Vector q(m);
      for (double& entry : q) entry = random_.normal();
      return Vector(normals_.V.transpose() * q);
    }
    if (!edges_ || edges_->cols() == 0) return std::nullopt;
    Vector shares(edges_->cols());
    const double kept = k % 3 == 0 ? 1 : 0.3;
    for (double& share : shares) share = random_.uniform() < kept ? random_.uniform() : 0;
    if (k < edges_->cols()) shares = Vector::Unit(edges_->cols(), k);
    if (!(shares.maxCoeff() > 0)) shares.setOnes();
    return Vector(-normals_.V.transpose() * (*edges_ * shares));
  }

 private:
  const Normals& normals_;
  const Velocities velocities_;
  std::optional<Matrix> edges_;
  Random random_{12};
  Index count_ = 0;
};

/// How many eigenproblems of this size a search may solve.
long eigenproblems_for(Index size) {
  return static_cast<long>(kSearchWork / std::pow(static_cast<double>(std::max<Index>(size, 1)), 3));
}

std::optional<Least> search_equality(const Normals& normals, const Matrix& E, Velocities velocities) {
  const Piece piece = of_equality(normals, E, velocities);
  numerics::ConeDescent cone(piece.Q, normals.metric(), piece.B);
  Starts starts(normals, velocities);
  Least least{.found = {std::numeric_limits<double>::infinity(), {}}, .exact = false};
  const long allowed = eigenproblems_for(normals.V.cols());
  least.bound = cone.lower_bound(static_cast<int>(std::clamp<long>(allowed / 4, kLeastBoundRounds, kMostBoundRounds)));
  while (least.descents < kMostDescents && (least.descents < kLeastDescents || cone.eigenproblems() < allowed)) {
    const std::optional<Vector> start = starts.next();
    if (!start) break;
    const numerics::ConeMinimum found = cone.descend(*start);
    ++least.descents;
    if (found.value < least.found.value) least.found = found;
  }
  if (least.descents == 0) return std::nullopt;
  return least;
}

/// From each velocity to the least of its piece, again from a little beyond, until that leads nowhere.
std::optional<Least> search_pieces(const Normals& normals, const Matrix& E, Velocities velocities) {
  constexpr int kPiecesInARow = 8;
  constexpr double kBeyond = 1e-3;
  const Index m = E.rows();
  const Matrix moved = Matrix::Identity(m, m) + E, P = normals.metric();
  Starts starts(normals, velocities);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  Least least{.found = {kInfinite, {}}, .bound = -kInfinite, .exact = false};
  long eigenproblems = 0;
  while (least.descents < kMostDescents &&
         (least.descents < kLeastDescents || eigenproblems < eigenproblems_for(normals.V.cols()))) {
    std::optional<Vector> y = starts.next();
    if (!y) break;
    ++least.descents;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kPiecesInARow; ++k) {
      const Vector q = normals.V * *y;
      const numerics::LcpSolution pressed = numerics::solve_lcp(normals.A, Vector(moved * q));
      if (pressed.status != numerics::LcpStatus::solved) break;
      std::vector<Index> set;
      for (Index i = 0; i < m; ++i)
        if (pressed.x[i] > kZeroEntry * pressed.x.cwiseAbs().maxCoeff()) set.push_back(i);
      const std::optional<Piece> piece = of_pressing(normals, E, set, velocities);
      if (!piece) break;
      numerics::ConeDescent cone(piece->Q, P, piece->B);
      const numerics::ConeMinimum found = cone.descend(*y);
      eigenproblems += cone.eigenproblems() + 1;
      if (found.value < least.found.value) least.found = found;
      if (!(found.value < last - kNeutralRatio)) break;
      last = found.value;
      y = found.x + kBeyond * (found.x - *y / std::sqrt(y->dot(P * *y)));
      if (velocities == Velocities::approaching && (normals.V * *y).maxCoeff() > 0) y = found.x;
    }
  }
  if (least.found.x.size() == 0) return std::nullopt;
  return least;
}

std::optional<Least> least_of_equality(const Normals& normals, const Matrix& E, Velocities velocities) {
  const bool all = velocities == Velocities::all;
  if (!all && numerics::most_faces_of_cone(normals.V.cols(), E.rows()) > kMostFacesOfOne)
    return search_equality(normals, E, velocities);
  const Piece piece = of_equality(normals, E, velocities);
  return exactly(numerics::least_on_cone(piece.Q, normals.metric(), piece.B));
}

std::optional<Least> least_of(const Normals& normals, const Restitution& restitution, Velocities velocities) {
  const Matrix& E = restitution.E;
  const Index m = E.rows(), r = normals.V.cols();
  const bool all = velocities == Velocities::all;
  if (restitution.form == Restitution::Form::equality) return least_of_equality(normals, E, velocities);
  const double pieces = numerics::most_faces_of_cone(r + 1, m),
               faces = numerics::most_faces_of_cone(r, all ? m : 2 * m);
  if (pieces * faces <= kMostFaces) return least_of_pieces(normals, E, velocities);
  if (!all) {  // where an equality never pulls, all contacts press, and the inequality is it
    MatrixVerdict equality;
    judge_equality(normals, E, equality);
    if (equality.told && !equality.impossible && !equality.pulls) return least_of_equality(normals, E, velocities);
  }
  return search_pieces(normals, E, velocities);
}

/// What excludes a gain under an inequality without a search: 2 (T+ - T-) = Lambda'(1 - E) q-.
bool never_gains(const Restitution& restitution, Velocities velocities) {
  if (restitution.form == Restitution::Form::equality) return false;
  const Matrix& E = restitution.E;
  const Matrix one = Matrix::Identity(E.rows(), E.cols());
  if (velocities == Velocities::approaching) return (one - E).minCoeff() >= -kZeroEntry;
  return (E - E(0, 0) * one).norm() <= kZeroEntry && E(0, 0) >= 0 && E(0, 0) <= 1;  // Moreau's law
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
  require_square(restitution.E, m, "law.E_n");
  if (m == 0) return std::nullopt;
  Normals normals = normals_of(problem);
  if (normals.scale.minCoeff() <= 0) return std::nullopt;
  MatrixVerdict verdict;
  if (restitution.form == Restitution::Form::equality && velocities == Velocities::approaching)
    judge_equality(normals, restitution.E, verdict);
  if (restitution.form == Restitution::Form::equality) normals = where_possible(normals, restitution.E);
  const std::optional<Least> least = normals.V.cols() > 0 ? least_of(normals, restitution, velocities) : std::nullopt;
  if (!least && verdict.impossible) verdict.energetic = true;  // no velocity has a solution
  if (!least) return verdict.impossible ? std::optional(verdict) : std::nullopt;
  verdict.energy_ratio = std::max(0.0, 1 - least->found.value);
  const double bound = never_gains(restitution, velocities) ? std::max(0.0, least->bound) : least->bound;
  verdict.energy_bound = std::max(verdict.energy_ratio, 1 - bound);
  verdict.exact = least->exact;
  verdict.searched = least->descents;
  if (verdict.energy_ratio > 1 + kNeutralRatio)
    verdict.energetic = false;
  else if (verdict.energy_bound <= 1 + kNeutralRatio)
    verdict.energetic = true;
  const Vector known = normals.V * least->found.x;
  const Vector q = velocities == Velocities::approaching ? Vector(known.cwiseMin(0)) : known;
  verdict.gamma_minus = q.cwiseQuotient(normals.scale);
  // u = M^-1 W y with W'u = gamma: y = G^-1 gamma, in kinetic coordinates A^-1 q.
  Vector rows = Vector::Zero(problem.gamma_minus.size());
  const Vector y = normals.scale.cwiseProduct(normals.A_inverse * q);
  for (Index i = 0; i < m; ++i) rows[problem.row[static_cast<std::size_t>(i)]] = y[i];
  verdict.u_minus = problem.joints.project(problem.impact->M.solve(Vector(problem.impact->W * rows)));
  return verdict;
}

}  // namespace carom::analysis
