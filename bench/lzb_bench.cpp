// The law of Liu, Zhao and Brogliato: few balls, long rows, packings. A run counts only if it is solved and its
// certificate is consistent; otherwise the benchmark reports what is wrong with it.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "carom/laws/all.h"
#include "cases.h"
#include "peak_memory.h"

namespace carom::bench {
namespace {

constexpr double kFiner = 0.01;  // of the tolerance: that of the answer that the error is measured against
constexpr Index kChecked = 999;  // contacts: above, the error is not measured

/// Empty if the outcome counts.
std::string what_is_wrong(const ImpactOutcome& outcome) {
  if (!outcome.solved()) return outcome.message;
  if (outcome.certificate.consistent) return {};
  const Certificate::Residuals& residual = outcome.certificate.relative;
  return fmt::format("inconsistent: dynamics {:.1e}, penetration {:.1e}, pull {:.1e}, energy {:.1e}, ledger {:.1e}",
                     residual.dynamics, residual.kinematic, residual.kinetic, residual.energetic, residual.ledger);
}

/// From the problem to the certificate.
void time_lzb(benchmark::State& state, const ImpactProblem& problem, double tolerance) {
  const PeakMemory memory;
  ImpactOutcome outcome;
  for (auto _ : state) outcome = solve(problem, Lzb{.tolerance = tolerance});
  state.counters["peak_MB"] = memory.megabytes();
  state.counters["contacts"] = static_cast<double>(problem.contacts.size());
  state.counters["evaluations"] = static_cast<double>(outcome.cost.evaluations);
  state.counters["steps"] = static_cast<double>(outcome.cost.iterations);
  state.counters["events"] = static_cast<double>(outcome.events.value_or(0));
  state.counters["energy_created"] = outcome.certificate.relative.energetic;
  state.counters["energy_change"] = outcome.energy.after / outcome.energy.before - 1;  // with e = 1 an error
  if (const std::string wrong = what_is_wrong(outcome); !wrong.empty()) state.SkipWithError(wrong.c_str());
  state.counters["error"] = std::numeric_limits<double>::quiet_NaN();
  if (outcome.u_plus.size() == 0 || problem.W.cols() > kChecked) return;
  const ImpactOutcome converged = solve(problem, Lzb{.tolerance = std::max(kFiner * tolerance, 1e-12)});
  state.counters["error"] = (outcome.u_plus - converged.u_plus).cwiseAbs().maxCoeff();
}

void per_body(benchmark::State& state, const char* name, Index bodies) {
  state.counters[name] = benchmark::Counter(
      static_cast<double>(bodies), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// ---- few balls
// ------------------------------------------------------------------------------------------------------

void few_balls(benchmark::State& state, const ImpactProblem& problem) {
  time_lzb(state, problem, 1e-9);
}
BENCHMARK_CAPTURE(few_balls, three_hertz, equal_balls(3, 1.5, 1))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(few_balls, five_hertz, equal_balls(5, 1.5, 1))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(few_balls, five_linear_1_1, equal_balls(5, 1, 1))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(few_balls, five_linear_2_2, heavy_first(5, 1, 1))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(few_balls, ten_hertz, equal_balls(10, 1.5, 1))->Unit(benchmark::kMicrosecond);

// ---- long rows, struck at one end: the goal is growth in proportion to the number of balls
// -----------------------------------

/// What does not end within about 20 s is left out, bench/README.md says which.
void long_row(benchmark::State& state, ImpactProblem (*generate)(Index balls, double e), double e) {
  const Index balls = state.range(0);
  time_lzb(state, generate(balls, e), 1e-6);
  per_body(state, "s_a_ball", balls);
}
ImpactProblem equal_hertz(Index balls, double e) {
  return equal_balls(balls, 1.5, e);
}
#define CAROM_ROW(name, generate, e) \
  BENCHMARK_CAPTURE(long_row, name, generate, e)->ArgName("balls")->Unit(benchmark::kMillisecond)
CAROM_ROW(equal, equal_hertz, 1)->Arg(101)->Arg(1001)->Arg(10'000)->Arg(100'000)->Arg(1'000'000);
CAROM_ROW(equal_e95, equal_hertz, 0.95)->Arg(101)->Arg(301)->Arg(1001);
CAROM_ROW(graded_masses, graded_masses, 1)->Arg(101)->Arg(1001)->Arg(3001)->Arg(10'000);
CAROM_ROW(tapered_radii, tapered_radii, 1)->Arg(101)->Arg(1001)->Arg(3001)->Arg(10'000);
#undef CAROM_ROW

// ---- packings, struck at a corner
// -------------------------------------------------------------------------------------

void packing(benchmark::State& state, double e, double tolerance) {
  const Index side = state.range(0);
  time_lzb(state, struck_packing(side, e), tolerance);
  per_body(state, "s_a_disc", side * side);
}
#define CAROM_PACKING(name, e, tolerance) \
  BENCHMARK_CAPTURE(packing, name, e, tolerance)->ArgName("side")->Unit(benchmark::kMillisecond)
CAROM_PACKING(e1_to_1e3, 1, 1e-3)->Arg(10)->Arg(32)->Arg(100)->Arg(316);
CAROM_PACKING(e1_to_1e6, 1, 1e-6)->Arg(10)->Arg(32)->Arg(45);
CAROM_PACKING(e9_to_1e3, 0.9, 1e-3)->Arg(10)->Arg(32)->Arg(100)->Arg(316);
CAROM_PACKING(e9_to_1e6, 0.9, 1e-6)->Arg(10)->Arg(32)->Arg(45);
#undef CAROM_PACKING

}  // namespace
}  // namespace carom::bench
