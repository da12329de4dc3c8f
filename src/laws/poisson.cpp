#include "laws/poisson.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <vector>

#include "numerics/lcp.h"
#include "numerics/qp.h"

namespace carom {
namespace {

using numerics::LcpSolution;
using numerics::LcpStatus;

constexpr Index kLeastEnergySize = 60;  // beyond this many contacts an open compression keeps its least-norm impulses
// In unknowns of unit diagonal and unit velocity:
constexpr double kClosed = 1e-9;      // of gamma_c: below it a contact may carry compression
constexpr double kKernel = 1e-10;     // of an eigenvalue of G
constexpr double kDifference = 1e-8;  // of two velocities after the impact: farther apart they are two answers

/// Both phases of a Poisson impact in the normals.
struct Phases {
  SparseMatrix G;
  Vector e, gamma_c, Lambda_c;

  /// 0 <= gamma+ _|_ x >= 0 with the expansion impulse e Lambda_c + x.
  LcpSolution expand(const Vector& compression) const {
    return numerics::solve_lcp(G, gamma_c + G * e.cwiseProduct(compression));
  }
};

/// Directions in which Lambda_c may change without changing gamma_c; zero outside the closed contacts. G has unit
/// diagonal.
Matrix free_compressions(const Phases& phases) {
  const Index m = phases.gamma_c.size();
  std::vector<Index> closed;
  for (Index i = 0; i < m; ++i)
    if (phases.gamma_c[i] <= kClosed && phases.G.coeff(i, i) > 0) closed.push_back(i);
  if (closed.empty()) return Matrix(m, 0);
  const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(Matrix(Matrix(phases.G)(closed, closed)));
  Index nullity = 0;
  while (nullity < spectrum.eigenvalues().size() && spectrum.eigenvalues()[nullity] <= kKernel) ++nullity;
  Matrix kernel = Matrix::Zero(m, nullity);
  kernel(closed, Eigen::all) = spectrum.eigenvectors().leftCols(nullity);
  return kernel;
}

/// The compression that lets the expansion end with the least kinetic energy: minimizes 1/2 y'Gy + gamma_c'y over
/// y = e Lambda_c + x, x >= 0, Lambda_c >= 0, G Lambda_c as given. In the unknowns (x, Lambda_c).
Vector least_energy_compression(const Phases& phases) {
  const Index m = phases.gamma_c.size();
  const Matrix G = phases.G;
  Matrix spread(m, 2 * m);  // y of the unknowns
  spread << Matrix::Identity(m, m), Matrix(phases.e.asDiagonal());
  Matrix kept = Matrix::Zero(m, 2 * m);
  kept.rightCols(m) = G;
  const numerics::QpSolution qp = numerics::solve_qp(spread.transpose() * G * spread,
                                                     spread.transpose() * phases.gamma_c, kept, G * phases.Lambda_c);
  return qp.status == LcpStatus::solved ? Vector(qp.v.tail(m)) : phases.Lambda_c;
}

/// Whether any other compression within N ends elsewhere; tries the ends of each direction.
bool ends_elsewhere(const Phases& phases, const Matrix& N, const Vector& gamma_plus) {
  const auto differs = [&](const Vector& compression) {
    const LcpSolution expansion = phases.expand(compression);
    return expansion.status == LcpStatus::solved && (expansion.w - gamma_plus).cwiseAbs().maxCoeff() > kDifference;
  };
  if (differs(phases.Lambda_c)) return true;
  for (Index k = 0; k < N.cols(); ++k)
    for (const double sign : {-1.0, 1.0}) {
      const Vector direction = sign * N.col(k);
      double length = phases.Lambda_c.cwiseAbs().maxCoeff() / direction.cwiseAbs().maxCoeff();
      for (Index i = 0; i < direction.size(); ++i)
        if (direction[i] < 0) length = std::min(length, phases.Lambda_c[i] / -direction[i]);
      if (length > 0 && differs((phases.Lambda_c + length * direction).cwiseMax(0))) return true;
    }
  return false;
}

/// Of many compressions the one that ends with the least kinetic energy, and whether others end elsewhere.
struct Choice {
  Vector Lambda_c;
  bool unique_velocity = true;
};
Choice choose_compression(const Phases& phases) {
  const Index m = phases.gamma_c.size();
  if (m > kLeastEnergySize) return {phases.Lambda_c, false};
  // Everything is of order one in unknowns of unit diagonal, whatever the units of the problem.
  const Vector unit = unit_scale(phases.G.diagonal());
  const double speed = unit.cwiseProduct(phases.G * phases.Lambda_c).cwiseAbs().maxCoeff();
  if (!(speed > 0)) return {phases.Lambda_c, true};
  const Vector impulse = unit * speed;  // one unit of each impulse
  Phases scaled{SparseMatrix(unit.asDiagonal() * phases.G * unit.asDiagonal()), phases.e,
                unit.cwiseProduct(phases.gamma_c) / speed, phases.Lambda_c};
  for (Index i = 0; i < m; ++i) scaled.Lambda_c[i] = impulse[i] > 0 ? phases.Lambda_c[i] / impulse[i] : 0;
  const Matrix N = free_compressions(scaled);
  if (N.cols() == 0) return {phases.Lambda_c, true};
  const Vector chosen = least_energy_compression(scaled);
  return {impulse.cwiseProduct(chosen), !ends_elsewhere(scaled, N, scaled.expand(chosen).w)};
}

bool all_equal(const Vector& e) {
  return e.size() == 0 || (e.array() == e[0]).all();
}

}  // namespace

Impulses Poisson::impulses(const ContactProblem& problem) const {
  require_no_friction(problem, name);
  require_restitution_in_unit_interval(problem, name);
  const NormalProblem normal(problem);
  Vector e(problem.size());
  for (Index i = 0; i < problem.size(); ++i) e[i] = problem.contacts()[i].e;

  const LcpSolution compression = numerics::solve_lcp(normal.G(), normal.gamma_free);
  if (compression.status == LcpStatus::infeasible) return contradiction(problem, compression.ray, name);
  Phases phases{normal.G(), e, compression.w, compression.x};
  LcpSolution expansion = phases.expand(phases.Lambda_c);

  Impulses impulses;
  impulses.unique.impulse = compression.unique;
  if (!compression.unique && !all_equal(e) && compression.status == LcpStatus::solved) {
    const Choice choice = choose_compression(phases);
    impulses.unique.u_plus = choice.unique_velocity;
    phases.Lambda_c = choice.Lambda_c;
    expansion = phases.expand(phases.Lambda_c);
  }
  if (expansion.status == LcpStatus::infeasible) return contradiction(problem, expansion.ray, name);
  if (compression.status != LcpStatus::solved || expansion.status != LcpStatus::solved) {
    impulses.status = Status::iteration_limit;
    impulses.message = fmt::format("{}: a complementarity problem was not solved in {} linear solves", name,
                                   compression.iterations + expansion.iterations);
  }
  const Vector least = phases.Lambda_c + e.cwiseProduct(phases.Lambda_c);
  impulses.unique.impulse = impulses.unique.impulse && expansion.unique;
  impulses.Lambda = normal.to_rows(least + expansion.x);
  impulses.gamma_bound = Vector::Zero(problem.size());
  impulses.Lambda_bound = least;
  impulses.cost.iterations = compression.iterations + expansion.iterations;
  return impulses;
}

}  // namespace carom
