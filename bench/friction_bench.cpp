// Coulomb friction: cone problems of a packing as it grows, and LZB with friction.

#include <benchmark/benchmark.h>

#include "carom/impact/solve.h"
#include "carom/laws/lzb.h"
#include "friction_cases.h"

namespace carom::bench {
namespace {

/// All digits: Newton's method or projected gradients, whichever is sooner there.
void spheres_in_box(benchmark::State& state) {
  const FrictionCase one = box_of_spheres(state.range(0));
  bool solved = true;
  for (auto _ : state) solved = numerics::solve_cone_problem(one.G, one.q, one.cones).solved && solved;
  if (!solved) state.SkipWithError("not solved");
  state.counters["contacts"] = static_cast<double>(one.cones.size());
}
BENCHMARK(spheres_in_box)->Arg(2)->Arg(3)->Arg(5)->Arg(7)->Arg(10)->Arg(15)->Unit(benchmark::kMillisecond);

/// To 1e-4 of the velocities, as time steps with more than a thousand contacts are solved.
void spheres_in_box_roughly(benchmark::State& state) {
  const FrictionCase one = box_of_spheres(state.range(0));
  bool solved = true;
  for (auto _ : state)
    solved = numerics::solve_cone_problem(one.G, one.q, one.cones, {.accuracy = 1e-4}).solved && solved;
  if (!solved) state.SkipWithError("not solved");
  state.counters["contacts"] = static_cast<double>(one.cones.size());
}
BENCHMARK(spheres_in_box_roughly)->Arg(5)->Arg(7)->Arg(10)->Arg(15)->Unit(benchmark::kMillisecond);

void lzb_table_on_four_legs(benchmark::State& state) {
  Matrix W = Matrix::Zero(6, 12);
  Index column = 0;
  for (const double x : {-0.6, 0.6})
    for (const double y : {-0.4, 0.4}) {
      W.col(column++) << 0, 0, 1, y, -x, 0;
      W.col(column++) << 1, 0, 0, 0, -0.5, -y;
      W.col(column++) << 0, 1, 0, 0.5, 0, x;
    }
  ImpactProblem problem;
  Vector masses(6), u(6);
  masses << 1, 1, 1, 0.15, 0.2, 0.25;
  u << 0.5, 0.3, -1, 0, 0, 1.5;
  problem.M = MassMatrix::diagonal(masses);
  problem.W = W.sparseView();
  problem.u_minus = u;
  problem.contacts.assign(4, {.name = "leg", .tangents = 2, .e = 0.5, .mu = 0.25});
  for (auto _ : state) benchmark::DoNotOptimize(solve(problem, Lzb{}));
}
BENCHMARK(lzb_table_on_four_legs)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace carom::bench
