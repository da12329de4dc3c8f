#include "carom/laws/generalized_kinematic.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/numerics/cone_problem.h"
#include "carom/numerics/least_norm.h"

namespace carom {
namespace {

constexpr double kCompatible = 1e-9;   // of the velocities that redundant contacts cannot take, relative
constexpr double kIndependent = 1e-8;  // of what Gram-Schmidt leaves of a vector, relative
constexpr double kShared = 1e-11;      // of velocities that impulses shared in another way may miss, relative

/// Gram-Schmidt in the kinetic metric.
class KineticBasis {
 public:
  explicit KineticBasis(const MassMatrix& M) : M_(M), vectors(M.size(), 0) {}

  /// Appends what is new in v, of unit length; nothing if v is in the span already.
  void extend(const Vector& v) {
    Vector rest = v;
    for (int pass = 0; pass < 2; ++pass) rest -= vectors * (vectors.transpose() * (M_ * rest));
    const double length = std::sqrt(2 * M_.kinetic_energy(rest)), whole = std::sqrt(2 * M_.kinetic_energy(v));
    if (length <= kIndependent * whole) return;
    vectors.conservativeResize(Eigen::NoChange, vectors.cols() + 1);
    vectors.rightCols(1) = rest / length;
  }

 private:
  const MassMatrix& M_;

 public:
  Matrix vectors;
};

/// Orthonormal directions that are M-orthogonal to every normal and every joint, made from the coordinate axes in
/// order.
Matrix tangential_basis(const ContactProblem& problem) {
  const ImpactProblem& impact = *problem.impact;
  KineticBasis basis(impact.M);
  const SparseMatrix joints = impact.M.solve(impact.J), normals = impact.M.solve(impact.W);
  for (Index j = 0; j < joints.cols(); ++j) basis.extend(joints.col(j));
  for (const Index row : problem.row) basis.extend(normals.col(row));
  const Index constrained = basis.vectors.cols();
  for (Index i = 0; i < impact.M.size(); ++i) basis.extend(Vector::Unit(impact.M.size(), i));
  return basis.vectors.rightCols(basis.vectors.cols() - constrained);
}

/// The jump of u that E_tan asks for beyond the normal impulses.
Vector tangential_jump(const ContactProblem& problem, const Matrix& E_tan) {
  const ImpactProblem& impact = *problem.impact;
  const Matrix t = tangential_basis(problem);
  Matrix E = E_tan;
  if (E.size() == 1) E = Matrix::Identity(t.cols(), t.cols()) * E_tan(0, 0);
  require_square(E, t.cols(), "law.E_tan");
  const Vector q_tan = t.transpose() * (impact.M * impact.u_minus);
  return -t * (E * q_tan + q_tan);
}

Impulses incompatible(const ContactProblem& problem) {
  Impulses impulses;
  impulses.status = Status::no_solution;
  impulses.message = fmt::format(
      "{}: the {} contacts are redundant and the matrices ask for velocities after the impact that exclude each other",
      GeneralizedKinematic::name, problem.size());
  return impulses;
}

std::vector<Index> rows_of_tangents(const ContactProblem& problem) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < problem.row.size(); ++i)
    for (int t = 1; t <= problem.contacts()[i].tangents; ++t) rows.push_back(problem.row[i] + t);
  return rows;
}

/// A block of the given size: zero where it is left out; a number stands for a multiple of the identity.
Matrix block_of(const Matrix& given, Index rows, Index columns, std::string_view place) {
  if (given.size() == 0) return Matrix::Zero(rows, columns);
  if (given.size() == 1 && rows == columns) return Matrix::Identity(rows, columns) * given(0, 0);
  if (given.rows() != rows || given.cols() != columns)
    throw InputError(std::string(place),
                     fmt::format("is {} x {}; it must be {} x {}", given.rows(), given.cols(), rows, columns));
  if (!given.allFinite()) throw InputError(std::string(place), "has an entry that is not a finite number");
  return given;
}

/// Impulses with the same effect of which none pulls or leaves its cone, where there are such; else those given. Where
/// there are, they solve Coulomb's problem with velocities that are all zero.
Vector shared_in_cones(const ContactProblem& problem, const Vector& Lambda) {
  std::vector<numerics::FrictionCone> cones;
  for (std::size_t i = 0; i < problem.row.size(); ++i)
    cones.push_back({.row = problem.row[i],
                     .tangents = problem.contacts()[i].tangents,
                     .mu = problem.contacts()[i].static_friction(),
                     .least = 0,
                     .slide = {}});
  const Vector effect = problem.G * Lambda;
  const numerics::ConeSolution shared = numerics::solve_cone_problem(
      problem.G, -effect, cones, {.terms = {}, .accuracy = 0, .guess = Lambda, .effort = {}});
  if (!shared.solved || !shared.x.allFinite()) return Lambda;
  const bool same = (problem.G * shared.x - effect).cwiseAbs().maxCoeff() <= kShared * effect.cwiseAbs().maxCoeff();
  return same ? shared.x : Lambda;
}

/// Whether a kernel of G leaves these rows alone.
bool leaves(const Matrix& kernel, const std::vector<Index>& rows) {
  if (kernel.size() == 0 || rows.empty()) return true;
  return kernel(rows, Eigen::all).cwiseAbs().maxCoeff() <= kIndependent * kernel.cwiseAbs().maxCoeff();
}

}  // namespace

