// Motors and damping of joints against closed forms; their work closes the balance of energy.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/model/joint_coordinate.h"
#include "simulate/running.h"

namespace carom::testing {
namespace {

const std::string kWheel = R"toml(
  duration = 2
  law = "newton"
  [[body]]
  name = "wheel"
  mass = 1
  inertia = 0.5
  [[joint]]
  name = "axle"
  type = "revolute"
  body = "wheel"
  at = [0, 0]
)toml";
const std::vector<std::string> kSchemes = {"scheme.name=event-driven", "scheme.name=time-stepping"};

void expect_balance(const Played& played, double tolerance) {
  const Ledger& ledger = played.summary.ledger;
  const double moved = std::abs(ledger.work) + ledger.kinetic + std::abs(ledger.potential);
  EXPECT_NEAR(ledger.error(), 0, tolerance * moved);
}

TEST(Motors, AConstantTorqueTurnsAWheelEverFaster) {
  for (const std::string& scheme : kSchemes) {
    const Played played = play(kWheel + "motor = {torque = 3}", {scheme});
    EXPECT_NEAR(played.summary.end.u[2], 3 * 2 / 0.5, 1e-9) << scheme;
    EXPECT_NEAR(played.summary.end.q[2], 0.5 * (3 / 0.5) * 4, 1e-9);
    EXPECT_NEAR(played.summary.ledger.work, 3 * played.summary.end.q[2], 1e-8) << "torque times angle";
    expect_balance(played, 1e-9);
  }
}

TEST(Motors, ATorqueMayBeAFormulaOfTime) {
  const Played played = play(kWheel + "motor = {torque = \"3*sin(2*t)\"}");
  EXPECT_NEAR(played.summary.end.u[2], 3 / 0.5 * (1 - std::cos(4.0)) / 2, 1e-8);
  expect_balance(played, 1e-8);
}

TEST(Motors, AVelocityMotorReachesItsSpeedExponentially) {
  for (const std::string& scheme : kSchemes) {
    const Played played = play(kWheel + "motor = {velocity = 7, kd = 0.8}", {scheme});
    const double tolerance = scheme == kSchemes[0] ? 1e-8 : 1e-4;
    EXPECT_NEAR(played.summary.end.u[2], 7 * (1 - std::exp(-0.8 / 0.5 * 2)), tolerance) << scheme;
    expect_balance(played, 1e-9);
  }
}

TEST(Motors, AreNoStrongerThanTheirLimit) {
  for (const std::string& scheme : kSchemes) {
    // 2 N m until 7 - 2/0.8 = 4.5 rad/s at t = 1.125 s, then exponentially
    const Played played = play(kWheel + "motor = {velocity = 7, kd = 0.8, max_torque = 2}", {scheme});
    const double expected = 7 - 2.5 * std::exp(-0.8 / 0.5 * (2 - 1.125));
    EXPECT_NEAR(played.summary.end.u[2], expected, scheme == kSchemes[0] ? 1e-7 : 2e-3) << scheme;
    expect_balance(played, 1e-7);
  }
}

TEST(Motors, APositionMotorHoldsAnArmWhereItsStiffnessCarriesTheWeight) {
  const std::string arm = R"toml(
    gravity = 9.81
    duration = 20
    law = "newton"
    [[body]]
    name = "arm"
    mass = 2
    inertia = 0.1
    position = [0.5, 0]
    [[joint]]
    name = "shoulder"
    type = "revolute"
    body = "arm"
    at = [0, 0]
    start = 0
    limits = [-90, 90]
    motor = {position = 30, kp = 40, kd = 8}
  )toml";
  for (const std::string& scheme : kSchemes) {
    const Played played = play(arm, {scheme});
    const JointCoordinate end =
        joint_coordinate(played.model, played.summary.end, played.model.description().joints[0]);
    EXPECT_NEAR(40 * (std::numbers::pi / 6 - end.value), 2 * 9.81 * 0.5 * std::cos(end.value), 1e-6) << scheme;
    EXPECT_NEAR(end.rate, 0, 1e-7);
    expect_balance(played, 1e-6);
  }
}

TEST(Motors, InSpaceDriveAsInThePlane) {
  const Played plane = play(kWheel + "motor = {position = \"90*sin(t)\", kp = 5, kd = 0.3}\n"), space = play(R"toml(
    dimension = 3
    duration = 2
    law = "newton"
    [[body]]
    name = "wheel"
    mass = 1
    inertia = [0.2, 0.5, 0.4]
    [[joint]]
    name = "axle"
    type = "revolute"
    body = "wheel"
    at = [0, 0, 0]
    axis = [0, 1, 0]
    motor = {position = "90*sin(t)", kp = 5, kd = 0.3}
  )toml");
  EXPECT_NEAR(space.summary.end.u[4], plane.summary.end.u[2], 1e-8);
  expect_balance(plane, 1e-7);
  expect_balance(space, 1e-7);
}

TEST(Motors, BetweenTwoFreeBodiesKeepTheAngularMomentum) {
  const Played played = play(R"toml(
    duration = 1
    law = "newton"
    [[body]]
    name = "a"
    mass = 1
    inertia = 0.5
    [[body]]
    name = "b"
    mass = 2
    inertia = 0.25
    [[joint]]
    type = "revolute"
    bodies = ["a", "b"]
    at = [0, 0]
    motor = {torque = 3}
  )toml");
  EXPECT_NEAR(played.summary.end.u[2], -6, 1e-9);
  EXPECT_NEAR(played.summary.end.u[5], 12, 1e-9);
  expect_balance(played, 1e-9);
}

TEST(Damping, SlowsASliderExponentiallyAndIsLoss) {
  for (const std::string& scheme : kSchemes) {
    const Played played = play(R"toml(
      duration = 2
      law = "newton"
      [[body]]
      name = "slider"
      mass = 2
      inertia = 1
      velocity = [3, 0]
      [[joint]]
      type = "prismatic"
      body = "slider"
      axis = [1, 0]
      damping = 0.5
    )toml",
                               {scheme});
    EXPECT_NEAR(played.summary.end.u[0], 3 * std::exp(-0.5), scheme == kSchemes[0] ? 1e-9 : 1e-5);
    EXPECT_NEAR(played.summary.ledger.dissipated_dampers, 9 * (1 - std::exp(-1.0)),
                scheme == kSchemes[0] ? 1e-8 : 1e-4);
    EXPECT_NEAR(played.summary.ledger.work, 0, 1e-9);
    expect_balance(played, 1e-9);
  }
}

TEST(Motors, PressAJointAgainstItsStop) {
  // 2 N m against a stop at 20 degrees, with e = 0.5: it comes to rest there, and the motor did no more work than that.
  for (const std::string& scheme : kSchemes) {
    const Played played = play(kWheel + "limits = [-10, 20]\ne = 0.5\nmotor = {torque = 2}", {scheme, "duration=6"});
    const double angle = 20 * std::numbers::pi / 180;
    EXPECT_NEAR(played.summary.end.q[2], angle, 1e-5) << scheme;
    EXPECT_NEAR(played.summary.end.u[2], 0, 1e-9) << scheme;
    EXPECT_NEAR(played.summary.ledger.work, 2 * angle, 1e-4) << scheme;
    expect_balance(played, 1e-7);
  }
}

}  // namespace
}  // namespace carom::testing
