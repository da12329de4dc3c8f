// Resistance to rolling and to spin, located and in fixed steps.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kMass = 0.5, kRadius = 0.05, kGravity = 9.81, kStiffness = 1e6;

/// A ball that lies on the floor as deep as its weight presses it.
std::string ball(int dimension, const std::string& scheme, const std::string& contact, double v, double spin,
                 double turn) {
  const double height = kRadius - kMass * kGravity / kStiffness;
  const bool flat = dimension == 2;
  return fmt::format(R"(
    dimension = {}
    gravity = {}
    duration = 1
    law = {{name = "compliant", force = "spring-dashpot", friction = "coulomb"}}
    scheme = {{name = "compliant", steps = "{}"}}
    [contact]
    k = {}
    e = 0.2
    mu = 0.8
    {}
    [[body]]
    name = "ball"
    shape = {{type = "sphere", radius = {}}}
    mass = {}
    position = {}
    velocity = {}
    angular_velocity = {}
    [[wall]]
    name = "floor"
    shape = "plane"
    [record]
    interval = 0.001
  )",
                     dimension, kGravity, scheme, kStiffness, contact, kRadius, kMass,
                     flat ? fmt::format("[0, {}]", height) : fmt::format("[0, 0, {}]", height),
                     flat ? fmt::format("[{}, 0]", v) : fmt::format("[{}, {}, 0]", 0.6 * v, 0.8 * v),
                     flat ? fmt::format("{}", turn) : fmt::format("[{}, {}, {}]", 0.8 * turn, -0.6 * turn, spin));
}

double along(const State& state, int dimension) {
  return dimension == 2 ? state.q[0] : 0.6 * state.q[0] + 0.8 * state.q[1];
}

/// Rolling with v under M = mu_r r m g decelerates by (5/7) mu_r g, so that it goes v^2 / (2 a) far; damping holds the
/// moment at its limit while the spring is stretched. Then the spring takes it back by r M / k_r,
/// k_r = 2.25 k (mu_r r)^2, to where it is slack.
TEST(ResistedTurning, ARollingBallStopsWhereWorkHasTakenItsEnergy) {
  const double v = 0.4, mu_r = 0.1;
  const double distance = v * v / (2 * 5.0 / 7 * mu_r * kGravity);
  const double back = kMass * kGravity / (2.25 * kStiffness * mu_r);
  for (const int dimension : {2, 3})
    for (const char* steps : {"located", "fixed"}) {
      SCOPED_TRACE(fmt::format("{} {}", steps, dimension));
      const bool located = std::string(steps) == "located";
      const Played played = play(ball(dimension, steps, fmt::format("mu_r = {}", mu_r), v, 0, -v / kRadius));
      ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
      double farthest = 0;
      for (const State& state : played.seen.states) farthest = std::max(farthest, along(state, dimension));
      EXPECT_NEAR(farthest, distance, (located ? 1e-5 : 2e-3) * distance);
      EXPECT_NEAR(along(played.summary.end, dimension), distance - back, (located ? 2e-5 : 2e-3) * distance);
      EXPECT_LT(std::abs(played.summary.end.u[0]), 1e-6 * v);
      const Ledger& ledger = played.summary.ledger;
      EXPECT_NEAR(ledger.error(), 0, (located ? 1e-7 : 2e-3) * ledger.dissipated());
      EXPECT_NEAR(ledger.dissipated_slip, 0.7 * kMass * v * v, (located ? 1e-3 : 5e-3) * 0.7 * kMass * v * v);
      if (!located) continue;
      for (std::size_t i = 1; i < played.seen.ledger.size(); ++i)  // nothing comes from nowhere
        EXPECT_GE(played.seen.ledger[i].dissipated_slip, played.seen.ledger[i - 1].dissipated_slip - 1e-9) << i;
    }
}

/// Spin under mu_t r m g ends after 0.4 r w / (mu_t g).
TEST(ResistedTurning, ASpinningBallStopsInTime) {
  const double w = 5, mu_t = 0.05, time = 0.4 * kRadius * w / (mu_t * kGravity);
  for (const char* steps : {"located", "fixed"}) {
    SCOPED_TRACE(steps);
    const double loose = std::string(steps) == "located" ? 1e-6 : 2e-3;
    const Played played = play(ball(3, steps, fmt::format("mu_t = {}", mu_t), 0, w, 0));
    ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
    for (const State& state : played.seen.states)
      if (state.t < 0.9 * time) {
        EXPECT_NEAR(state.u[5], w * (1 - state.t / time), loose * w) << state.t;
      }
    EXPECT_LT(std::abs(played.summary.end.u[5]), 1e-4 * w);
    EXPECT_LT(played.summary.end.u.head<2>().norm(), 1e-6);
  }
}

/// What resists spin alone lets it roll.
TEST(ResistedTurning, OneDoesNotResistTheOther) {
  const Played rolls = play(ball(3, "located", "mu_t = 0.1", 0.4, 0, -8));
  EXPECT_NEAR(rolls.summary.end.u.head<2>().norm(), 0.4, 1e-4);
  const Played spins = play(ball(3, "located", "mu_r = 0.1", 0, 5, 0));
  EXPECT_NEAR(spins.summary.end.u[5], 5, 1e-4);
}

/// A ball that bounces and spins: energy only falls, in the mirror image as well.
TEST(ResistedTurning, ABouncingBallLosesAndIsItsMirrorImage) {
  const auto scene = [](double sign) {
    return fmt::format(R"(
    gravity = 9.81
    duration = 1
    law = {{name = "compliant", force = "hunt-crossley", friction = "coulomb"}}
    scheme = {{name = "compliant", steps = "located"}}
    contact = {{k = 1e7, e = 0.6, mu = 0.4, mu_r = 0.2}}
    [[body]]
    name = "ball"
    shape = {{type = "sphere", radius = 0.05}}
    mass = 0.5
    position = [0, 0.2]
    velocity = [{}, 0]
    angular_velocity = {}
    [[wall]]
    name = "floor"
    shape = "plane"
  )",
                       sign * 0.7, sign * 12);
  };
  const Played right = play(scene(1)), left = play(scene(-1));
  ASSERT_EQ(right.summary.status, RunStatus::solved) << right.summary.message;
  EXPECT_NEAR(right.summary.end.q[0], -left.summary.end.q[0], 1e-9);
  EXPECT_NEAR(right.summary.end.u[2], -left.summary.end.u[2], 1e-7);
  EXPECT_NEAR(right.summary.ledger.error(), 0, 1e-7 * right.summary.ledger.dissipated());
  for (const Ledger& ledger : right.seen.ledger) EXPECT_GE(ledger.dissipated_slip, -1e-9);
}

}  // namespace
}  // namespace carom::testing