GeneralizedKinematic GeneralizedKinematic::renumbered(const ContactOrder& order) const {
  const auto m = static_cast<Index>(order.contacts.size()), tangents = static_cast<Index>(order.tangents.size());
  const auto fits = [](const Matrix& matrix, Index rows, Index columns) {
    return matrix.rows() == rows && matrix.cols() == columns;
  };
  GeneralizedKinematic result = *this;
  if (fits(E_n, m, m)) result.E_n = E_n(order.contacts, order.contacts);
  if (fits(E_t, tangents, tangents)) result.E_t = E_t(order.tangents, order.tangents);
  if (fits(E_nt, m, tangents)) result.E_nt = E_nt(order.contacts, order.tangents);
  if (fits(E_tn, tangents, m)) result.E_tn = E_tn(order.tangents, order.contacts);
  return result;
}

Matrix GeneralizedKinematic::normal_blocks(const ContactProblem& problem, const Vector& length) const {
  const Index m = problem.size();
  if (!r) {
    if (E_n.size() == 0) throw InputError("law.E_n", fmt::format("is missing; {} needs a {} x {} matrix", name, m, m));
    require_square(E_n, m, "law.E_n");
    return E_n;
  }
  if (E_n.size() > 0) throw InputError("law.r", "stands for E_n, which is given too; leave one of them out");
  if (m != 2) throw InputError("law.r", fmt::format("is of two contacts; the problem has {}", m));
  if (!(*r >= -1 && *r <= 1)) throw InputError("law.r", fmt::format("{} is outside [-1, 1]", *r));
  const Eigen::Matrix2d R = *r >= 0 ? Eigen::Matrix2d{{*r, 0}, {0, *r}} : Eigen::Matrix2d{{0, -*r}, {-*r, 0}};
  return unit_scale(length.cwiseAbs2()).asDiagonal() * R * length.asDiagonal();
}

/// Normals and tangents alike.
Impulses GeneralizedKinematic::impulses_with_tangents(const ContactProblem& problem) const {
  if (E_tan.size() > 0) throw InputError("law.E_tan", "is for contacts without friction; E_t is for those with it");
  const Vector diagonal = Vector(problem.G.diagonal()).cwiseMax(0), length = diagonal.cwiseSqrt(),
               unit = unit_scale(diagonal);
  const std::vector<Index>& normals = problem.row;
  const std::vector<Index> tangents = rows_of_tangents(problem);
  const Index m = problem.size(), count = static_cast<Index>(tangents.size());
  Matrix E(diagonal.size(), diagonal.size());
  E(normals, normals) = normal_blocks(problem, length(normals));
  E(tangents, tangents) = block_of(E_t, count, count, "law.E_t");
  E(normals, tangents) = block_of(E_nt, m, count, "law.E_nt");
  E(tangents, normals) = block_of(E_tn, count, m, "law.E_tn");

  const Vector target = -length.cwiseProduct(E * unit.cwiseProduct(problem.gamma_minus));
  const Vector gamma_plus = (unit.array() > 0).select(target, problem.gamma_free);
  const numerics::PseudoSolution solution = numerics::pseudo_solve(problem.G, gamma_plus - problem.gamma_free);
  if (solution.residual > kCompatible) return incompatible(problem);
  Impulses impulses;
  impulses.Lambda = solution.kernel.cols() > 0 ? shared_in_cones(problem, solution.x) : solution.x;
  impulses.unique.impulse = leaves(solution.kernel, normals);
  impulses.unique.tangential_impulse = leaves(solution.kernel, tangents);
  return impulses;
}

Impulses GeneralizedKinematic::impulses(const ContactProblem& problem) const {
  if (E_t.size() > 0) return impulses_with_tangents(problem);
  if (has_friction(problem))
    throw InputError("law.E_t",
                     "is missing; it says what contacts with friction do along their tangents: 0 lets them "
                     "stick, -1 leaves their slip alone");
  require_no_friction(problem, name);
  if (E_nt.size() > 0 || E_tn.size() > 0)
    throw InputError(E_nt.size() > 0 ? "law.E_nt" : "law.E_tn", "belongs to E_t, which is missing");

  const NormalProblem normal(problem);
  // gamma_i = length_i q_norm,i; contacts that joints hold fast have no length and take no part.
  const Vector unit = unit_scale(normal.G().diagonal()), length = normal.G().diagonal().cwiseSqrt();
  const Vector target = -length.cwiseProduct(normal_blocks(problem, length) * unit.cwiseProduct(normal.gamma_minus));
  const Vector gamma_plus = (unit.array() > 0).select(target, normal.gamma_free);
  const numerics::PseudoSolution solution = numerics::pseudo_solve(normal.G(), gamma_plus - normal.gamma_free);
  if (solution.residual > kCompatible) return incompatible(problem);

  Impulses impulses;
  impulses.Lambda = normal.to_rows(solution.x);
  impulses.unique.impulse = solution.kernel.cols() == 0;
  if (E_tan.size() == 0) return impulses;

  const ImpactProblem& impact = *problem.impact;
  const Vector jump = tangential_jump(problem, E_tan);
  impulses.generalized = impact.M * jump;
  if (problem.has_tangents()) {
    const Vector carried = impulses.Lambda;
    const numerics::PseudoSolution shared =
        numerics::pseudo_solve(problem.G, problem.G * carried + impact.W.transpose() * jump);
    impulses.Lambda = shared.x;
    impulses.generalized += impact.W * (carried - shared.x);
    // The normal impulses stay determined where only the tangents are redundant.
    impulses.unique.tangential_impulse = shared.kernel.cols() == 0;
    impulses.unique.impulse = leaves(shared.kernel, problem.row);
  }
  return impulses;
}

}  // namespace carom
