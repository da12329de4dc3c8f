// Rows of balls that touch, in time steps.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

std::string row_of_balls(const std::string& law, double e, const std::string& velocities_of_the_last) {
  std::string text = fmt::format(R"(
    dimension = 1
    gravity = 0
    duration = 0.5
    law = "{}"
    contact = {{e = {}}}
    scheme = {{name = "time-stepping", step = 1e-4}}
    [[wall]]
    name = "floor"
    shape = "plane"
  )",
                                 law, e);
  for (int i = 0; i < 5; ++i)
    text +=
        fmt::format(R"(
    [[body]]
    name = "ball {}"
    shape = {{type = "sphere", radius = 0.05}}
    mass = {}
    position = {}
    velocity = {}
  )",
                    i + 1, 1 + 0.1 * i, 0.05 + 0.1 * i + (i == 4 ? 0.0123 : 0), i == 4 ? velocities_of_the_last : "0");
  return text;
}

/// What rests beside a contact that is hit takes part in the impact, whatever rounding has made of its velocity.
TEST(ContactSteps, ABallBouncesOffARowThatRestsAgainstAWall) {
  for (const char* law : {"newton", "poisson"}) {
    const Played played = play(row_of_balls(law, 0.4, "-1"));
    EXPECT_NEAR(played.summary.end.u[4], 0.4, 1e-12) << law;
    for (Index i = 0; i < 4; ++i) EXPECT_NEAR(played.summary.end.u[i], 0, 1e-12) << law;
  }
}

/// Balls that touch and fly together without load stay together: no step pushes them by its rounding.
TEST(ContactSteps, BallsThatTouchWithoutLoadStayTogether) {
  const Played played = play(R"(
    dimension = 1
    gravity = 0
    duration = 0.2
    law = "newton"
    contact = {e = 1}
    scheme = {name = "time-stepping", step = 1e-5}
    [[body]]
    name = "one"
    shape = {type = "sphere", radius = 0.03}
    mass = 0.7
    position = 0
    [[body]]
    name = "two"
    shape = {type = "sphere", radius = 0.05}
    mass = 1.3
    position = 0.08
    [[body]]
    name = "three"
    shape = {type = "sphere", radius = 0.02}
    mass = 0.9
    position = 0.15
    velocity = -1.9
  )");
  const Vector& u = played.summary.end.u;
  EXPECT_NEAR(u[0], u[1], 2e-14);
  EXPECT_NEAR(u[2] - u[1], 1.9, 1e-12);
}

}  // namespace
}  // namespace carom::testing
