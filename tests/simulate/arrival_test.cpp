// Runs that used to stop, hang or miss something: lasting contact with friction, redundant contacts, contacts that
// open, slip or close within a step, walls that shake.

#include <cmath>
#include <numbers>

#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kFall = 9.81;

void expect_arrival(const Played& played) {
  EXPECT_EQ(played.summary.status, RunStatus::solved)
      << played.summary.message << ", worst at " << played.summary.approximations.worst_time;
  EXPECT_TRUE(played.summary.end.q.allFinite() && played.summary.end.u.allFinite());
}

/// The corners of a cube slip on circles; friction takes its spin at the constant rate mu m g r / I.
TEST(LastingContact, ASpinningCubeRestsWhenFrictionHasTakenItsSpin) {
  const Played played = play(R"scene(
    dimension = 3
    gravity = 9.81
    duration = 0.1
    law = "newton"
    contact = {mu = 0.5}
    record = {interval = 1e-3}
    [[body]]
    shape = {type = "box", size = [0.5, 0.5, 0.5]}
    mass = 1
    position = [0, 0, 0.25]
    angular_velocity = [0, 0, 2]
    [[wall]]
    shape = "plane")scene");
  expect_arrival(played);
  const double inertia = 0.25 / 6, r = 0.25 * std::numbers::sqrt2;
  const double slowing = 0.5 * kFall * r / inertia, rests = 2 / slowing;
  EXPECT_NEAR(rests, 0.0480534680, 1e-10);
  for (const State& state : played.seen.states) EXPECT_NEAR(state.u[5], std::max(0.0, 2 - slowing * state.t), 1e-8);
  const double turned = 2 * std::acos(std::min(1.0, std::abs(played.summary.end.q[3])));
  EXPECT_NEAR(turned, rests, 1e-8) << "the mean spin is 1 rad/s";
  EXPECT_NEAR(played.summary.ledger.dissipated_slip, 0.5 * inertia * 4, 1e-9);
}

/// A wall pushes four boxes together, slows down less than friction would stop them, and turns back: there they stay.
TEST(LastingContact, BoxesStayWhereAWallThatPushedThemTurnsBack) {
  const Played played = play(R"scene(
    gravity = 9.81
    duration = 2
    law = "newton"
    contact = {mu = 0.4}
    [[wall]]
    shape = "plane"
    [[wall]]
    shape = {type = "box", size = [0.1, 0.5, 1]}
    position = [-0.5, 0.26]
    motion = {x = "0.3*sin(3*t)"}
    [[chain]]
    name = "box"
    count = 4
    shape = {type = "box", size = [0.1, 0.2, 0.1]}
    mass = 1
    position = [-0.3, 0.1]
    gap = 0.02)scene");
  expect_arrival(played);
  for (Index i = 0; i < 4; ++i)
    EXPECT_NEAR(played.summary.end.q[3 * i], -0.1 + 0.1 * static_cast<double>(i), 1e-9) << "box " << i + 1;
}

/// A block that slides and spins stops doing both at the same time.
TEST(LastingContact, ABlockThatSlidesAndSpinsRests) {
  for (const double spin : {0.5, 3.0, 12.0}) {
    const Played played = play(R"scene(
      dimension = 3
      gravity = 9.81
      duration = 1
      law = "newton"
      contact = {mu = 0.4}
      [[body]]
      shape = {type = "box", size = [0.3, 0.2, 0.1]}
      mass = 1
      position = [0, 0, 0.05]
      velocity = [0.7, 0.2, 0]
      angular_velocity = [0, 0, 1]
      [[wall]]
      shape = "plane")scene",
                               {"body[0].angular_velocity=[0,0," + std::to_string(spin) + "]"});
    expect_arrival(played);
    EXPECT_EQ(played.summary.end.u.cwiseAbs().maxCoeff() < 1e-9, true) << spin;
    EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-9);
  }
}

std::string ladder(double mu) {
  return R"scene(
    gravity = 9.81
    duration = 1
    law = "newton"
    [[body]]
    shape = {type = "polygon", corners = [[-1, 0], [0, -0.001], [1, 0], [0, 0.001]]}
    mass = 1
    inertia = "1/3"
    position = ["cos(pi/3)", "sin(pi/3)"]
    angle = -60
    [[wall]]
    shape = "plane"
    [[wall]]
    shape = {type = "plane", normal = [1, 0]}
    [contact]
    mu = )scene" +
         std::to_string(mu);
}

