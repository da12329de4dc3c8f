#include <gtest/gtest.h>

#include <cmath>

#include "running.h"

namespace carom::testing {
namespace {

/// Free dominoes, the first of which is pushed towards the others: to the right, or to the left.
Played fall(int count, double duration, double side = 1) {
  return play(R"(
    gravity = 9.80665
    duration = 1
    law = "newton"
    [parameters]
    n = 1
    side = 1
    [[chain]]
    name = "domino"
    count = "n"
    shape = {type = "box", size = [0.0077, 0.0432, 0.0219]}
    density = 631
    position = [0, 0.0216]
    direction = ["side", 0]
    gap = 0.01386
    first = {angular_velocity = "-12*side", velocity = ["0.2592*side", 0.0462]}
    [[wall]]
    name = "ground"
    shape = "plane"
    [[pair]]
    bodies = ["domino", "ground"]
    mu = 0.9
    [[pair]]
    bodies = ["domino", "domino"]
    e = 0.54
    mu = 0.11)",
              {"parameters.n=" + std::to_string(count), "parameters.side=" + std::to_string(side),
               "duration=" + std::to_string(duration)});
}

TEST(FreeDominoes, FallOnEachOtherWithEveryStepSolved) {
  const Played played = fall(12, 0.3);
  EXPECT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  EXPECT_GT(played.summary.impacts, 50);
  EXPECT_LT(std::abs(played.summary.ledger.error()), 1e-9 * played.summary.ledger.start);
  EXPECT_LT(played.summary.deepest_penetration, 1e-9);
}

/// Those that lie on each other chatter for long: what is too much to follow is crossed by time steps.
TEST(FreeDominoes, ComeToRestOnEachOther) {
  const Played played = fall(10, 1);
  const RunSummary& summary = played.summary;
  EXPECT_NE(summary.status, RunStatus::not_finished) << summary.message;
  EXPECT_EQ(summary.t_end, 1);
  EXPECT_LT(summary.end.u.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(summary.ledger.potential, 0.6 * summary.ledger.start);
  EXPECT_LT(std::abs(summary.ledger.error()), 1e-6 * summary.ledger.start);
  EXPECT_LT(std::abs(summary.ledger.correction), 0.01 * summary.ledger.start);
  EXPECT_LT(summary.deepest_penetration, 1e-4);
  for (Index i = 2; i < summary.end.q.size(); i += 3) EXPECT_LT(summary.end.q[i], -0.8) << "it has fallen";
}

TEST(FreeDominoes, FallToTheLeftAsTheyDoToTheRight) {
  const Played right = fall(6, 0.14), left = fall(6, 0.14, -1);
  ASSERT_EQ(right.summary.impacts, left.summary.impacts);
  const Vector& q = right.summary.end.q;
  const Vector& mirrored = left.summary.end.q;
  for (Index i = 0; i < q.size(); i += 3) {
    EXPECT_NEAR(q[i], -mirrored[i], 1e-9);
    EXPECT_NEAR(q[i + 1], mirrored[i + 1], 1e-9);
    EXPECT_NEAR(q[i + 2], -mirrored[i + 2], 1e-7);
  }
}

}  // namespace
}  // namespace carom::testing
