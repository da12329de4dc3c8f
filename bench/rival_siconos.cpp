// Carom and Siconos on the same complementarity problems, in one run:
//   carom_bench_siconos [--max-n N] [--seconds S] [--filter WORD]
// Siconos gets its matrix dense, the only storage that all but one of its solvers take, ready in memory; only
// linearComplementarity_driver is timed, z and w are cleared outside the clock. Tolerance 1e-10.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "LinearComplementarityProblem.h"
#include "NonSmoothDrivers.h"
#include "NumericsMatrix.h"
#include "SolverOptions.h"
#include "carom/impact/solve.h"
#include "carom/laws/newton.h"
#include "carom/numerics/lcp.h"
#include "cases.h"
#include "lcp_cst.h"
#include "rival_options.h"
#include "timing.h"

namespace carom::bench {
namespace {

constexpr double kTolerance = 1e-10;
constexpr double kAgreement = 1e-7;  // of w, relative to q: beyond it an answer counts as wrong
constexpr double kSweepWork = 4e9;   // multiplications after which an iterative solver is stopped, some seconds
constexpr int kNewtonSteps = 100;    // and a Newton method

/// Newton's law as Siconos would be asked: 0 <= w = G z + q _|_ z >= 0.
struct Case {
  std::string name;
  ImpactProblem problem;
  SparseMatrix G;
  Matrix G_dense;
  Vector q;
  bool full = false;  // our solver is given G dense, as the rival is
};

Case make_case(std::string name, ImpactProblem problem, bool full) {
  const ContactProblem reduced = reduce(problem);
  return {
      std::move(name), std::move(problem), reduced.G, Matrix(reduced.G), (1 + kRestitution) * reduced.gamma_free, full};
}

/// Time of one call [s]. `prepare` runs before every call, outside the clock.
double time_call(double budget, const std::function<void()>& prepare, const std::function<void()>& call) {
  return time_that_a_tenth_stays_below(budget, [&] {
    prepare();
    return seconds_of(call);
  });
}

struct Row {
  std::string solver;
  double seconds = 0;
  double error = 0;       // max |min(z, G z + q)| relative to max |q|
  double difference = 0;  // max |w - w of Carom| relative to max |q|
  bool converged = true;
};

// ---- Siconos
// ----------------------------------------------------------------------------------------------------------

struct Rival {
  int id;
  const char* name;
  Index largest;           // beyond this it takes minutes
  bool quadratic = false;  // one step costs n^2 multiplications
  int steps = 0;           // limit of steps where it is not a sweep; 0 = that of Siconos
};

constexpr Index kAny = std::numeric_limits<Index>::max();
const Rival kRivals[] = {
    {SICONOS_LCP_LEMKE, "Lemke", kAny, true},
    {SICONOS_LCP_PIVOT, "pivot", 100, true},
    {SICONOS_LCP_MURTY, "Murty", kAny, true},
    {SICONOS_LCP_ENUM, "enumeration", 12},
    {SICONOS_LCP_NEWTON_FB_FBLSA, "Newton-FB", kAny, false, kNewtonSteps},
    {SICONOS_LCP_NEWTON_MIN_FBLSA, "Newton-min-FB", kAny, false, kNewtonSteps},
    {SICONOS_LCP_NEWTONMIN, "Newton-min", 100, false, kNewtonSteps},
    {SICONOS_LCP_PGS, "PGS", kAny, true},
    {SICONOS_LCP_RPGS, "RPGS", 100, true},
    {SICONOS_LCP_CPG, "CPG", 100, true},
    {SICONOS_LCP_LATIN, "Latin", 100, true},
};

struct Delete {
  void operator()(LinearComplementarityProblem* lcp) const { freeLinearComplementarityProblem(lcp); }
  void operator()(SolverOptions* options) const { solver_options_delete(options), std::free(options); }
};

std::unique_ptr<LinearComplementarityProblem, Delete> siconos_problem(const Matrix& G, const Vector& q) {
  const int n = static_cast<int>(q.size());
  std::unique_ptr<LinearComplementarityProblem, Delete> lcp(newLCP());
  lcp->size = n;
  lcp->M = NM_create(NM_DENSE, n, n);
  std::copy_n(G.data(), G.size(), lcp->M->matrix0);
  lcp->q = static_cast<double*>(std::malloc(sizeof(double) * q.size()));
  std::copy_n(q.data(), q.size(), lcp->q);
  return lcp;
}

std::unique_ptr<SolverOptions, Delete> siconos_options(const Rival& rival, Index n) {
  std::unique_ptr<SolverOptions, Delete> options(solver_options_create(rival.id));
  options->dparam[SICONOS_DPARAM_TOL] = kTolerance;
  if (rival.quadratic)
    options->iparam[SICONOS_IPARAM_MAX_ITER] = static_cast<int>(std::min(1e7, kSweepWork / static_cast<double>(n * n)));
  if (rival.steps > 0) options->iparam[SICONOS_IPARAM_MAX_ITER] = rival.steps;
  return options;
}

Row judge(std::string solver, double seconds, const Case& lcp, const Vector& z, const Vector& w_carom) {
  const double scale = lcp.q.cwiseAbs().maxCoeff();
  const Vector w = lcp.G_dense * z + lcp.q;
  Row row{std::move(solver), seconds, z.cwiseMin(w).cwiseAbs().maxCoeff() / scale,
          (w - w_carom).cwiseAbs().maxCoeff() / scale};
  row.converged = row.error <= kAgreement && row.difference <= kAgreement;
  return row;
}

Row run_siconos(const Rival& rival, const Case& lcp, const Vector& w_carom, double budget) {
  const Index n = lcp.q.size();
  const auto problem = siconos_problem(lcp.G_dense, lcp.q);
  const auto options = siconos_options(rival, n);
  Vector z(n), w(n);
  int info = 0;
  const double seconds = time_call(
      budget, [&] { z.setZero(), w.setZero(); },
      [&] { info = linearComplementarity_driver(problem.get(), z.data(), w.data(), options.get()); });
  Row row = judge(fmt::format("Siconos {}", rival.name), seconds, lcp, z, w_carom);
  row.converged = row.converged && info == 0;
  return row;
}

// ---- Carom
// ------------------------------------------------------------------------------------------------------------

Row run_carom_lcp(const Case& lcp, numerics::LcpSolution& solution, double budget) {
  const double seconds = time_call(
      budget, [] {},
      [&] { solution = lcp.full ? numerics::solve_lcp(lcp.G_dense, lcp.q) : numerics::solve_lcp(lcp.G, lcp.q); });
  Row row = judge("Carom LCP", seconds, lcp, solution.x, solution.w);
  row.converged = row.converged && solution.status == numerics::LcpStatus::solved;
  return row;
}

Row run_carom_impact(const Case& lcp, const Vector& w_carom, double budget) {
  ImpactOutcome outcome;
  const double seconds = time_call(
      budget, [] {}, [&] { outcome = solve(lcp.problem, Newton{}); });
  Row row = judge("Carom impact", seconds, lcp, outcome.Lambda, w_carom);
  row.converged = row.converged && outcome.solved() && solves_its_equations(outcome.certificate);
  return row;
}

// ---- the tables
// -------------------------------------------------------------------------------------------------------

struct Verdict {
  std::string name;
  Index n = 0;
  Row impact, lcp, lemke;
  std::optional<Row> best;  // fastest of the rivals that converged
};

void print(const Row& row) {
  fmt::print("  {:22} {:>12.4f} {:>10.1e} {:>10.1e}   {}\n", row.solver, 1e3 * row.seconds, row.error, row.difference,
             row.converged ? "" : "not converged");
  std::fflush(stdout);
}

Verdict compete(const Case& lcp, double budget) {
  Verdict verdict{.name = lcp.name, .n = lcp.q.size(), .impact = {}, .lcp = {}, .lemke = {}, .best = {}};
  fmt::print("\n{}, n = {}\n  {:22} {:>12} {:>10} {:>10}\n", lcp.name, verdict.n, "", "ms", "error", "diff. w");
  numerics::LcpSolution solution;
  print(verdict.lcp = run_carom_lcp(lcp, solution, budget));
  print(verdict.impact = run_carom_impact(lcp, solution.w, budget));
  for (const Rival& rival : kRivals) {
    if (verdict.n > rival.largest) continue;
    const Row row = run_siconos(rival, lcp, solution.w, budget);
    print(row);
    if (rival.id == SICONOS_LCP_LEMKE) verdict.lemke = row;
    if (row.converged && (!verdict.best || row.seconds < verdict.best->seconds)) verdict.best = row;
  }
  return verdict;
}

void print(const std::vector<Verdict>& verdicts) {
  fmt::print(
      "\nTimes in ms; a/b > 1: Carom is faster that many times. impact = assembly of G, complementarity problem, "
      "velocities, energies, certificate; Siconos is given G.\n\n");
  fmt::print("| {:18} | {:>4} | {:>9} | {:>9} | {:>9} | {:>9} {:<21} | {:>12} | {:>9} | {:>8} | {:>11} |\n", "case",
             "n", "LCP", "impact", "Lemke", "best", "", "Lemke/impact", "Lemke/LCP", "best/LCP", "best/impact");
  fmt::print("|{:-<20}|{:->5}:|{:->10}:|{:->10}:|{:->10}:|{:-<33}|{:->13}:|{:->10}:|{:->9}:|{:->12}:|\n", "", "", "",
             "", "", "", "", "", "", "");
  for (const Verdict& verdict : verdicts) {
    const double lcp = verdict.lcp.seconds, impact = verdict.impact.seconds, lemke = verdict.lemke.seconds;
    const double best = verdict.best ? verdict.best->seconds : 0;
    fmt::print(
        "| {:18} | {:>4} | {:>9.4f} | {:>9.4f} | {:>9.4f} | {:>9.4f} {:<21} | {:>12.3g} | {:>9.3g} | {:>8.3g} | "
        "{:>11.3g} |\n",
        verdict.name, verdict.n, 1e3 * lcp, 1e3 * impact, 1e3 * lemke, 1e3 * best,
        verdict.best ? verdict.best->solver : "none", lemke / impact, lemke / lcp, best / lcp, best / impact);
  }
}

void run(const Options& options) {
  std::vector<Verdict> verdicts;
  const auto compare = [&](const char* name, Index n, bool full, auto&& generate) {
    if (n > options.max_n || std::string_view(name).find(options.filter) == std::string_view::npos) return;
    verdicts.push_back(compete(make_case(name, generate(n), full), options.seconds));
  };
  for (const Index n : {10, 100, 1000}) {
    compare("chain, struck", n, false, [](Index m) { return chain(m, Strike::one_end); });
    compare("chain, random", n, false, [](Index m) { return chain(m, Strike::everywhere); });
    compare("dense, random", n, true, dense_random);
    compare("dense, pressed", n, true, dense_pressed);
    compare("dense, common body", n, true, common_body);
  }
  print(verdicts);
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  const auto options = carom::bench::parse({argv + 1, argv + argc});
  if (!options) {
    fmt::print(stderr, "usage: carom_bench_siconos [--max-n N] [--seconds S] [--filter WORD]\n");
    return 2;
  }
  carom::bench::run(*options);
  return 0;
}
