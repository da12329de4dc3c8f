// Coulomb's friction in steps of fixed length.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

/// On a slope of 20 degrees (tan = 0.364), from rest.
std::string on_slope(const std::string& body, double mu, const std::string& rest = "") {
  return fmt::format(R"(
    gravity = [3.355, -9.218]
    duration = 5
    law = {{name = "compliant", force = "spring-dashpot", friction = "coulomb"}}
    scheme = {{name = "compliant", steps = "fixed"}}
    [contact]
    k = 1e5
    e = 0.3
    mu = {}
    {}
    [[body]]
    name = "body"
    {}
    mass = 2
    [[wall]]
    name = "slope"
    shape = "plane"
    [record]
    interval = 0.5
  )",
                     mu, rest, body);
}
const std::string kBlock = "shape = {type = \"rectangle\", size = [0.2, 0.1]}\nposition = [0, 0.05]";
const std::string kBall = "shape = {type = \"sphere\", radius = 0.1}\nposition = [0, 0.1]";

TEST(FixedFriction, ABlockAndABallOnASlopeDoNotCreep) {
  for (const auto& [scene, size] :
       {std::pair(on_slope(kBlock, 0.6), 0.2), std::pair(on_slope(kBall, 0.6, "mu_r = 0.6"), 0.2)}) {
    const Played played = play(scene);
    ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
    const State &settled = played.seen.states[2], &end = played.summary.end;  // after one second, and after five
    EXPECT_LT(std::abs(end.q[0] - settled.q[0]), 1e-6 * size);
    EXPECT_LT(std::abs(end.q[2] - settled.q[2]), 1e-6);
    EXPECT_LT(end.u.head<2>().norm(), 1e-6);
    double along = 0;
    for (const ContactForce& force : played.seen.forces.back()) along += force.tangential.x();
    EXPECT_NEAR(std::abs(along), 2 * 3.355, 1e-3);
    EXPECT_LT(std::abs(settled.q[0]), 2e-3 * size) << "what springs give way";
  }
}

TEST(FixedFriction, ABlockSlidesAsCoulombSays) {
  const Played played = play(on_slope(kBlock, 0.2), {"duration=1"});
  const double a = 3.355 - 0.2 * 9.218;
  EXPECT_NEAR(played.summary.end.u[0], a, 1e-3 * a);
  EXPECT_NEAR(played.summary.end.q[0], 0.5 * a, 2e-3 * a);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-3 * played.summary.ledger.dissipated());
}

/// A block that is pushed stops after v^2 / (2 mu g) and stays there: its velocity neither reverses nor creeps.
TEST(FixedFriction, WhatSlidesStopsAndStays) {
  for (const double v : {0.5, -0.5}) {
    const Played played =
        play(on_slope(kBlock + fmt::format("\nvelocity = [{}, 0]", v), 0.4), {"gravity=9.81", "duration=1"});
    const double distance = v * std::abs(v) / (2 * 0.4 * 9.81);
    EXPECT_NEAR(played.summary.end.q[0], distance, 5e-3 * std::abs(distance));
    EXPECT_LT(std::abs(played.summary.end.u[0]), 1e-7);

    const double stop = std::abs(v) / (0.4 * 9.81);
    int sticking = 0;
    for (const RunEvent& event : played.seen.events) {
      if (event.kind == RunEvent::Kind::sticks && std::abs(event.t - stop) < 0.02 * stop) ++sticking;
      EXPECT_FALSE(event.kind == RunEvent::Kind::slips && event.t > 1.02 * stop) << event.t;
    }
    EXPECT_GT(sticking, 0) << "both corners, and told";
  }
}

/// As deep as it is pressed by its weight from the start.
TEST(FixedFriction, MoreHoldsWhatSticksThanWhatSlips) {
  const std::string block = "shape = {type = \"rectangle\", size = [0.2, 0.1]}\nposition = [0, \"0.05 - 9.218e-5\"]";
  EXPECT_LT(std::abs(play(on_slope(block, 0.2, "mu_s = 0.8"), {"duration=1"}).summary.end.u[0]), 1e-6);
  const Played slides = play(on_slope(block + "\nvelocity = [0.1, 0]", 0.2, "mu_s = 0.8"), {"duration=1"});
  EXPECT_GT(slides.summary.end.u[0], 1);
}

}  // namespace
}  // namespace carom::testing
