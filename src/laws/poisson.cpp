#include "laws/poisson.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <vector>

#include "numerics/lcp.h"

namespace carom {
namespace {

using numerics::LcpSolution;
using numerics::LcpStatus;

constexpr Index kLeastEnergySize = 60;    // beyond this many contacts an open compression keeps its least-norm impulses
constexpr double kClosed = 1e-9;          // of gamma_c, relative: below it a contact may carry compression
constexpr double kKernel = 1e-11;         // of an eigenvalue, relative to the largest
constexpr double kDifference = 1e-9;      // of two post-impact velocities, relative: farther apart they are two answers

/// Both phases of a Poisson impact in the normals.
struct Phases {
  const SparseMatrix& G;
  const Vector& e;
  Vector gamma_c, Lambda_c;

  /// 0 <= gamma+ _|_ x >= 0 with the expansion impulse e Lambda_c + x.
  LcpSolution expand(const Vector& compression) const {
    return numerics::solve_lcp(G, gamma_c + G * e.cwiseProduct(compression));
  }
};

/// Directions in which Lambda_c may change without changing gamma_c, in unknowns scaled to unit diagonal of G, so that they
/// do not depend on units; zero outside the closed contacts.
Matrix free_compressions(const Phases& phases) {
  const Index m = phases.gamma_c.size();
  const Vector diagonal = phases.G.diagonal();
  const double scale = phases.gamma_c.cwiseAbs().maxCoeff() + (phases.G * phases.Lambda_c).cwiseAbs().maxCoeff();
  std::vector<Index> closed;
  for (Index i = 0; i < m; ++i)
    if (phases.gamma_c[i] <= kClosed * scale && diagonal[i] > 0) closed.push_back(i);
  const Vector unit = diagonal(closed).cwiseSqrt().cwiseInverse();
  const Matrix G = Matrix(phases.G)(closed, closed);
  const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(Matrix(unit.asDiagonal() * G * unit.asDiagonal()));
  Index nullity = 0;
  while (nullity < unit.size() && spectrum.eigenvalues()[nullity] <= kKernel * static_cast<double>(unit.size())) ++nullity;
  Matrix kernel = Matrix::Zero(m, nullity);
  kernel(closed, Eigen::all) = unit.asDiagonal() * spectrum.eigenvectors().leftCols(nullity);
  return kernel;
}

/// The compression that lets the expansion end with the least kinetic energy: minimizes 1/2 y'Gy + gamma_c'y over
/// y >= e Lambda_c and Lambda_c = given + N z >= 0, through Lemke's method in (y - e Lambda_c, z+, z-, multipliers of Lambda_c).
Vector least_energy_compression(const Phases& phases, const Matrix& N) {
  const Index m = phases.gamma_c.size(), k = N.cols();
  const Matrix G = phases.G, EN = phases.e.asDiagonal() * N;
  const Vector linear = phases.gamma_c + G * phases.e.cwiseProduct(phases.Lambda_c);
  const Matrix GEN = G * EN, H = EN.transpose() * GEN;
  const Vector linear_z = EN.transpose() * linear;
  Matrix A = Matrix::Zero(2 * m + 2 * k, 2 * m + 2 * k);
  A.block(0, 0, m, m) = G;
  A.block(0, m, m, k) = GEN;
  A.block(0, m + k, m, k) = -GEN;
  A.block(m, 0, k, m) = GEN.transpose();
  A.block(m + k, 0, k, m) = -GEN.transpose();
  A.block(m, m, k, k) = A.block(m + k, m + k, k, k) = H;
  A.block(m, m + k, k, k) = A.block(m + k, m, k, k) = -H;
  A.block(m, m + 2 * k, k, m) = -N.transpose();
  A.block(m + k, m + 2 * k, k, m) = N.transpose();
  A.block(m + 2 * k, m, m, k) = N;
  A.block(m + 2 * k, m + k, m, k) = -N;
  Vector q(2 * m + 2 * k);
  q << linear, linear_z, -linear_z, phases.Lambda_c;
  const LcpSolution lcp = numerics::solve_lemke(A, q);
  if (lcp.status != LcpStatus::solved) return phases.Lambda_c;
  return (phases.Lambda_c + N * (lcp.x.segment(m, k) - lcp.x.segment(m + k, k))).cwiseMax(0);
}

/// Whether any other compression within N ends elsewhere; tries the ends of each direction.
bool ends_elsewhere(const Phases& phases, const Matrix& N, const Vector& gamma_plus) {
  const double scale = gamma_plus.cwiseAbs().maxCoeff() + phases.gamma_c.cwiseAbs().maxCoeff();
  const auto differs = [&](const Vector& compression) {
    const LcpSolution expansion = phases.expand(compression);
    return expansion.status == LcpStatus::solved &&
           (expansion.w - gamma_plus).cwiseAbs().maxCoeff() > kDifference * scale;
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

bool all_equal(const Vector& e) { return e.size() == 0 || (e.array() == e[0]).all(); }

}  // namespace

Impulses Poisson::impulses(const ContactProblem& problem, Path*) const {
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
    if (problem.size() > kLeastEnergySize) {
      impulses.unique.u_plus = false;
    } else if (const Matrix N = free_compressions(phases); N.cols() > 0) {
      const Vector chosen = least_energy_compression(phases, N);
      expansion = phases.expand(chosen);
      impulses.unique.u_plus = !ends_elsewhere(phases, N, expansion.w);
      phases.Lambda_c = chosen;
    }
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
