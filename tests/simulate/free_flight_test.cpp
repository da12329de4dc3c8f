// Balls that fly freely: what flight costs is what it meets, not how far it leads.

#include <cmath>

#include "simulate/box.h"
#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

TEST(FreeFlightTest, ABallOfAMicrometreBouncesWhereABallOfAMetreDoes) {
  const std::string scene = R"(
    gravity = 9.81
    duration = 0.8
    law = "newton"
    contact = {e = 0.5}
    [parameters]
    R = 1e-6
    [[body]]
    name = "ball"
    shape = {type = "sphere", radius = "R"}
    density = 1000
    position = [0, "1 + R"]
    [[wall]]
    name = "floor"
    shape = "plane")";
  for (const char* radius : {"R=1e-6", "R=1"}) {
    const Played played = play(scene, {radius});
    ASSERT_EQ(played.seen.impacts.size(), 1u) << radius;
    EXPECT_NEAR(played.seen.impacts[0].t, std::sqrt(2 / 9.81), 1e-12) << radius;
  }
}

TEST(FreeFlightTest, AFastBallNeedsNoCells) {
  const Played played = play(R"(
    duration = 1
    law = "newton"
    contact = {e = 1}
    [[body]]
    name = "ball"
    shape = {type = "sphere", radius = 0.01}
    density = 1000
    velocity = [1e7, 0]
    [[wall]]
    name = "wall"
    shape = {type = "plane", normal = [-1, 0]}
    position = [6e6, 0])");
  EXPECT_EQ(played.summary.impacts, 1);
  EXPECT_NEAR(played.summary.end.q[0], 2e6, 1e-1);
}

TEST(FreeFlightTest, BallsThatFlyApartCostNothing) {
  // A hundred discs of a centimetre, which leave each other with up to 1e5 m/s: cells must grow with the distances.
  const Played played = play(R"(
    duration = 1000
    law = "newton"
    contact = {e = 1}
    [[grid]]
    name = "disc"
    count = [10, 10]
    spacing = 0.1
    shape = {type = "disc", radius = 0.01}
    mass = 1
    speed = 1e5
    seed = 3)");
  EXPECT_EQ(played.summary.status, RunStatus::solved);
  EXPECT_GT(played.summary.impacts, 10);
  EXPECT_LT(std::abs(played.summary.ledger.error()), 1e-12 * played.summary.ledger.start);
}

TEST(Gas, KeepsItsEnergyAndItsDiscsApart) {
  const std::string gas = R"(
    duration = 2
    law = "newton"
    [contact]
    e = 1
    [[grid]]
    name = "disc"
    count = [10, 10]
    spacing = 0.09
    shape = {type = "disc", radius = 0.03}
    density = 1
    position = [0.09, 0.09]
    speed = 1
    seed = 5)" + closed_box(1, 1);
  const Played played = play(gas);
  EXPECT_GT(played.summary.impacts, 1000);
  EXPECT_NEAR(played.summary.ledger.kinetic, played.summary.ledger.start, 1e-12 * played.summary.ledger.start);
  for (const State& state : played.seen.states)
    for (Index i = 0; i < 100; ++i) {
      for (Index j = 0; j < i; ++j)
        ASSERT_GT((state.q.segment<2>(3 * i) - state.q.segment<2>(3 * j)).norm(), 0.06 * (1 - 1e-9)) << state.t;
      ASSERT_GT(state.q.segment<2>(3 * i).minCoeff(), 0.03 * (1 - 1e-9));
      ASSERT_LT(state.q.segment<2>(3 * i).maxCoeff(), 1 - 0.03 * (1 - 1e-9));
    }
  // The same scene gives the same numbers.
  const Played again = play(gas);
  EXPECT_EQ(played.summary.impacts, again.summary.impacts);
  EXPECT_EQ(played.summary.end.q, again.summary.end.q);
}

TEST(Gas, OfFewDiscsMovesAsTheGeneralSchemeMovesIt) {
  // A spring of no strength makes the scene one of coupled bodies: it is integrated instead of flown.
  const std::string gas = R"(
    gravity = 1
    duration = 1.5
    law = "newton"
    [contact]
    e = 1
    [[grid]]
    name = "disc"
    count = [3, 2]
    spacing = 0.3
    shape = {type = "disc", radius = 0.1}
    density = 1
    position = [0.2, 0.2]
    speed = 1
    seed = 2)" + open_box(1);
  const Played flown = play(gas), integrated = play(gas + R"(
    [[spring]]
    bodies = ["disc 1", "disc 2"]
    k = 0
    c = 0)");
  ASSERT_EQ(flown.seen.impacts.size(), integrated.seen.impacts.size());
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(flown.seen.impacts[i].t, integrated.seen.impacts[i].t, 1e-7) << i;
}

}  // namespace
}  // namespace carom::testing
