// Carom and Siconos on the same contacts with Coulomb friction in space, in one run:
//   carom_bench_siconos_friction [--max-n N] [--seconds S] [--filter WORD]
// Siconos gets its matrix ready in memory, Gauss-Seidel also as blocks of 3 x 3; only fc3d_driver is timed, reactions
// and velocities are cleared outside the clock. Tolerance 1e-8 for both; errors are measured here, the same way for
// both.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "FrictionContactProblem.h"
#include "Friction_cst.h"
#include "NonSmoothDrivers.h"
#include "NumericsMatrix.h"
#include "SolverOptions.h"
#include "SparseBlockMatrix.h"
#include "carom/numerics/cone_problem.h"
#include "friction_cases.h"
#include "rival_options.h"
#include "timing.h"

namespace carom::bench {
namespace {

constexpr double kTolerance = 1e-8;
constexpr double kConverged = 1e-6;  // error, relative to q: beyond it an answer counts as wrong
constexpr double kWork = 4e9;        // multiplications after which an iterative solver is stopped, some seconds

constexpr Index kSlowRows = 1000;  // above it a rival is left out that takes minutes there

enum class Storage { full, blocks };

struct Rival {
  int id;
  const char* name;
  bool sweeps;  // one step costs as many multiplications as the matrix has entries
  Storage storage = Storage::full;
  bool slow = false;
};
constexpr Rival kRivals[] = {
    {SICONOS_FRICTION_3D_NSGS, "NSGS", true},
    {SICONOS_FRICTION_3D_NSGS, "NSGS, blocks", true, Storage::blocks},
    {SICONOS_FRICTION_3D_NSN_AC, "Newton-AC", false, Storage::full, true},
    {SICONOS_FRICTION_3D_NSN_FB, "Newton-FB", false, Storage::full, true},
    {SICONOS_FRICTION_3D_ADMM, "ADMM", true},
};

struct Delete {
  void operator()(FrictionContactProblem* problem) const { frictionContactProblem_free(problem); }
  void operator()(SolverOptions* options) const { solver_options_delete(options), std::free(options); }
};

struct Row {
  std::string solver;
  double seconds = 0, error = 0;
  bool converged = false;
};

/// By how much impulses miss Coulomb's law, relative to q: the projection equations in units of velocity.
double error_of(const FrictionCase& one, const Vector& x) {
  const Vector w = one.G * x + one.q;
  double worst = 0;
  for (const numerics::FrictionCone& cone : one.cones) {
    const Index n = cone.row;
    const double step = 1 / one.G.coeff(n, n);
    worst = std::max(worst, std::abs(x[n] - std::max(0.0, x[n] - step * w[n])) / step);
    Vector target = x.segment(n + 1, 2) - step * w.segment(n + 1, 2);
    if (const double most = cone.mu * std::max(0.0, x[n]); target.norm() > most) target *= most / target.norm();
    worst = std::max(worst, (x.segment(n + 1, 2) - target).norm() / step);
  }
  return worst / one.q.cwiseAbs().maxCoeff();
}

NumericsMatrix* siconos_matrix(const SparseMatrix& G, Storage storage) {
  const int rows = static_cast<int>(G.rows());
  if (storage == Storage::full) {
    NumericsMatrix* M = NM_create(NM_DENSE, rows, rows);
    const Matrix full(G);
    std::copy_n(full.data(), full.size(), M->matrix0);
    return M;
  }
  NumericsMatrix* entries = NM_create(NM_SPARSE, rows, rows);
  NM_triplet_alloc(entries, G.nonZeros());
  for (Index j = 0; j < G.cols(); ++j)
    for (SparseMatrix::InnerIterator entry(G, j); entry; ++entry)
      NM_entry(entries, static_cast<int>(entry.row()), static_cast<int>(j), entry.value());
  NumericsMatrix* M = NM_create(NM_SPARSE_BLOCK, rows, rows);
  M->matrix1 = SBM_new();
  SBM_from_csparse(3, NM_csc(entries), M->matrix1);
  NM_clear(entries);
  std::free(entries);
  return M;
}

std::unique_ptr<FrictionContactProblem, Delete> siconos_problem(const FrictionCase& one, Storage storage) {
  auto* q = static_cast<double*>(std::malloc(sizeof(double) * one.q.size()));
  auto* mu = static_cast<double*>(std::malloc(sizeof(double) * one.cones.size()));
  std::copy_n(one.q.data(), one.q.size(), q);
  for (std::size_t i = 0; i < one.cones.size(); ++i) mu[i] = one.cones[i].mu;
  return std::unique_ptr<FrictionContactProblem, Delete>(frictionContactProblem_new_with_data(
      3, static_cast<int>(one.cones.size()), siconos_matrix(one.G, storage), q, mu));
}

Row run_siconos(const Rival& rival, const FrictionCase& one, double budget) {
  const auto problem = siconos_problem(one, rival.storage);
  std::unique_ptr<SolverOptions, Delete> options(solver_options_create(rival.id));
  options->dparam[SICONOS_DPARAM_TOL] = kTolerance;
  const double rows = static_cast<double>(one.q.size());
  const double entries = rival.storage == Storage::full ? rows * rows : static_cast<double>(one.G.nonZeros());
  options->iparam[SICONOS_IPARAM_MAX_ITER] = rival.sweeps ? static_cast<int>(std::min(1e5, kWork / entries)) : 200;
  Vector x(one.q.size()), w(one.q.size());
  int info = 0;
  Row row{fmt::format("Siconos {}", rival.name)};
  row.seconds = time_that_a_tenth_stays_below(budget, [&] {
    x.setZero();
    w.setZero();
    return seconds_of([&] { info = fc3d_driver(problem.get(), x.data(), w.data(), options.get()); });
  });
  row.error = error_of(one, x);
  row.converged = info == 0 && row.error <= kConverged;
  return row;
}

Row run_carom(const FrictionCase& one, double accuracy, double budget) {
  numerics::ConeSolution solution;
  Row row{accuracy > 0 ? "Carom" : "Carom, all digits"};
  row.seconds = time_that_a_tenth_stays_below(budget, [&] {
    return seconds_of(
        [&] { solution = numerics::solve_cone_problem(one.G, one.q, one.cones, {.accuracy = accuracy}); });
  });
  row.error = error_of(one, solution.x);
  row.converged = solution.solved && row.error <= kConverged;
  return row;
}

void print(const Row& row) {
  fmt::print("  {:20} {:>12.4f} {:>10.1e}   {}\n", row.solver, 1e3 * row.seconds, row.error,
             row.converged ? "" : "not converged");
  std::fflush(stdout);
}

void run(const Options& options) {
  std::vector<std::string> table;
  const auto compare = [&](const std::string& name, Index n, auto&& generate) {
    if (n > options.max_n || name.find(options.filter) == std::string::npos) return;
    const FrictionCase one = generate();
    fmt::print("\n{}, {} contacts\n  {:20} {:>12} {:>10}\n", name, one.cones.size(), "", "ms", "error");
    const Row carom = run_carom(one, kTolerance, options.seconds);
    print(carom);
    print(run_carom(one, 0, options.seconds));
    std::optional<Row> best;
    for (const Rival& rival : kRivals) {
      if (rival.slow && one.q.size() > kSlowRows) continue;
      const Row row = run_siconos(rival, one, options.seconds);
      print(row);
      if (row.converged && (!best || row.seconds < best->seconds)) best = row;
    }
    table.push_back(fmt::format("| {:14} | {:>8} | {:>10.4f} | {:>10} {:<18} | {:>10} |", name, one.cones.size(),
                                1e3 * carom.seconds, best ? fmt::format("{:.4f}", 1e3 * best->seconds) : "-",
                                best ? best->solver : "none converged",
                                best ? fmt::format("{:.3g}", best->seconds / carom.seconds) : "-"));
  };
  for (const Index n : {10, 100, 1000}) {
    compare("dense, random", n, [&] { return dense_random_friction(n); });
    compare("chain", n, [&] { return chain_friction(n); });
  }
  for (const Index n : {2, 3, 7}) compare("spheres in box", 3 * n * n * n, [&] { return box_of_spheres(n); });
  for (const Index n : {3, 10, 30}) compare("tower", 4 * n, [&] { return tower(n); });
  for (const Index n : {5, 11, 31}) compare("arch", 4 * (n + 1), [&] { return arch(n); });
  fmt::print("\n| {:14} | {:>8} | {:>10} | {:<29} | {:>10} |\n|{:-<16}|{:->9}:|{:->11}:|{:-<31}|{:->11}:|\n", "case",
             "contacts", "Carom [ms]", "best of Siconos [ms]", "ratio", "", "", "", "", "");
  for (const std::string& line : table) fmt::print("{}\n", line);
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  const auto options = carom::bench::parse({argv + 1, argv + argc});
  if (!options) {
    fmt::print(stderr, "usage: carom_bench_siconos_friction [--max-n N] [--seconds S] [--filter WORD]\n");
    return 2;
  }
  carom::bench::run(*options);
  return 0;
}
