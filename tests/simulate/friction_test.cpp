// Motion with Coulomb friction between impacts and in time steps, against closed forms.

#include <cmath>
#include <numbers>

#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kG = 10;

std::string on_floor(const std::string& body, double mu, const std::string& more = "") {
  return "law = \"newton\"\nduration = 2\ngravity = 10\ncontact = {e = 0, mu = " + std::to_string(mu) + "}\n" + more +
         "[[body]]\nname = \"body\"\nmass = 2\n" + body + "\n[[wall]]\nname = \"floor\"\nshape = \"plane\"\n";
}

TEST(SlidingAndRolling, ABlockSlidesToRest) {
  const Played played =
      play(on_floor("shape = {type = \"rectangle\", size = [1, 0.4]}\nposition = [0, 0.2]\nvelocity = [3, 0]", 0.5));
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  const State& end = played.summary.end;
  EXPECT_NEAR(end.q[0], 3 * 3 / (2 * 0.5 * kG), 1e-10);
  EXPECT_NEAR(end.q[1], 0.2, 1e-10);
  EXPECT_NEAR(end.u.norm(), 0, 1e-10);
  EXPECT_NEAR(played.summary.ledger.dissipated_slip, 9, 1e-9);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-10);
}

/// v falls with mu g, the spin rises with mu g R m / J = 2 mu g / R, until v = R omega at two thirds of v.
TEST(SlidingAndRolling, ADiscStartsToRoll) {
  const Played played =
      play(on_floor("shape = {type = \"disc\", radius = 0.5}\nposition = [0, 0.5]\nvelocity = [3, 0]", 0.3));
  const State& end = played.summary.end;
  const double rolls = 3 / (3 * 0.3 * kG);  // when
  EXPECT_NEAR(end.u[0], 2, 1e-10);
  EXPECT_NEAR(end.u[2], -4, 1e-9);
  EXPECT_NEAR(end.q[0], 3 * rolls - 0.5 * 0.3 * kG * rolls * rolls + 2 * (2 - rolls), 1e-9);
  EXPECT_NEAR(played.summary.ledger.dissipated_slip, 3, 1e-9);
}

/// A ball with slip in both directions: the slip keeps its direction, and v ends at 5/7 v + 2/7 of the spin's.
TEST(SlidingAndRolling, ABallInSpaceStartsToRoll) {
  const Played played =
      play("dimension = 3\n" + on_floor("shape = {type = \"sphere\", radius = 0.5}\nposition = [0, 0, 0.5]\n"
                                        "velocity = [3, 0, 0]\nangular_velocity = [3, 1, 2]",
                                        0.3));
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  const State& end = played.summary.end;
  EXPECT_NEAR(end.u[0], (5 * 3 + 2 * 0.5) / 7, 1e-7);
  EXPECT_NEAR(end.u[1], -2 * 1.5 / 7, 1e-7);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-9);
}

/// On a slope a block stays or slides with g (sin - mu cos).
TEST(SlidingAndRolling, ABlockOnASlopeStaysOrSlides) {
  const double slope = 0.4, side = kG * std::sin(slope), down = kG * std::cos(slope);
  for (const double mu : {0.9 * std::tan(slope), 1.1 * std::tan(slope)}) {
    const Played played = play("law = \"newton\"\nduration = 1\ngravity = [" + std::to_string(side) + ", -" +
                               std::to_string(down) + "]\ncontact = {mu = " + std::to_string(mu) +
                               "}\n[[body]]\nshape = {type = \"rectangle\", size = [1, 0.2]}\nmass = 1\n"
                               "position = [0, 0.1]\n[[wall]]\nshape = \"plane\"\n");
    const double acceleration = std::max(0.0, side - mu * down);
    EXPECT_NEAR(played.summary.end.q[0], acceleration / 2, 1e-5) << mu;
    EXPECT_NEAR(played.summary.end.u[0], acceleration, 1e-5) << mu;
  }
}

/// A conveyor belt takes a block along until it moves with the belt.
TEST(SlidingAndRolling, ABeltTakesABlockAlong) {
  const Played played = play(R"(
    law = "newton"
    duration = 1
    gravity = 10
    contact = {mu = 0.4}
    [[body]]
    shape = {type = "rectangle", size = [0.4, 0.2]}
    mass = 3
    position = [0, 0.1]
    [[wall]]
    name = "belt"
    shape = "plane"
    velocity = [2, 0]
  )");
  const double until = 2 / 4.0;
  EXPECT_NEAR(played.summary.end.u[0], 2, 1e-9);
  EXPECT_NEAR(played.summary.end.q[0], until + 2 * (1 - until), 1e-8);
  EXPECT_NEAR(played.summary.ledger.work, 2 * 3 * 2, 1e-8);  // half of it heats the belt
  EXPECT_NEAR(played.summary.ledger.dissipated_slip, 3 * 2, 1e-8);
}

TEST(SlidingAndRolling, InTimeStepsABlockSlidesAsFar) {
  const Played played =
      play(on_floor("shape = {type = \"rectangle\", size = [1, 0.4]}\nposition = [0, 0.2]\nvelocity = [3, 0]", 0.5,
                    "scheme = {name = \"time-stepping\", step = 1e-3}\n"));
  EXPECT_NEAR(played.summary.end.q[0], 0.9, 2e-3);
  EXPECT_NEAR(played.summary.end.u.norm(), 0, 1e-12);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-9);
}

/// A ball with backspin bounces backwards off the floor if friction is large.
TEST(SlidingAndRolling, ABouncingBallTurnsItsSpinIntoSpeed) {
  const Played played =
      play(on_floor("shape = {type = \"disc\", radius = 0.5}\nposition = [0, 1.5]\nvelocity = [0.2, 0]\n"
                    "angular_velocity = 6",
                    0.9, "") +
               "\n[record]\ninterval = 0.5\n",
           {"contact.e=0.8", "duration=0.6"});
  ASSERT_EQ(played.seen.impacts.size(), 1U);
  const auto& impact = played.seen.impacts[0];
  EXPECT_NEAR(impact.u_plus[0] + 0.5 * impact.u_plus[2], 0, 1e-9);  // rolls off
  EXPECT_LT(impact.u_plus[0], 0);
}

}  // namespace
}  // namespace carom::testing
