// Time steps where nothing touches: second order, and energy is kept.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

std::string double_pendulum(const std::string& scheme, double duration) {
  return fmt::format(R"(
    gravity = 9.81
    duration = {}
    law = "newton"
    scheme = {}
    [[body]]
    name = "upper"
    shape = {{type = "capsule", radius = 0.01, length = 0.12}}
    mass = 0.2
    position = [0.075, 0]
    [[body]]
    name = "lower"
    shape = {{type = "capsule", radius = 0.01, length = 0.12}}
    mass = 0.2
    position = [0.225, 0]
    [[joint]]
    type = "revolute"
    bodies = ["world", "upper"]
    at = [0, 0]
    [[joint]]
    type = "revolute"
    bodies = ["upper", "lower"]
    at = [0.15, 0])",
                     duration, scheme);
}

std::string steps(double h) {
  return fmt::format("{{name = \"time-stepping\", step = {}}}", h);
}

/// Largest change of kinetic and potential energy at the recorded times.
double energy_error(const Played& played) {
  double worst = 0;
  for (const Ledger& ledger : played.seen.ledger)
    worst = std::max(worst, std::abs(ledger.kinetic + ledger.potential - ledger.start));
  return worst;
}

TEST(SmoothSteps, ADoublePendulumKeepsItsEnergyToSecondOrderAndWithoutDrift) {
  constexpr double kEnergyError = 1000;        // [1/s^2]
  const double swing = 2 * 0.2 * 9.81 * 0.15;  // [J] about what is exchanged
  for (const double duration : {2.0, 20.0}) {
    double before = 0;
    for (const double h : {2e-3, 1e-3, 5e-4}) {
      const double error = energy_error(play(double_pendulum(steps(h), duration)));
      EXPECT_LT(error, kEnergyError * h * h * swing) << h << " s for " << duration << " s";
      if (before > 0) {
        EXPECT_LT(error, before / 3.5) << h << " s for " << duration << " s";
      }
      before = error;
    }
  }
}

TEST(SmoothSteps, AMechanismEndsWhereTheEventDrivenSchemeEndsToSecondOrder) {
  const State exact = play(double_pendulum("{name = \"event-driven\", tolerance = 1e-11}", 0.6)).summary.end;
  double before = 0;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    const State end = play(double_pendulum(steps(h), 0.6)).summary.end;
    const double error = (end.q - exact.q).cwiseAbs().maxCoeff();
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.5) << h;
    }
    before = error;
  }
  EXPECT_LT(before, 1e-4);
}

// A crank that is driven through its dead points ever faster: velocities at the ends of steps must not swing about
// those that the joints allow.
TEST(SmoothSteps, AFourBarThroughItsDeadPointsKeepsItsJointsVelocities) {
  const auto scene = [](const std::string& scheme) {
    return fmt::format(R"scene(
    duration = 0.8
    law = "newton"
    scheme = {}
    [[body]]
    name = "crank"
    mass = 0.02
    inertia = 2e-5
    position = [0, 0.0455]
    angle = 90
    [[body]]
    name = "coupler"
    mass = 0.08
    inertia = 1e-3
    position = [0.17, 0.1805]
    angle = 27.765485543997293
    [[body]]
    name = "rocker"
    mass = 0.06
    inertia = 4e-4
    position = [0.34, 0.135]
    angle = 90
    [[joint]]
    type = "revolute"
    bodies = ["world", "crank"]
    at = [0, 0]
    [[joint]]
    type = "revolute"
    bodies = ["crank", "coupler"]
    at = [0, 0.091]
    [[joint]]
    type = "revolute"
    bodies = ["coupler", "rocker"]
    at = [0.34, 0.27]
    [[joint]]
    type = "revolute"
    bodies = ["world", "rocker"]
    at = [0.34, 0]
    [[force]]
    body = "crank"
    torque = "-0.18*sin(1*pi*t)")scene",
                       scheme);
  };
  const State exact = play(scene("{name = \"event-driven\"}")).summary.end;
  double before = 0;
  for (const double h : {2e-4, 1e-4, 5e-5}) {
    const State end = play(scene(steps(h))).summary.end;
    const double error = (end.u - exact.u).cwiseAbs().maxCoeff() / exact.u.cwiseAbs().maxCoeff();
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.7) << h;
    }
    before = error;
  }
  EXPECT_LT(before, 1e-2);
}

