// What two materials make of stiffness and restitution together.

#include "carom/model/combined.h"

#include <gtest/gtest.h>

#include <numbers>

namespace carom::testing {
namespace {

TEST(PressureStiffness, OfABallOnAFloorIsTwoPiPressureTimesRadius) {
  EXPECT_DOUBLE_EQ(pressure_stiffness(5e4 * 0.12), 2 * std::numbers::pi * 5e4 * 0.12);
}

TEST(PressureStiffness, OfTwoBallsIsInSeriesAndHasTheRatiosOfThePaper) {
  const double R_t = 0.0325, R_b = 0.38, p = 1e5;
  const double between = pressure_stiffness(p * R_t, p * R_b);
  EXPECT_DOUBLE_EQ(between, 2 * std::numbers::pi * p * R_t * R_b / (R_t + R_b));
  EXPECT_NEAR(pressure_stiffness(p * R_b) / between, 1 + R_b / R_t, 1e-12);  // (112)
  EXPECT_NEAR(pressure_stiffness(p * R_t) / between, 1 + R_t / R_b, 1e-12);  // (113)
}

TEST(SeriesRestitution, OfATennisBallAndABasketballIs0326) {
  EXPECT_NEAR(series_restitution(0.55, 0.8), 0.326, 1e-3);
  EXPECT_EQ(series_restitution(0, 0.8), 0);
}

}  // namespace
}  // namespace carom::testing
