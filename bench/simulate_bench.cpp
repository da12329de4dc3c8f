// Many bodies through many impacts, and how the time grows with their number.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/scene/scene.h"
#include "carom/simulate/run.h"
#include "last_translation.h"
#include "peak_memory.h"
#include "piles.h"
#include "standing_boxes.h"
#include "textbook_gas.h"
#include "timing.h"

namespace {

using namespace carom;

RunSummary play(const std::string& toml, Observer& watcher, int threads = 1) {
  const scene::Scene scene = scene::parse_scene(toml, "bench.toml");
  const Model model(scene.description);
  return run(model, model.state(scene.placement), scene.scheme, scene.law,
             {.duration = scene.duration, .interval = scene.duration, .threads = threads}, watcher);
}

RunSummary play(const std::string& toml) {
  NoObserver nobody;
  return play(toml, nobody);
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

/// The same discs for the rival.
bench::TextbookGas textbook(const std::string& toml, double radius, double box) {
  const scene::Scene scene = scene::parse_scene(toml, "bench.toml");
  std::vector<bench::TextbookGas::Disc> discs;
  for (std::size_t i = 0; i < scene.description.bodies.size(); ++i) {
    if (!scene.description.bodies[i].is_free()) continue;
    const Vector3 &x = scene.placement.poses[i].position, &v = scene.placement.velocities[i];
    discs.push_back({{x[0], x[1]}, {v[0], v[1]}});
  }
  return {std::move(discs), radius, box};
}

/// Up to a hundred collisions a disc, and the textbook's program on the same discs in the same run.
void gas_of_discs(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0));
  const double asked = std::min(100.0 * side * side, 1e6);
  const std::string toml = gas(side, asked);
  RunSummary summary;
  const bench::PeakMemory memory;
  for (auto _ : state) summary = play(toml);
  const double megabytes = memory.megabytes();
  bench::TextbookGas rival = textbook(toml, 0.01, 0.03 * (side + 1));
  const double rival_seconds = bench::seconds_of([&] { rival.run(summary.impacts); });
  const double ours = bench::seconds_of([&] { summary = play(toml); });
  const double impacts = static_cast<double>(summary.impacts);
  state.counters["discs"] = side * side;
  state.counters["impacts"] = impacts;
  state.counters["energy_error"] = std::abs(summary.ledger.kinetic / summary.ledger.start - 1);
  state.counters["us_an_impact"] = 1e6 * ours / impacts;
  state.counters["textbook_us"] = 1e6 * rival_seconds / impacts;
  state.counters["ratio"] = ours / rival_seconds;
  state.counters["peak_MB"] = megabytes;
}
BENCHMARK(gas_of_discs)->Arg(32)->Arg(64)->Arg(100)->Arg(316)->Iterations(1)->Unit(benchmark::kSecond);

/// The same of spheres in space, with friction or without.
void gas_of_spheres(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0));
  const double asked = std::min(100.0 * side * side * side, 1e6), box = 0.03 * (side + 1);
  const std::string toml = fmt::format(R"(
    dimension = 3
    duration = 1000
    law = "newton"
    scheme = {{name = "event-driven", most_impacts = {1}}}
    contact = {{e = 1, mu = {3}}}
    [[grid]]
    name = "ball"
    count = [{0}, {0}, {0}]
    spacing = 0.03
    shape = {{type = "sphere", radius = 0.01}}
    density = 1
    position = [0.03, 0.03, 0.03]
    speed = 1
    seed = 7
    [[wall]]
    name = "box"
    shapes = [
      {{type = "plane", normal = [1, 0, 0]}},
      {{type = "plane", normal = [-1, 0, 0], position = [{2}, 0, 0]}},
      {{type = "plane", normal = [0, 1, 0]}},
      {{type = "plane", normal = [0, -1, 0], position = [0, {2}, 0]}},
      {{type = "plane", normal = [0, 0, 1]}},
      {{type = "plane", normal = [0, 0, -1], position = [0, 0, {2}]}},
    ])",
                                       side, asked, box, 0.1 * static_cast<double>(state.range(1)));
  RunSummary summary;
  double seconds = 0;
  for (auto _ : state) seconds = bench::seconds_of([&] { summary = play(toml); });
  state.counters["balls"] = side * side * side;
  state.counters["impacts"] = static_cast<double>(summary.impacts);
  state.counters["energy_error"] = std::abs(summary.ledger.error() / summary.ledger.start);
  state.counters["us_an_impact"] = 1e6 * seconds / static_cast<double>(summary.impacts);
}
BENCHMARK(gas_of_spheres)
    ->Args({10, 0})
    ->Args({10, 1})
    ->Args({16, 0})
    ->Args({46, 0})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

/// On one core, or on several: then the time that passes is what counts beside the processors' time.
void pile_of_balls(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0)), threads = static_cast<int>(state.range(1));
  RunSummary summary;
  const bench::PeakMemory memory;
  bench::LastTranslation last;
  for (auto _ : state) summary = play(bench::pile_of_balls(side, 4), last, threads);
  state.counters["peak_MB"] = memory.megabytes();
  if (summary.status == RunStatus::not_finished) state.SkipWithError(summary.message.c_str());
  state.counters["balls"] = 4 * side * side;
  state.counters["steps"] = static_cast<double>(summary.steps);
  state.counters["kinetic_left"] = summary.ledger.kinetic / summary.ledger.start;
  state.counters["translation_left"] = last.energy / summary.ledger.start;
  state.counters["deepest"] = summary.deepest_penetration;
  state.counters["energy_error"] = summary.ledger.error() / summary.ledger.start;
}
BENCHMARK(pile_of_balls)
    ->ArgNames({"side", "threads"})
    ->ArgsProduct({{16, 50, 158}, {1, 2}})
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

void newtons_cradle(benchmark::State& state) {
  const scene::Scene scene = scene::read_scene(std::string(CAROM_SOURCE_DIR) + "/scenes/newtons_cradle.toml");
  const Model model(scene.description);
  Observer nobody;
  for (auto _ : state)
    benchmark::DoNotOptimize(run(model, model.state(scene.placement), scene.scheme, scene.law,
                                 {.duration = scene.duration, .interval = scene.duration, .threads = 1}, nobody));
}
BENCHMARK(newtons_cradle)->Unit(benchmark::kMillisecond);

void free_dominoes(benchmark::State& state) {
  const std::string toml = bench::free_dominoes(static_cast<int>(state.range(0)));
  double impacts = 0, start = bench::processor_seconds();
  for (auto _ : state) impacts += static_cast<double>(play(toml).impacts);
  state.counters["ms_an_impact"] = 1e3 * (bench::processor_seconds() - start) / impacts;
}
BENCHMARK(free_dominoes)->Arg(12)->Arg(30)->Unit(benchmark::kMillisecond);

void tower_of_boxes(benchmark::State& state) {
  const std::string toml = bench::tower_of_boxes(1);
  double steps = 0, start = bench::processor_seconds();
  for (auto _ : state) steps += static_cast<double>(play(toml).steps);
  state.counters["ms_a_step"] = 1e3 * (bench::processor_seconds() - start) / steps;
}
BENCHMARK(tower_of_boxes)->Unit(benchmark::kMillisecond);

}  // namespace
