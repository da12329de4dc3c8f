// Contact forces: a column of beads under every model, and grains in fixed steps.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "carom/carom.h"
#include "carom/scene/scene.h"

namespace {

using namespace carom;

/// Forty beads in a row, the first hits it.
ImpactProblem column(int beads, double e) {
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(Vector::Ones(beads));
  problem.u_minus = Vector::Unit(beads, 0);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i + 1 < beads; ++i) {
    entries.emplace_back(i, i, -1);
    entries.emplace_back(i + 1, i, 1);
    problem.contacts.push_back({.name = std::to_string(i + 1), .e = e});
  }
  problem.W.resize(beads, beads - 1);
  problem.W.setFromTriplets(entries.begin(), entries.end());
  return problem;
}

template <class L>
void column_of_beads(benchmark::State& state, const L& law, double e) {
  const ImpactProblem problem = column(40, e);
  double last = 0;
  for (auto _ : state) {
    const ImpactOutcome outcome = solve(problem, law);
    last = outcome.u_plus[39];
  }
  state.counters["last_bead"] = last;
}

Compliant with(Compliant::Force force) {
  Compliant law;
  law.force = force;
  law.tolerance = 1e-6;
  return law;
}

Lzb lzb() {
  Lzb law;
  law.tolerance = 1e-6;
  return law;
}

BENCHMARK_CAPTURE(column_of_beads, lzb, lzb(), 0.9)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_of_beads, power, with(Compliant::Force::power), 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_of_beads, hunt_crossley, with(Compliant::Force::hunt_crossley), 0.9)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_of_beads, lankarani_nikravesh, with(Compliant::Force::lankarani_nikravesh), 0.9)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_of_beads, exact, with(Compliant::Force::exact), 0.9)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_of_beads, spring_dashpot, with(Compliant::Force::spring_dashpot), 0.9)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(column_of_beads, hysteretic, with(Compliant::Force::hysteretic), 0.9)->Unit(benchmark::kMillisecond);

/// The pile of rival_liggghts.sh: grains of 20 mm fall from a lattice into a box, the same force and step.
void grains(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0)), layers = static_cast<int>(state.range(1));
  const double width = 0.0205 * side + 0.009;
  const long steps = 2000;
  const scene::Scene scene = scene::parse_scene(fmt::format(R"(
    dimension = 3
    gravity = 9.81
    duration = {3}
    law = {{name = "compliant", force = "hunt-crossley", friction = "mindlin"}}
    scheme = {{name = "compliant", step = 1e-5}}
    [materials.soft]
    E = 5e7
    nu = 0.3
    density = 2500
    e = 0.6
    mu = 0.3
    [[grid]]
    name = "grain"
    count = [{0}, {0}, {1}]
    spacing = 0.0205
    position = [0.011, 0.011, 0.0105]
    shape = {{type = "sphere", radius = 0.01}}
    material = "soft"
    velocity = [0, 0, -0.2]
    [[wall]]
    name = "box"
    material = "soft"
    shapes = [
      {{type = "plane", normal = [0, 0, 1]}},
      {{type = "plane", normal = [1, 0, 0]}},
      {{type = "plane", normal = [-1, 0, 0], position = [{2}, 0, 0]}},
      {{type = "plane", normal = [0, 1, 0]}},
      {{type = "plane", normal = [0, -1, 0], position = [0, {2}, 0]}},
    ])",
                                                            side, layers, width, 1e-5 * static_cast<double>(steps)),
                                                "bench.toml");
  const Model model(scene.description);
  const State start = model.state(scene.placement);
  Observer nobody;
  for (auto _ : state) {
    const RunSummary summary = run(model, start, scene.scheme, scene.law, {scene.duration, scene.duration}, nobody);
    state.counters["ledger"] = std::abs(summary.ledger.error() / summary.ledger.start);
  }
  const double count = static_cast<double>(side) * side * layers;
  state.counters["grains"] = count;
  state.counters["time/grain/step"] =
      benchmark::Counter(count * static_cast<double>(steps) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(grains)->Args({10, 10})->Args({22, 21})->Args({47, 46})->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
