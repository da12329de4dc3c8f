// Balls that fly freely: what flight costs is what it meets, not how far it leads.

#include <cmath>

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

}  // namespace
}  // namespace carom::testing