/// At 60 degrees a ladder between floor and wall holds if tan 60 > (1 - mu^2) / (2 mu), that is above mu = 0.2679.
TEST(LastingContact, ALadderStaysIfSomeForcesHoldIt) {
  for (const double mu : {0.28, 0.6, 1.2}) {
    const Played played = play(ladder(mu));
    expect_arrival(played);
    EXPECT_LT((played.summary.end.q - played.seen.states.front().q).cwiseAbs().maxCoeff(), 1e-9) << mu;
  }
  const Played slips = play(ladder(0.25));
  expect_arrival(slips);
  EXPECT_LT(slips.summary.end.q[1], 0.75);
}

TEST(LastingContact, ABobThatAWallStopsSwingsBackFromEveryAngle) {
  for (int i = 0; i < 60; ++i) {
    const double angle = 0.2 + 0.01 * i;
    const Played played =
        play(R"scene(
      gravity = 9.81
      duration = 1
      law = "newton"
      parameters = {a = 0.4}
      [[body]]
      shape = {type = "disc", radius = 0.05}
      mass = 1
      position = ["sin(a)", "-cos(a)"]
      [[joint]]
      type = "pendulum"
      body = 0
      at = [0, 0]
      [[wall]]
      shape = {type = "plane", normal = [1, 0]}
      position = [-0.15, 0])scene",
             {"parameters.a=" + std::to_string(angle), "body[0].name=\"bob\"", "joint[0].body=\"bob\""});
    expect_arrival(played);
    EXPECT_EQ(played.seen.impacts.size(), 1U) << angle;
  }
}

/// [rad] where the foot of a rod that falls from rest begins to slip backward: friction needed reaches mu.
double slip_angle(double mu) {
  double low = 0.3, high = 0.61;  // the ratio grows up to 0.6109 rad
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high), c = std::cos(a), s = std::sin(a);
    const double normal = 0.25 * (3 * c - 1) * (3 * c - 1), along = 0.75 * s * (3 * c - 2);
    (along / normal > mu ? high : low) = a;
  }
  return high;
}

/// The needed ratio |F_T| / F_N of a rod that falls about its foot has its maximum 0.3706 at 0.6109 rad: with mu just
/// below it slips between two steps only.
TEST(LastingContact, AFallingRodSlipsWhereFrictionIsExhausted) {
  const Played played = play(R"scene(
    gravity = 9.81
    duration = 3.7
    law = "newton"
    record = {interval = 1e-4}
    contact = {mu = 0.369}
    [[body]]
    shape = {type = "polygon", corners = [[0, -0.5], [-0.001, 0], [0, 0.5], [0.001, 0]]}
    mass = 1
    inertia = "1/12"
    position = ["0.5*sin(1e-6)", "0.5*cos(1e-6)"]
    angle = "-1e-6*180/pi"
    [[wall]]
    shape = "plane")scene");
  expect_arrival(played);
  // The speed of the foot grows with the square of the time since it slips.
  const auto speed = [&](const State& state) { return state.u[0] + 0.5 * std::cos(state.q[2]) * state.u[2]; };
  std::size_t k = 0;
  while (k < played.seen.states.size() && std::abs(speed(played.seen.states[k])) < 1e-9) ++k;
  ASSERT_LT(k + 2, played.seen.states.size());
  const State &first = played.seen.states[k], &second = played.seen.states[k + 1];
  const double root_1 = std::sqrt(std::abs(speed(first))), root_2 = std::sqrt(std::abs(speed(second)));
  const double begins = first.t - (second.t - first.t) * root_1 / (root_2 - root_1);
  const double angle = -first.q[2] + first.u[2] * (first.t - begins);
  EXPECT_NEAR(angle, 0.58917, 1e-5);
  EXPECT_NEAR(angle, slip_angle(0.369), 2e-6);
  EXPECT_LT(speed(second), 0) << "backward";
}

/// A ball on a table that shakes with a little more than g flies once in each period.
TEST(LastingContact, ABallLeavesAShakenTableOnceAPeriod) {
  for (const double strength : {1.0003, 1.001, 1.003})
    for (const int frequency : {2, 5, 10}) {
      const Played played =
          play(R"scene(
        dimension = 1
        gravity = 9.81
        duration = 2
        law = "newton"
        [parameters]
        G = 1
        f = 5
        w = "2*pi*f"
        [[body]]
        shape = {type = "sphere", radius = 0.01}
        mass = 1
        position = 0.01
        velocity = "G*9.81/w"
        [[wall]]
        shape = "plane"
        motion = {x = "G*9.81/w^2*sin(w*t)"}
      )scene",
               {"parameters.G=" + std::to_string(strength), "parameters.f=" + std::to_string(frequency)});
      expect_arrival(played);
      EXPECT_EQ(played.seen.impacts.size(), static_cast<std::size_t>(2 * frequency)) << strength << " at " << frequency;
      EXPECT_LT(played.summary.deepest_penetration, 1e-10);
    }
}

