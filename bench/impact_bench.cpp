#include <benchmark/benchmark.h>

#include "carom/laws/all.h"
#include "carom/numerics/lcp.h"
#include "cases.h"
#include "peak_memory.h"

namespace carom::bench {
namespace {

void label(benchmark::State& state, const ImpactProblem& problem, const ImpactOutcome& outcome) {
  state.counters["contacts"] = static_cast<double>(problem.contacts.size());
  state.counters["iterations"] = static_cast<double>(outcome.cost.iterations);
  if (!outcome.solved())
    state.SkipWithError(outcome.message.c_str());
  else if (!solves_its_equations(outcome.certificate))
    state.SkipWithError("a residual of the certificate is too large");
}

/// The whole job on a given problem: assembly of G, the law, velocities, energies, certificate.
void time_impact(benchmark::State& state, const ImpactProblem& problem, const auto& law) {
  for (auto _ : state) benchmark::DoNotOptimize(solve(problem, law));
  label(state, problem, solve(problem, law));
}

// ---- three contacts: the goal is 5 microseconds
// ----------------------------------------------------------------------

template <class L>
L law_for(Index) {
  return {};
}
template <>
GeneralizedKinematic law_for<GeneralizedKinematic>(Index contacts) {
  return {.E_n = kRestitution * Matrix::Identity(contacts, contacts), .E_tan = {}};
}

template <class L>
void three_contacts(benchmark::State& state) {
  time_impact(state, chain(3, Strike::one_end), law_for<L>(3));
}
BENCHMARK(three_contacts<Newton>);
BENCHMARK(three_contacts<Poisson>);
BENCHMARK(three_contacts<Moreau>);
BENCHMARK(three_contacts<GeneralizedKinematic>);

/// The same, with the problem built anew every time.
void three_contacts_from_nothing(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(solve(chain(3, Strike::one_end), Newton{}));
}
BENCHMARK(three_contacts_from_nothing);

void three_contacts_reduce_only(benchmark::State& state) {
  const ImpactProblem problem = chain(3, Strike::one_end);
  for (auto _ : state) benchmark::DoNotOptimize(reduce(problem));
}
BENCHMARK(three_contacts_reduce_only);

// ---- chains: the goal is growth in proportion to the number of contacts
// -----------------------------------------------

template <class L, Strike strike>
void chain_impact(benchmark::State& state) {
  const Index contacts = state.range(0);
  const ImpactProblem problem = chain(contacts, strike);
  const PeakMemory memory;
  time_impact(state, problem, L{});
  state.counters["peak_MB"] = memory.megabytes();
  state.counters["s_a_contact"] = benchmark::Counter(
      static_cast<double>(contacts), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetComplexityN(contacts);
}
#define CAROM_CHAIN(law, strike)               \
  BENCHMARK(chain_impact<law, Strike::strike>) \
      ->RangeMultiplier(10)                    \
      ->Range(10, 1'000'000)                   \
      ->Unit(benchmark::kMicrosecond)          \
      ->Complexity(benchmark::oN)
CAROM_CHAIN(Newton, one_end);
CAROM_CHAIN(Newton, everywhere);
CAROM_CHAIN(Poisson, one_end);
CAROM_CHAIN(Poisson, everywhere);
CAROM_CHAIN(Moreau, one_end);
CAROM_CHAIN(Moreau, everywhere);
#undef CAROM_CHAIN

// ---- full, redundant and packed contacts
// ------------------------------------------------------------------------------

template <class L>
void dense_impact(benchmark::State& state) {
  time_impact(state, dense_random(state.range(0)), L{});
}
BENCHMARK(dense_impact<Newton>)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(dense_impact<Poisson>)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(dense_impact<Moreau>)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

template <class L>
void common_body_impact(benchmark::State& state) {
  time_impact(state, common_body(state.range(0)), L{});
}
BENCHMARK(common_body_impact<Newton>)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

template <class L>
void table_impact(benchmark::State& state) {
  time_impact(state, table(state.range(0)), L{});
}
BENCHMARK(table_impact<Newton>)->ArgName("side")->Arg(2)->Arg(4)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);
BENCHMARK(table_impact<Poisson>)->ArgName("side")->Arg(2)->Arg(4)->Arg(10)->Unit(benchmark::kMicrosecond);

template <class L>
void packing_impact(benchmark::State& state) {
  time_impact(state, hexagonal_packing(state.range(0), state.range(0)), L{});
}
BENCHMARK(packing_impact<Newton>)->ArgName("side")->Arg(3)->Arg(10)->Arg(30)->Arg(100)->Unit(benchmark::kMicrosecond);
BENCHMARK(packing_impact<Poisson>)->ArgName("side")->Arg(3)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);

// ---- the complementarity problem alone
// --------------------------------------------------------------------------------

/// Newton's law in one matrix and one vector: 0 <= G Lambda + (1 + e) gamma- _|_ Lambda >= 0.
void time_lcp(benchmark::State& state, const ImpactProblem& problem, auto&& storage) {
  const ContactProblem reduced = reduce(problem);
  const auto G = storage(reduced.G);
  const Vector q = (1 + kRestitution) * reduced.gamma_free;
  for (auto _ : state) benchmark::DoNotOptimize(numerics::solve_lcp(G, q));
  const numerics::LcpSolution solution = numerics::solve_lcp(G, q);
  state.counters["iterations"] = solution.iterations;
  if (solution.status != numerics::LcpStatus::solved) state.SkipWithError("not solved");
}
const auto dense = [](const SparseMatrix& G) { return Matrix(G); };
const auto sparse = [](const SparseMatrix& G) { return G; };

void lcp_dense_random(benchmark::State& state) {
  time_lcp(state, dense_random(state.range(0)), dense);
}
BENCHMARK(lcp_dense_random)->Arg(3)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

template <Strike strike>
void lcp_chain_dense(benchmark::State& state) {
  time_lcp(state, chain(state.range(0), strike), dense);
}
BENCHMARK(lcp_chain_dense<Strike::one_end>)->Arg(3)->Arg(10)->Arg(100)->Unit(benchmark::kMicrosecond);
BENCHMARK(lcp_chain_dense<Strike::everywhere>)->Arg(3)->Arg(10)->Arg(100)->Unit(benchmark::kMicrosecond);

template <Strike strike>
void lcp_chain_sparse(benchmark::State& state) {
  time_lcp(state, chain(state.range(0), strike), sparse);
}
BENCHMARK(lcp_chain_sparse<Strike::one_end>)->RangeMultiplier(10)->Range(10, 100'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(lcp_chain_sparse<Strike::everywhere>)->RangeMultiplier(10)->Range(10, 100'000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace carom::bench
