// Structures that only friction and shape hold stand still.

#include <cmath>
#include <string>

#include "random_share.h"
#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

/// The largest speed of a body's points, about.
double fastest(const Model& model, const Vector& u, double size) {
  const Index axes = static_cast<Index>(model.dimension()), width = axes == 2 ? 3 : 6;
  double speed = 0;
  for (Index i = 0; i < u.size(); ++i) speed = std::max(speed, std::abs(u[i]) * (i % width < axes ? 1 : size));
  return speed;
}

class Standing : public ::testing::TestWithParam<const char*> {};

TEST_P(Standing, NothingMoves) {
  const scene::Scene scene =
      scene::read_scene(std::string(CAROM_SOURCE_DIR "/scenes/") + GetParam() + ".toml", {std::nullopt, {}});
  const Model model(scene.description);
  const State start = model.state(scene.placement);
  ASSERT_GE(scene.duration, 10);
  Watched seen;
  const double duration = 10.0 * share_of(100) / 100;
  const RunSummary summary = run(model, start, scene.scheme, scene.law, {duration, duration}, seen);
  ASSERT_EQ(summary.status, RunStatus::solved) << summary.message;
  double size = 0;
  for (const Body& body : model.bodies())
    for (const geometry::Part& part : body.parts)
      if (body.is_free()) size = std::max(size, geometry::reach(part.shape));
  EXPECT_LT((summary.end.q - start.q).cwiseAbs().maxCoeff(), 0.01 * size);
  EXPECT_LT(fastest(model, summary.end.u, size), 1e-3 * std::sqrt(9.81 * size));
  EXPECT_EQ(summary.inconsistent, 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Standing, ::testing::Values("arch", "box_of_spheres", "card_house", "tower"));

/// Two boxes stand on each other, to the last bit, until a third one slides into them. What is remembered of them while
/// they stand is nothing else than what is found anew: a run that stops every few steps and goes on has the same bits.
TEST(StandingTower, StandsUntilItIsHitAndStopsChangeNothing) {
  const scene::Scene scene = scene::parse_scene(R"(
    dimension = 3
    gravity = 9.81
    duration = 0.4
    law = "newton"
    contact = {mu = 0.3, e = 0.2}
    scheme = {name = "time-stepping", step = 2e-3}
    [[wall]]
    name = "floor"
    shape = "plane"
    [[body]]
    name = "low"
    shape = {type = "box", size = [0.2, 0.3, 0.1]}
    density = 700
    position = [0, 0, 0.05]
    orientation = {axis = [0, 0, 1], angle = 20}
    [[body]]
    name = "high"
    shape = {type = "box", size = [0.1, 0.1, 0.2]}
    density = 700
    position = [0.02, 0.01, 0.2]
    [[body]]
    name = "slider"
    shape = {type = "box", size = [0.1, 0.1, 0.1]}
    density = 700
    position = [-0.8, 0, 0.05]
    velocity = [3.5, 0, 0])",
                                                "test.toml", {});
  const Model model(scene.description);
  const State start = model.state(scene.placement);
  Watched seen;
  const RunSummary whole = run(model, start, scene.scheme, scene.law, {.duration = 0.4, .interval = 0.1}, seen);
  ASSERT_EQ(whole.status, RunStatus::solved) << whole.message;
  EXPECT_EQ(seen.states[1].u.head(12), Vector::Zero(12));
  EXPECT_EQ(seen.states[1].q.head(14), start.q.head(14));
  EXPECT_GT((whole.end.q - start.q).head(14).norm(), 0.01);

  RunSummary part;
  part.end = start;
  for (int i = 1; i <= 20; ++i) {
    RunOptions options{.duration = 0.02, .interval = 0.02};
    options.memory = part.memory;
    Watched nobody;
    part = run(model, part.end, scene.scheme, scene.law, options, nobody);
  }
  EXPECT_EQ(part.end.q, whole.end.q);
  EXPECT_EQ(part.end.u, whole.end.u);
}

/// Columns of boxes that were let fall come to rest: from then on their impulses have the same bits in each step, so
/// that a step need not find them again.
TEST(StandingTower, ColumnsThatHaveFallenKeepTheBitsOfTheirImpulses) {
  std::string toml = R"(
    dimension = 3
    gravity = 9.81
    duration = 1
    law = "newton"
    contact = {mu = 0.3}
    scheme = {name = "time-stepping", step = 2e-3}
    [[wall]]
    name = "floor"
    shape = "plane")";
  for (int layer = 0; layer < 4; ++layer)
    toml += fmt::format(R"(
    [[grid]]
    name = "layer{0}"
    count = [5, 5, 1]
    spacing = 0.041
    shape = {{type = "box", size = [0.034, 0.03, 0.026]}}
    density = 1000
    position = [0.03, 0.03, {1}]
    jitter = 0.0004
    seed = {2})",
                        layer, 0.04 + 0.041 * layer, 3 + layer);
  const scene::Scene scene = scene::parse_scene(toml, "test.toml", {});
  const Model model(scene.description);
  Watched nobody;
  RunOptions options{.duration = 0.6, .interval = 0.6};
  const RunSummary fallen = run(model, model.state(scene.placement), scene.scheme, scene.law, options, nobody);
  ASSERT_EQ(fallen.status, RunStatus::solved) << fallen.message;
  EXPECT_EQ(fallen.end.u, Vector(Vector::Zero(fallen.end.u.size())));
  options = {.duration = 0.002, .interval = 0.002};
  options.memory = fallen.memory;
  const RunSummary later = run(model, fallen.end, scene.scheme, scene.law, options, nobody);
  ASSERT_EQ(later.memory.carried.size(), fallen.memory.carried.size());
  ASSERT_GE(later.memory.carried.size(), 3 * 100u);
  for (std::size_t i = 0; i < fallen.memory.carried.size(); ++i)
    EXPECT_EQ(later.memory.carried[i].impulse, fallen.memory.carried[i].impulse) << i;
}

}  // namespace
}  // namespace carom::testing
