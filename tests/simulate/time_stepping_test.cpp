// The Moreau-Jean scheme.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/error.h"
#include "random_share.h"
#include "simulate/box.h"
#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kGravity = 9.81;

std::string bouncing_ball(double step) {
  return R"(
    gravity = 9.81
    duration = 1
    law = "newton"
    [contact]
    e = 0.8
    [[body]]
    name = "ball"
    shape = {type = "sphere", radius = 0.1}
    mass = 1
    position = [0, 1.1]
    [[wall]]
    name = "floor"
    shape = "plane"
    [scheme]
    name = "time-stepping"
    step = )" +
         std::to_string(step);
}

TEST(TimeStepping, FallsExactlyAndMeetsTheBounceToFirstOrder) {
  const double fall = std::sqrt(2 / kGravity), v = 0.8 * kGravity * fall, t = 1 - fall;
  const double height = 0.1 + v * t - 0.5 * kGravity * t * t;
  for (const double step : {4e-3, 1e-3, 2.5e-4, 6.25e-5}) {
    const Played played = play(bouncing_ball(step));
    EXPECT_LT(std::abs(played.summary.end.q[1] - height), 8 * step);  // an impact up to a step early, at 4.4 m/s
    EXPECT_EQ(played.summary.inconsistent, 0);
    EXPECT_LT(played.summary.deepest_penetration, 2.3 * step) << "half a step at 4.4 m/s";
  }
}

TEST(TimeStepping, LeavesAStackOfBoxesWhereItIs) {
  const Played played = play(R"(
    gravity = 9.81
    duration = 1
    law = "newton"
    scheme = {name = "time-stepping", step = 2e-3}
    [[chain]]
    name = "box"
    count = 6
    shape = {type = "rectangle", size = [0.2, 0.1]}
    mass = 1
    position = [0, 0.05]
    direction = [0, 1]
    [[wall]]
    name = "floor"
    shape = "plane")");
  for (int box = 0; box < 6; ++box) {
    EXPECT_NEAR(played.summary.end.q[3 * box + 1], 0.05 + 0.1 * box, 1e-4) << "box " << box;
    EXPECT_NEAR(played.summary.end.q[3 * box + 2], 0, 1e-6);
  }
  EXPECT_LT(played.summary.end.u.cwiseAbs().maxCoeff(), 0.03);
  EXPECT_EQ(played.summary.inconsistent, 0) << "worst at " << played.summary.worst_time;
}

TEST(TimeStepping, KeepsAPendulumTogether) {
  const Played played = play(R"(
    gravity = 9.81
    duration = 5
    law = "moreau"
    scheme = {name = "time-stepping", step = 1e-3}
    [[body]]
    name = "bob"
    shape = {type = "sphere", radius = 0.05}
    mass = 1
    position = [1, 0]
    [[joint]]
    type = "pendulum"
    bodies = ["world", "bob"]
    at = [0, 0])");
  EXPECT_NEAR(played.summary.end.q.head<2>().norm(), 1, 1e-6);
  EXPECT_NEAR(played.summary.ledger.kinetic + played.summary.ledger.potential, 0, 1e-6 * kGravity);
}

TEST(TimeStepping, DropsBallsIntoABoxWhereTheyRest) {
  const bool until_they_rest = share_of(100) == 100;  // under the sanitizers only until they have met
  const Played played = play(std::string("duration = ") + (until_they_rest ? "1.2" : "0.25") + R"(
    gravity = 9.81
    law = "newton"
    scheme = {name = "time-stepping", step = 2e-3}
    [[grid]]
    name = "ball"
    count = [6, 6]
    spacing = 0.05
    shape = {type = "sphere", radius = 0.02}
    mass = 1
    position = [0.03, 0.05]
    jitter = 0.003
    seed = 3)" + open_box(0.31));
  const State& end = played.summary.end;
  for (int ball = 0; ball < 36; ++ball) {
    EXPECT_GT(end.q[3 * ball], 0.02 * 0.99);
    EXPECT_LT(end.q[3 * ball], 0.31 - 0.02 * 0.99);
    EXPECT_GT(end.q[3 * ball + 1], 0.02 * 0.99);
  }
  if (until_they_rest) {
    EXPECT_LT(played.summary.ledger.kinetic, 1e-6 * played.summary.ledger.start);
  }
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-12 * played.summary.ledger.start);
  EXPECT_EQ(played.summary.inconsistent, 0);
  EXPECT_LT(played.summary.worst.kinematic, 1e-9);
}

/// Deep below, balls are wedged between others and the wall: moved apart as the linear equations ask for, one of them
/// would jump out of the pile.
TEST(TimeStepping, DropsATallPileThatRests) {
  const bool until_they_rest = share_of(100) == 100;  // under the sanitizers only until they have met
  const Played played = play(dropped_balls({.side = 2, .layers = 40, .duration = until_they_rest ? 0.7 : 0.1}));
  const RunSummary& summary = played.summary;
  ASSERT_EQ(summary.status, RunStatus::solved) << summary.message;
  if (until_they_rest) {
    EXPECT_LT(summary.ledger.kinetic, 1e-3 * summary.ledger.start);
  }
  EXPECT_LT(summary.deepest_penetration, 1.5e-3 * 0.02);
  EXPECT_LT(summary.ledger.correction, 0.01 * summary.ledger.start);
}

TEST(SchemesAndLaws, ThatMakeNoSenseTogetherAreRefusedBeforeTheFirstStep) {
  const auto refusal = [](const std::string& extra) -> std::string {
    try {
      play(std::string("duration = 0.1") + R"(
        [[body]]
        name = "ball"
        shape = {type = "sphere", radius = 0.1}
        mass = 1
        position = [0, 1]
        material = "rubber"
        [[wall]]
        name = "floor"
        shape = "plane"
        material = "rubber"
        [materials.rubber]
        e = 0.5
        mu = 0
        )" +
           extra);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal("[law]\nname = 'lzb'\n[scheme]\nname = 'time-stepping'").find("a time step is no impact"),
            std::string::npos);
  EXPECT_NE(refusal("[law]\nname = 'moreau'\ne = 0\n[contact]\nmu = 0.3").find("friction"), std::string::npos);
  EXPECT_NE(refusal("[law]\nname = 'newton'\n[scheme]\nname = 'time-stepping'\ntheta = 0.2").find("theta"),
            std::string::npos);
  EXPECT_NE(refusal("[law]\nname = 'moreau'\n[scheme]\nname = 'time-stepping'").find("still open have e = 0"),
            std::string::npos);
  EXPECT_EQ(refusal("[law]\nname = 'newton'"), "accepted");
}

}  // namespace
}  // namespace carom::testing
