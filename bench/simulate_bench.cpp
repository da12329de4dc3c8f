// Many bodies through many impacts, and how the time grows with their number.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>

#include "carom/scene/scene.h"
#include "carom/simulate/run.h"
#include "piles.h"

namespace {

using namespace carom;

RunSummary play(const std::string& toml) {
  const scene::Scene scene = scene::parse_scene(toml, "bench.toml");
  const Model model(scene.description);
  Observer nobody;
  return run(model, model.state(scene.placement), scene.scheme, scene.law, {scene.duration, scene.duration}, nobody);
}

/// Elastic discs in a box, a third of it filled; the side of the box grows with the root of their number.
std::string gas(int side, double impacts) {
  const double box = 0.03 * (side + 1);
  return fmt::format(R"(
    duration = 1000
    law = "newton"
    scheme = {{name = "event-driven", most_impacts = {1}}}
    [contact]
    e = 1
    [[grid]]
    name = "disc"
    count = [{0}, {0}]
    spacing = 0.03
    shape = {{type = "disc", radius = 0.01}}
    density = 1
    position = [0.03, 0.03]
    speed = 1
    seed = 7
    [[wall]]
    name = "box"
    shapes = [
      {{type = "plane", normal = [1, 0]}},
      {{type = "plane", normal = [-1, 0], position = [{2}, 0]}},
      {{type = "plane", normal = [0, 1]}},
      {{type = "plane", normal = [0, -1], position = [0, {2}]}},
    ])",
                     side, impacts, box);
}

/// A hundred collisions a disc.
void gas_of_discs(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0));
  double energy_error = 0, impacts = 0;
  for (auto _ : state) {
    const RunSummary summary = play(gas(side, 100.0 * side * side));
    energy_error = std::abs(summary.ledger.kinetic / summary.ledger.start - 1);
    impacts = static_cast<double>(summary.impacts);
  }
  state.counters["discs"] = side * side;
  state.counters["impacts"] = impacts;
  state.counters["energy_error"] = energy_error;
}
BENCHMARK(gas_of_discs)->Arg(32)->Arg(64)->Arg(100)->Iterations(1)->Unit(benchmark::kSecond);

void pile_of_balls(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0));
  RunSummary summary;
  for (auto _ : state) summary = play(bench::pile_of_balls(side, 4));
  if (summary.status == RunStatus::not_finished) state.SkipWithError(summary.message.c_str());
  state.counters["balls"] = 4 * side * side;
  state.counters["steps"] = static_cast<double>(summary.steps);
  state.counters["kinetic_left"] = summary.ledger.kinetic / summary.ledger.start;
  state.counters["deepest"] = summary.deepest_penetration;
  state.counters["energy_error"] = summary.ledger.error() / summary.ledger.start;
}
BENCHMARK(pile_of_balls)->Arg(16)->Arg(50)->Iterations(1)->Unit(benchmark::kSecond);

void newtons_cradle(benchmark::State& state) {
  const scene::Scene scene = scene::read_scene(std::string(CAROM_SOURCE_DIR) + "/scenes/newtons_cradle.toml");
  const Model model(scene.description);
  Observer nobody;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        run(model, model.state(scene.placement), scene.scheme, scene.law, {scene.duration, scene.duration}, nobody));
}
BENCHMARK(newtons_cradle)->Unit(benchmark::kMillisecond);

}  // namespace
