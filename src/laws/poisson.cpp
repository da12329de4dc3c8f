#include "carom/laws/poisson.h"

#include <fmt/format.h>

#include <optional>

#include "carom/laws/friction_complementarity.h"
#include "carom/laws/normal_complementarity.h"
#include "carom/numerics/factored_lcp.h"
#include "carom/numerics/lcp.h"
#include "carom/numerics/qp.h"
#include "carom/numerics/sparse_products.h"

namespace carom {
namespace {

using numerics::LcpSolution;
using numerics::LcpStatus;

constexpr Index kLeastEnergySize = 60;  // beyond this many contacts an open compression keeps its least-norm impulses
constexpr Index kUniquenessSize = 20;   // and beyond this many, u+ is said to be open without trying
constexpr double kPull = 1e-3;          // towards the given compression while another one is sought
constexpr double kDifference = 1e-7;    // of velocities in units of the impact: farther apart they are two answers

/// Both phases of a Poisson impact in the normals.
struct Phases {
  SparseMatrix G;
  Vector e, gamma_free, terms;  // terms: size of what gamma_free is summed from

  Vector after(const Vector& compression) const { return gamma_free + G * compression; }

  /// 0 <= gamma+ _|_ x >= 0 with the expansion impulse e Lambda_c + x.
  LcpSolution expand(const Vector& compression) const {
    const Vector returned = e.cwiseProduct(compression);
    const Vector rounding = terms + G.cwiseAbs() * (compression + returned);
    return numerics::solve_lcp(G, after(compression) + G * returned, rounding);
  }
};

/// min 1/2 v'Hv + c'v over (x, Lambda_c) >= 0 that keep G Lambda_c; the Lambda_c of it, or nothing.
std::optional<Vector> best_compression(const Phases& phases, const Vector& compression, const Matrix& H,
                                       const Vector& c) {
  const Index m = phases.gamma_free.size();
  Matrix kept = Matrix::Zero(m, 2 * m);
  kept.rightCols(m) = phases.G;
  const numerics::QpSolution qp = numerics::solve_qp(H, c, kept, phases.G * compression);
  if (qp.status != LcpStatus::solved) return std::nullopt;
  return Vector(qp.v.tail(m));
}

/// The compression that lets the expansion end with the least kinetic energy: minimizes 1/2 y'Gy + gamma_c'y over
/// y = e Lambda_c + x.
std::optional<Vector> least_energy_compression(const Phases& phases, const Vector& compression) {
  const Index m = phases.gamma_free.size();
  Matrix spread(m, 2 * m);  // y of the unknowns (x, Lambda_c)
  spread << Matrix::Identity(m, m), Matrix(phases.e.asDiagonal());
  return best_compression(phases, compression, spread.transpose() * phases.G * spread,
                          spread.transpose() * phases.after(compression));
}

/// Whether some other compression ends elsewhere: tries those in which one contact carries as much or as little as it
/// can.
bool ends_elsewhere(const Phases& phases, const Vector& compression, const Vector& gamma_plus) {
  const Index m = phases.gamma_free.size();
  const double size = compression.maxCoeff();
  Matrix H = Matrix::Identity(2 * m, 2 * m) * (kPull / size);
  for (Index i = 0; i < m; ++i)
    for (const double sign : {-1.0, 1.0}) {
      Vector c(2 * m);
      c << Vector::Zero(m), sign * Vector::Unit(m, i) - kPull / size * compression;
      const std::optional<Vector> other = best_compression(phases, compression, H, c);
      if (!other) continue;
      const LcpSolution expansion = phases.expand(*other);
      if (expansion.status == LcpStatus::solved && (expansion.w - gamma_plus).cwiseAbs().maxCoeff() > kDifference)
        return true;
    }
  return false;
}

/// Of many compressions the one that ends with the least kinetic energy, and whether all end alike.
struct Choice {
  Vector compression;
  bool unique_velocity = false;
};
Choice choose_compression(const Phases& phases, const Vector& compression) {
  const Index m = phases.gamma_free.size();
  if (m > kLeastEnergySize) return {compression, false};
  // Everything is of order one in unknowns of unit diagonal, whatever the units of the problem.
  const Vector unit = unit_scale(phases.G.diagonal());
  const double speed = unit.cwiseProduct(phases.G * compression).cwiseAbs().maxCoeff();
  if (!(speed > 0)) return {compression, true};
  const Phases scaled{SparseMatrix(unit.asDiagonal() * phases.G * unit.asDiagonal()), phases.e,
                      unit.cwiseProduct(phases.gamma_free) / speed, unit.cwiseProduct(phases.terms) / speed};
  Vector given = compression / speed;
  for (Index i = 0; i < m; ++i) given[i] = unit[i] > 0 ? given[i] / unit[i] : 0;
  const std::optional<Vector> chosen = least_energy_compression(scaled, given);
  if (!chosen) return {compression, false};
  const bool unique = m <= kUniquenessSize && !ends_elsewhere(scaled, given, scaled.expand(*chosen).w);
  return {speed * unit.cwiseProduct(*chosen), unique};
}

/// The work of normal impulses in both phases, between the normal velocities at their starts and ends: velocities grow
/// in proportion to the impulses in each.
PhaseWorks works_between(const Vector& start, const Vector& middle, const Vector& end, const Vector& compression,
                         const Vector& all) {
  PhaseWorks works{Vector::Zero(all.size()), Vector::Zero(all.size())};
  for (Index i = 0; i < all.size(); ++i) {
    if (all[i] == 0) continue;  // it never carried
    works.compression[i] = 0.5 * (start[i] + middle[i]) * compression[i];
    works.restitution[i] = 0.5 * (middle[i] + end[i]) * (all[i] - compression[i]);
  }
  return works;
}

/// The same of contacts with friction.
PhaseWorks works_of(const ContactProblem& problem, const Vector& compression, const Vector& all) {
  PhaseWorks works{Vector::Zero(problem.size()), Vector::Zero(problem.size())};
  for (Index i = 0; i < problem.size(); ++i) {
    const Index row = problem.row[i];
    if (all[row] == 0) continue;  // it never carried
    const double start = problem.gamma_free[row];
    double middle = start, end = start;
    for (SparseMatrix::InnerIterator entry(problem.G, row); entry; ++entry) {  // G is symmetric
      middle += entry.value() * compression[entry.row()];
      end += entry.value() * all[entry.row()];
    }
    works.compression[i] = 0.5 * (start + middle) * compression[row];
    works.restitution[i] = 0.5 * (middle + end) * (all[row] - compression[row]);
  }
  return works;
}

bool all_equal(const Vector& e) {
  return (e.array() == e[0]).all();
}

}  // namespace

Impulses Poisson::impulses(const ContactProblem& problem) const {
  require_restitution_in_unit_interval(problem, name);
  if (has_friction(problem)) return frictional_impulses(problem);
  const NormalProblem normal(problem);
  Vector e(problem.size());
  for (Index i = 0; i < problem.size(); ++i) e[i] = problem.contacts()[i].e;

  LcpSolution compression = solve_normals(problem, normal, normal.gamma_free, normal.gamma_terms);
  if (compression.status == LcpStatus::infeasible) return contradiction(problem, compression.ray, name);

  Impulses impulses;
  Vector Lambda_c = std::move(compression.x);
  if (!compression.unique && !all_equal(e) && compression.status == LcpStatus::solved) {
    const Phases phases{normal.G(), e, normal.gamma_free, normal.gamma_terms};
    Choice choice = choose_compression(phases, Lambda_c);
    impulses.unique.u_plus = choice.unique_velocity;
    Lambda_c = std::move(choice.compression);
  }
  Vector returned = Lambda_c + e.cwiseProduct(Lambda_c);
  Vector after = normal.gamma_free, terms = normal.gamma_terms;
  for (Index i = 0; i < problem.size(); ++i) {
    const numerics::Sum pushed = numerics::column_product(normal.G(), i, returned);  // G is symmetric
    after[i] += pushed.value;
    terms[i] += pushed.terms;
  }
  if (numerics::is_ill_conditioned(normal.G(), normal.gamma_terms, Lambda_c)) {
    // Impulses on a light body between heavy ones cancel: they are summed before masses divide them.
    Vector moved = problem.impact->M.solve(Vector(problem.impact->W * normal.to_rows(returned)));
    if (!problem.joints.empty()) moved = problem.joints.project(moved);
    after = normal.gamma_free + Vector(problem.impact->W.transpose() * moved)(problem.row);
  }
  const LcpSolution expansion = solve_normals(problem, normal, after, terms);
  if (expansion.status == LcpStatus::infeasible) return contradiction(problem, expansion.ray, name);
  if (compression.status != LcpStatus::solved || expansion.status != LcpStatus::solved) {
    impulses.status = Status::iteration_limit;
    impulses.message = fmt::format("{}: a complementarity problem was not solved in {} linear solves", name,
                                   compression.iterations + expansion.iterations);
  }
  impulses.unique.impulse = compression.unique && expansion.unique;
  Vector Lambda = returned + expansion.x;
  if (impulses.status == Status::solved)
    impulses.works = works_between(normal.gamma_free, compression.w, expansion.w, Lambda_c, Lambda);
  impulses.Lambda = normal.to_rows(std::move(Lambda));
  impulses.gamma_bound = Vector::Zero(problem.size());
  impulses.Lambda_bound = std::move(returned);
  impulses.cost.iterations = compression.iterations + expansion.iterations;
  if (problem.options.others != Others::listed) return impulses;
  return among_others(problem, Vector::Zero(problem.size()), e, std::move(impulses), name);
}

/// Both phases with friction: each has its own impulses within their cones.
Impulses Poisson::frictional_impulses(const ContactProblem& problem) const {
  const Index m = problem.size();
  Impulses compression =
      impulses_with_friction(problem, problem.gamma_free, problem.gamma_terms, Vector::Zero(m), {}, name);
  if (compression.status == Status::no_solution) return compression;
  Vector returned(m), e(m);  // at least
  for (Index i = 0; i < m; ++i) {
    e[i] = problem.contacts()[i].e;
    returned[i] = e[i] * compression.Lambda[problem.row[i]];
  }
  const Vector after = problem.gamma_free + problem.G * compression.Lambda;
  const Vector terms = problem.gamma_terms + problem.G.cwiseAbs() * compression.Lambda.cwiseAbs();
  Impulses impulses = impulses_with_friction(problem, after, terms, Vector::Zero(m), returned, name);
  if (impulses.status == Status::no_solution) return impulses;
  if (compression.status != Status::solved) {
    impulses.status = compression.status;
    impulses.message = compression.message;
  }
  impulses.Lambda += compression.Lambda;
  for (Index i = 0; i < m; ++i) impulses.Lambda_bound[i] += compression.Lambda[problem.row[i]];
  impulses.unique.impulse = impulses.unique.impulse && compression.unique.impulse;
  impulses.unique.tangential_impulse = impulses.unique.impulse;
  impulses.cost.iterations += compression.cost.iterations;
  const Vector found = impulses.Lambda;
  impulses = among_others(problem, Vector::Zero(m), e, std::move(impulses), name);
  if (impulses.status != Status::no_solution && impulses.Lambda == found)  // else its compression is not known
    impulses.works = works_of(problem, compression.Lambda, impulses.Lambda);
  return impulses;
}

}  // namespace carom
