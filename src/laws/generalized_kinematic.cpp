#include "carom/laws/generalized_kinematic.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/numerics/least_norm.h"

namespace carom {
namespace {

constexpr double kCompatible = 1e-9;   // of the velocities that redundant contacts cannot take, relative
constexpr double kIndependent = 1e-8;  // of what Gram-Schmidt leaves of a vector, relative

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
      "{}: the {} contacts are redundant and E_n asks for velocities after the impact that exclude each other",
      GeneralizedKinematic::name, problem.size());
  return impulses;
}

}  // namespace

Impulses GeneralizedKinematic::impulses(const ContactProblem& problem) const {
  require_no_friction(problem, name);
  if (E_n.size() == 0)
    throw InputError("law.E_n",
                     fmt::format("is missing; {} needs a {} x {} matrix", name, problem.size(), problem.size()));
  require_square(E_n, problem.size(), "law.E_n");

  const NormalProblem normal(problem);
  // gamma_i = length_i q_norm,i; contacts that joints hold fast have no length and take no part.
  const Vector unit = unit_scale(normal.G().diagonal()), length = normal.G().diagonal().cwiseSqrt();
  const Vector target = -length.cwiseProduct(E_n * unit.cwiseProduct(normal.gamma_minus));
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
    const double largest = shared.kernel.size() > 0 ? shared.kernel.cwiseAbs().maxCoeff() : 0;
    impulses.unique.tangential_impulse = shared.kernel.cols() == 0;
    impulses.unique.impulse = shared.kernel.size() == 0 ||
                              shared.kernel(problem.row, Eigen::all).cwiseAbs().maxCoeff() <= kIndependent * largest;
  }
  return impulses;
}

}  // namespace carom