TEST(LastingContact, ABallOnAShakenFloorNeverSinks) {
  const Played played = play(R"scene(
    gravity = 9.81
    duration = 3
    law = "newton"
    contact = {e = 0.3}
    [[wall]]
    shape = "plane"
    motion = {y = "0.005*sin(2*pi*10*t)"}
    [[body]]
    shape = {type = "sphere", radius = 0.05}
    density = 1000
    position = [0, 0.05])scene");
  expect_arrival(played);
  EXPECT_LT(played.summary.deepest_penetration, 1e-10);
  for (const State& state : played.seen.states)
    EXPECT_GT(state.q[1] - 0.05 - 0.005 * std::sin(20 * std::numbers::pi * state.t), -1e-10) << state.t;
}

TEST(LastingContact, WhatAWallWouldDoAfterTheRunDoesNotMatter) {
  const Played played = play(R"scene(
    gravity = 9.81
    duration = 1
    law = "newton"
    [[body]]
    shape = {type = "rectangle", size = [0.4, 0.2]}
    mass = 1
    position = [0, 0.1]
    [[wall]]
    shape = "plane"
    motion = {y = "1e-6*t - 30*max(t - 1, 0)^2"})scene");
  expect_arrival(played);
  EXPECT_NEAR(played.summary.end.q[1], 0.1 + 1e-6, 1e-12);
}

TEST(LastingContact, PlatesLieOnEachOther) {
  const Played played = play(R"scene(
    dimension = 3
    gravity = 9.81
    duration = 3
    law = "newton"
    [[wall]]
    shape = "plane"
    [[chain]]
    name = "plate"
    count = 2
    shape = {type = "box", size = [0.3, 0.2, 0.03]}
    density = 1000
    position = [0, 0, 0.015]
    direction = [0, 0, 1])scene");
  expect_arrival(played);
  EXPECT_NEAR(played.summary.end.q[2], 0.015, 1e-12);
  EXPECT_NEAR(played.summary.end.q[9], 0.045, 1e-12);
  EXPECT_TRUE(played.seen.impacts.empty());
}

/// Painleve's rod slides until friction jams its foot: no forces exist, the slip stops at once, and what is left of
/// the speed does not depend on how that is followed.
TEST(LastingContact, PainlevesRodJamsAndGoesOn) {
  const Played played = play(R"scene(
    gravity = 10
    duration = 1.2
    law = "newton"
    contact = {e = 0, mu = "5/3"}
    [[body]]
    shape = {type = "polygon", corners = [[-1, 0], [0, -0.001], [1, 0], [0, 0.001]]}
    mass = 1
    inertia = "1/3"
    position = [0, "sin(31*pi/180)"]
    angle = -31
    velocity = [30, 0]
    [[wall]]
    shape = "plane")scene");
  expect_arrival(played);
  EXPECT_EQ(played.summary.impacts_without_collision, 1);
  ASSERT_EQ(played.seen.impacts.size(), 1U);
  EXPECT_GT(played.seen.impacts[0].u_minus[0], 10);
  EXPECT_NEAR(played.summary.end.u[0], 6.159, 2e-3);
}

TEST(LongRuns, TheCradleSwingsForAHundredSeconds) {
  const scene::Scene scene = scene::read_scene(CAROM_SOURCE_DIR "/scenes/newtons_cradle.toml", {std::nullopt, {}});
  const Model model(scene.description);
  Watched seen;
  const RunSummary summary = run(model, model.state(scene.placement), scene.scheme, scene.law, {100, 1}, seen);
  EXPECT_EQ(summary.status, RunStatus::solved) << summary.message;
  EXPECT_EQ(summary.t_end, 100);
  EXPECT_NEAR(summary.ledger.error(), 0, 1e-8);
}

TEST(Extremes, SmallAndFastBallsAreNoMatter) {
  const auto ball = [](const std::string& radius, const std::string& velocity) {
    return "gravity = 9.81\nduration = 2\nlaw = \"newton\"\ncontact = {e = 0.5}\n[[body]]\nshape = {type = "
           "\"sphere\", "
           "radius = " +
           radius + "}\ndensity = 1000\nposition = [0, 1]\nvelocity = " + velocity + "\n[[wall]]\nshape = \"plane\"\n";
  };
  const Played small = play(ball("1e-6", "[0, 0]"));
  expect_arrival(small);
  EXPECT_NEAR(small.summary.end.q[1], 1e-6, 1e-12);
  const Played fast = play(ball("0.1", "[1e7, 0]"));
  expect_arrival(fast);
  EXPECT_NEAR(fast.summary.end.q[1], 0.1, 1e-9);
  EXPECT_NEAR(fast.summary.end.q[0], 2e7, 1e-6);
}

}  // namespace
}  // namespace carom::testing
