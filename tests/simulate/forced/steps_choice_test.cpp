// Which steps the scheme compliant takes by itself, and what motion is measured by.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

std::string resting(double height, double k) {
  return fmt::format(R"(
    gravity = 9.81
    duration = 0.5
    law = {{name = "compliant", force = "spring-dashpot"}}
    scheme = {{name = "compliant"}}
    contact = {{k = {}, e = 0.5}}
    [[body]]
    name = "ball"
    shape = {{type = "disc", radius = 0.05}}
    mass = 1
    position = [0, {}]
    [[wall]]
    name = "floor"
    shape = "plane"
  )",
                     k, 0.05 + height);
}

TEST(StepsChoice, ContactsThatLastLongerThanCanBeLocatedAreStepped) {
  const Played stiff = play(resting(0, 1e9));
  EXPECT_NE(stiff.summary.message.find("fixed steps of"), std::string::npos) << stiff.summary.message;
  EXPECT_EQ(stiff.summary.status, RunStatus::solved);
  EXPECT_TRUE(play(resting(0, 1e5)).summary.message.empty());
  EXPECT_TRUE(play(resting(0.01, 1e9), {"duration=0.05"}).summary.message.empty()) << "nothing touches at the start";
}

/// A ball at rest that a load pushes against a wall arrives with sqrt(2 F L / m), without any speed at the start.
TEST(StepsChoice, WhatALoadSetsInMotionHasASpeed) {
  const Played played = play(R"(
    dimension = 1
    duration = 1
    law = {name = "compliant", force = "power"}
    scheme = {name = "compliant", steps = "located"}
    contact = {k = 1e6, e = 1}
    [[body]]
    name = "ball"
    shape = {type = "sphere", radius = 0.05}
    mass = 2
    position = 0.15
    [[wall]]
    name = "wall"
    shape = {type = "plane", normal = 1}
    [[force]]
    body = "ball"
    force = -3
  )");
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  ASSERT_EQ(played.seen.closures.size(), 1u);
  EXPECT_NEAR(played.seen.closures[0].approach, std::sqrt(2 * 3 * 0.1 / 2), 1e-7);
  EXPECT_NEAR(played.seen.closures[0].departure, std::sqrt(2 * 3 * 0.1 / 2), 1e-6);
}

}  // namespace
}  // namespace carom::testing