TEST(SmoothSteps, APendulumWithoutGravityStaysOnItsCircle) {
  const Played played = play(R"(
    duration = 10
    law = "newton"
    scheme = {name = "time-stepping", step = 0.01}
    [[body]]
    name = "bob"
    shape = {type = "sphere", radius = 0.05}
    mass = 1
    position = [1, 0]
    velocity = [0, 3]
    [[joint]]
    type = "pendulum"
    bodies = ["world", "bob"]
    at = [0, 0])");
  EXPECT_NEAR(played.summary.end.q.head<2>().norm(), 1, 1e-12);
  EXPECT_NEAR(played.summary.ledger.kinetic, 4.5, 1e-11);
  EXPECT_LT(played.summary.largest_joint_error, 1e-12);
}

TEST(SmoothSteps, AHangingChainKeepsItsEnergy) {
  double before = 0;
  for (const double h : {1e-3, 5e-4}) {
    std::string scene = fmt::format("gravity = 9.81\nduration = 1\nlaw = \"newton\"\nscheme = {}\n", steps(h));
    for (int link = 0; link < 10; ++link)
      scene += fmt::format(R"(
        [[body]]
        name = "link {0}"
        shape = {{type = "capsule", radius = 0.01, length = 0.08}}
        mass = 0.1
        position = [{1}, 0]
        [[joint]]
        type = "revolute"
        bodies = ["{2}", "link {0}"]
        at = [{3}, 0])",
                           link, 0.05 + 0.1 * link, link == 0 ? "world" : fmt::format("link {}", link - 1), 0.1 * link);
    const double error = energy_error(play(scene));
    EXPECT_LT(error, 1e-3 * 9.81 * 0.5) << "of what a chain of one kilogram and one metre exchanges";
    if (before > 0) {
      EXPECT_LT(error, before / 3);
    }
    before = error;
  }
}

/// |I w| and w'I w of the only body.
std::pair<double, double> moments_of(const Model& model, const State& state) {
  const Vector3 spin = state.u.segment<3>(3), moment = model.bodies()[0].inertia * spin;
  return {moment.norm(), spin.dot(moment)};
}

TEST(SmoothSteps, ATumblingBodyKeepsItsEnergyAndAngularMomentumHoweverFast) {
  for (const double speed : {1.0, 10.0, 100.0}) {
    const Played played = play(fmt::format(R"(
      dimension = 3
      duration = 1
      law = "newton"
      scheme = {{name = "time-stepping", step = 0.002}}
      [[body]]
      name = "box"
      shape = {{type = "box", size = [0.12, 0.08, 0.05]}}
      density = 1000
      angular_velocity = [{}, {}, {}])",
                                           20 * speed, 15 * speed, 10 * speed));
    const auto [momentum, energy] = moments_of(played.model, played.seen.states.front());
    const auto [momentum_after, energy_after] = moments_of(played.model, played.summary.end);
    EXPECT_NEAR(momentum_after / momentum, 1, 1e-10) << speed;
    EXPECT_NEAR(energy_after / energy, 1, 1e-10) << speed;
  }
}

TEST(SmoothSteps, AnUnsymmetricTopOnAJointKeepsItsEnergyToSecondOrder) {
  double before = 0;
  for (const double h : {2e-3, 1e-3}) {
    const Played played = play(fmt::format(R"(
      dimension = 3
      gravity = 9.81
      duration = 2
      law = "newton"
      scheme = {}
      [[body]]
      name = "top"
      shape = {{type = "box", size = [0.12, 0.08, 0.2]}}
      density = 1000
      position = [0.05, 0, 0.1]
      angular_velocity = [0, 0, 40]
      velocity = [0, 2, 0]
      [[joint]]
      type = "spherical"
      bodies = ["world", "top"]
      at = [0, 0, 0])",
                                           steps(h)));
    const double error = energy_error(played) / played.summary.ledger.start;
    EXPECT_LT(error, 1e-3);
    if (before > 1e-12) {
      EXPECT_LT(error, before / 3);
    }
    before = error;
  }
}

TEST(SmoothSteps, AStiffDamperIsNoReasonToBlowUp) {
  const Played played = play(R"(
    duration = 1
    law = "newton"
    scheme = {name = "time-stepping", step = 0.01}
    [[body]]
    name = "mass"
    shape = {type = "sphere", radius = 0.05}
    mass = 1
    position = [1, 0]
    velocity = [1, 0]
    [[spring]]
    bodies = ["world", "mass"]
    points = [[0, 0], [1, 0]]
    k = 1
    rest = 1
    c = 2000)");
  EXPECT_LT(played.summary.ledger.kinetic, 0.5);
  EXPECT_LT(std::abs(played.summary.end.q[0] - 1), 0.02);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-3);
}

}  // namespace
}  // namespace carom::testing
