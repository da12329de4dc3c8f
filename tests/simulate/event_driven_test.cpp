// Motion through impacts against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "random_share.h"
#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double g = 9.81;

TEST(BouncingBall, HitsAtTheTimesOfTheGeometricSequenceAndRestsAtItsEnd) {
  for (const double e : {0.3, 0.5, 0.8, 0.95}) {
    const Played played = play(R"(
      gravity = 9.81
      duration = 25
      law = "newton"
      [[body]]
      name = "ball"
      shape = {type = "sphere", radius = 0.1}
      mass = 2
      position = [0.3, 1.1]
      velocity = [0.25, 0]
      [[wall]]
      name = "floor"
      shape = "plane"
      [contact]
      e = 0.5)",
                               {"contact.e=" + std::to_string(e)});
    const double fall = std::sqrt(2 / g);
    double t = fall, flight = 2 * e * fall;
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_NEAR(played.seen.impacts[k].t, t, 1e-10) << "e = " << e << ", impact " << k;
      EXPECT_NEAR(played.seen.impacts[k].gamma_plus[0], e * std::pow(e, static_cast<double>(k)) * g * fall, 1e-9);
      t += flight;
      flight *= e;
    }
    ASSERT_EQ(played.summary.accumulation_times.size(), 1u);
    EXPECT_NEAR(played.summary.accumulation_times[0], fall * (1 + e) / (1 - e), 1e-9) << "e = " << e;
    EXPECT_NEAR(played.summary.end.q[1], 0.1, 1e-12);
    EXPECT_NEAR(played.summary.end.u[0], 0.25, 1e-12) << "it slides on";
    EXPECT_NEAR(played.summary.end.q[0], 0.3 + 0.25 * 25, 1e-9);
    EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-10 * played.summary.ledger.start);
    EXPECT_NEAR(played.summary.ledger.dissipated_impacts, 2 * g * 1, 1e-9);
  }
}

TEST(BouncingBall, OnAWallThatMovesKeepsItsSpeedRelativeToIt) {
  const Played played = play(R"(
    duration = 3
    law = "poisson"
    [[body]]
    name = "ball"
    shape = {type = "sphere", radius = 0.1}
    mass = 1
    position = [0, 1.1]
    velocity = [0, -1]
    [[wall]]
    name = "lift"
    shape = "plane"
    motion = {y = "0.5*t"}
    [contact]
    e = 0.8)");
  ASSERT_EQ(played.seen.impacts.size(), 1u);
  EXPECT_NEAR(played.seen.impacts[0].t, 1 / 1.5, 1e-12);
  EXPECT_NEAR(played.seen.impacts[0].u_plus[1], 0.5 + 0.8 * 1.5, 1e-12);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-12);
}

TEST(BouncingBall, OnAShakenFloorDoesTheSameWhetherPositionOrVelocityIsGiven) {
  const auto on_a_floor = [](const std::string& motion) {
    return play(R"(
    gravity = 9.81
    duration = 1.5
    law = "newton"
    parameters = {A = 0.004, w = 60}
    [[body]]
    shape = {type = "sphere", radius = 0.1}
    mass = 1
    position = [0, 0.2]
    [[wall]]
    shape = "plane"
    )" + motion +
                "\n[contact]\ne = 0.6\n");
  };
  const Played by_position = on_a_floor("motion = {y = \"A*sin(w*t)\"}");
  const Played by_velocity = on_a_floor("velocity = [0, \"A*w*cos(w*t)\"]");
  ASSERT_GT(by_position.seen.impacts.size(), 5u);
  ASSERT_EQ(by_velocity.seen.impacts.size(), by_position.seen.impacts.size());
  for (std::size_t i = 0; i < by_position.seen.impacts.size(); ++i) {  // each impact amplifies errors of the one before
    EXPECT_NEAR(by_velocity.seen.impacts[i].t, by_position.seen.impacts[i].t, 1e-9) << i;
    EXPECT_NEAR(by_velocity.seen.impacts[i].u_plus[1], by_position.seen.impacts[i].u_plus[1], 1e-7) << i;
  }
  EXPECT_NEAR(by_velocity.seen.impacts[0].t, by_position.seen.impacts[0].t, 1e-14);
  EXPECT_NEAR(by_velocity.summary.ledger.error(), 0, 1e-9);
}

TEST(TwoBalls, DroppedTogetherThrowTheUpperOneHigh) {
  // The lower one (three times as heavy) bounces first, then meets the upper one coming down: 2 v up for the upper.
  const Played played = play(R"(
    gravity = 9.81
    duration = 0.6
    law = "newton"
    [[body]]
    name = "basketball"
    shape = {type = "sphere", radius = 0.12}
    mass = 3
    position = [0, 1.12]
    [[body]]
    name = "tennis ball"
    shape = {type = "sphere", radius = 0.03}
    mass = 1
    position = [0, 1.28]
    [[wall]]
    name = "floor"
    shape = "plane"
    [contact]
    e = 1)");
  ASSERT_GE(played.seen.impacts.size(), 2u);
  const double first = std::sqrt(2 / g), v = g * first;
  EXPECT_NEAR(played.seen.impacts[0].t, first, 1e-11);
  const double second = first + 0.01 / (2 * v);  // their gap of 1 cm closes at 2 v
  EXPECT_NEAR(played.seen.impacts[1].t, second, 1e-11);
  const double down = g * second, up = v - g * (second - first);
  EXPECT_NEAR(played.seen.impacts[1].u_plus[4], (-down * (1 - 3) + 2 * 3 * up) / 4, 1e-10);
  EXPECT_NEAR(played.seen.impacts[1].u_plus[1], (up * (3 - 1) - 2 * down) / 4, 1e-10);
}

TEST(CompoundPendulum, SwingsWithItsExactPeriod) {
  const Played played = play(R"(
    gravity = 9.81
    duration = 10
    law = "newton"
    [scheme]
    name = "event-driven"
    tolerance = 1e-11
    [record]
    interval = 0.001
    [[body]]
    name = "rod"
    shape = {type = "box", size = [1, 0.02, 0.02]}
    mass = 1
    inertia = 0.08333333333333333
    position = [0.5, 0]
    [[joint]]
    type = "revolute"
    bodies = ["world", "rod"]
    at = [0, 0])");
  // Released at 90 degrees: T = 4 sqrt(2 l / 3 g) K(sin 45) with length l = 1.
  const double period = 4 * std::sqrt(2.0 / (3 * g)) * std::comp_ellint_1(std::sin(std::numbers::pi / 4));
  std::vector<double> downs;  // when it hangs straight down, by interpolation between recorded states
  for (std::size_t i = 1; i < played.seen.states.size(); ++i) {
    const double a = played.seen.states[i - 1].q[0], b = played.seen.states[i].q[0];
    if (a * b < 0) downs.push_back(played.seen.states[i - 1].t + 0.001 * a / (a - b));
  }
  ASSERT_GE(downs.size(), 6u);
  for (std::size_t i = 0; i < downs.size(); ++i)
    EXPECT_NEAR(downs[i], period * (0.25 + 0.5 * static_cast<double>(i)), 2e-8);
  EXPECT_LT(played.summary.largest_joint_error, 1e-9);
  for (const Ledger& ledger : played.seen.ledger) EXPECT_NEAR(ledger.error(), 0, 1e-9);
}

TEST(AsymmetricTop, KeepsEnergyAndMomentumOverAHundredTurns) {
  const Played played = play(R"(
    dimension = 3
    duration = 100
    law = "newton"
    scheme = {name = "event-driven", tolerance = 1e-12}
    [[body]]
    name = "top"
    shape = {type = "box", size = [1, 2, 3]}
    mass = 2
    angular_velocity = [0.01, 6.3, 0.02])");
  const Matrix3& I = played.model.bodies()[0].inertia;
  const auto momentum = [&](const State& state) {
    return Vector3(played.model.pose(0, state).orientation * Vector3(I * state.u.tail<3>()));
  };
  const Vector3 at_start = momentum(played.seen.states.front());
  bool flipped = false;
  for (const State& state : played.seen.states) {
    EXPECT_LT((momentum(state) - at_start).norm(), 1e-9 * at_start.norm()) << "t = " << state.t;
    EXPECT_NEAR(played.model.M().kinetic_energy(state.u), played.summary.ledger.start,
                1e-9 * played.summary.ledger.start);
    flipped = flipped || state.u[4] < -5;
  }
  EXPECT_TRUE(flipped) << "rotation about the middle axis is unstable";
}

/// A rod of half length 1 on two small feet at +-a, tilted a little and let go.
Played rocking_rod(double a) {
  return play(R"(
    gravity = 9.81
    duration = 2
    law = "newton"
    [parameters]
    a = 0.3
    [[body]]
    name = "rod"
    shapes = [{type = "polygon", corners = [["-a", 0], ["a", 0], [0, 0.001]]}]
    mass = 1
    inertia = 0.3333333333333333
    position = [0, "0.01*a"]
    angle = 0.5
    [[wall]]
    name = "floor"
    shape = "plane"
    [contact]
    e = 0)",
              {"parameters.a=" + std::to_string(a)});
}

TEST(RockingRod, RocksForeverEverFasterWithFeetCloseTogether) {
  for (const double a : {0.2, 0.4, 0.5}) {
    const Played played = rocking_rod(a);
    // Each impact keeps (I - m a^2) / (I + m a^2) of the angular velocity, so of the time between impacts, too.
    const double ratio = (1.0 / 3 - a * a) / (1.0 / 3 + a * a);
    std::vector<double> times;
    for (const Watched::Impact& impact : played.seen.impacts)
      if (!impact.at_rest) times.push_back(impact.t);
    ASSERT_GE(times.size(), 5u) << "a = " << a;
    const std::size_t last = times.size() - 1;
    EXPECT_NEAR((times[last] - times[last - 1]) / (times[last - 1] - times[last - 2]), ratio, 1e-3) << "a = " << a;
    for (std::size_t i = 2; i < 4; ++i) {
      const Watched::Impact& impact = played.seen.impacts[i];
      EXPECT_NEAR(impact.u_plus[2] / impact.u_minus[2], ratio, 1e-3) << "a = " << a;
    }
    ASSERT_GE(played.summary.accumulation_times.size(), 1u);
    EXPECT_LT(std::abs(played.summary.end.u[2]), 1e-9);
  }
}

TEST(RockingRod, RestsAfterOneImpactWithFeetFarApart) {
  const Played played = rocking_rod(0.7);  // > 1 / sqrt(3)
  // One impact of the first foot, one of the second: then it lies.
  long bounces = 0;
  for (const Watched::Impact& impact : played.seen.impacts) bounces += impact.at_rest ? 0 : 1;
  EXPECT_EQ(bounces, 2);
  EXPECT_LT(std::abs(played.summary.end.u[2]), 1e-12);
}

TEST(RockingBlock, FallsBackOnItsOtherCornerInTheTimeOfItsEnergyIntegral) {
  // Frictionless: the centre moves straight down, y = R sin(beta + theta), and the corner slides.
  const Played played = play(R"(
    gravity = 9.81
    duration = 0.5
    law = "newton"
    [[body]]
    name = "block"
    shape = {type = "box", size = [0.4, 1, 1]}
    mass = 1
    inertia = 0.09666666666666666
    position = [0, "0.2*sin(pi/60) + 0.5*cos(pi/60) "]
    angle = 3
    [[wall]]
    name = "floor"
    shape = "plane"
    [contact]
    e = 0)");
  const double theta0 = std::numbers::pi / 60, I = (0.16 + 1) / 12;
  const auto y = [](double th) { return 0.5 * std::cos(th) + 0.2 * std::sin(th); };
  const auto slope = [](double th) { return -0.5 * std::sin(th) + 0.2 * std::cos(th); };
  // t = int_0^theta0 d theta / |theta'|, |theta'| = sqrt(2 g (y0 - y) / (I + slope^2)); theta = theta0 (1 - x^2)
  double time = 0;
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    const double x = (i + 0.5) / n, th = theta0 * (1 - x * x);
    time += 2 * theta0 * x / n * std::sqrt((I + slope(th) * slope(th)) / (2 * g * (y(theta0) - y(th))));
  }
  std::size_t flat = 0;
  while (flat < played.seen.impacts.size() && played.seen.impacts[flat].gamma_minus.size() < 2) ++flat;
  ASSERT_LT(flat, played.seen.impacts.size());
  EXPECT_NEAR(played.seen.impacts[flat].t, time, 1e-7);
}

TEST(Cradle, SwingsBackAndForthAndEndsSwingingTogether) {
  const int duration = share_of(30);
  const std::string cradle = "duration = " + std::to_string(duration) + R"(
    gravity = 9.81
    law = "lzb"
    [materials.steel]
    density = 7800
    E = 2.1e11
    nu = 0.3
    e = 0.9
    [[chain]]
    name = "ball"
    count = 5
    shape = {type = "sphere", radius = 0.02}
    material = "steel"
    string = 0.3
    lift = {count = 1, angle = 20})";
  const Played played = play(cradle);
  const Watched::Impact& first = played.seen.impacts.front();
  EXPECT_EQ(first.bodies.size(), 5u) << "the balls at rest touch: they take part in the first impact";
  EXPECT_GT(first.u_plus[12], 0.8 * first.u_minus[0]) << "the last flies off";
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-7 * played.summary.ledger.start);
  EXPECT_EQ(played.summary.inconsistent, 0);
  if (duration < 30) return;
  const Vector& u = played.summary.end.u;
  const double fastest = u.cwiseAbs().maxCoeff();
  const State& end = played.summary.end;
  for (int ball = 1; ball < 5; ++ball) {
    EXPECT_NEAR(u[3 * ball], u[0], 0.02 * first.u_minus[0]) << "together, speed " << fastest;
    EXPECT_NEAR(end.q[3 * ball] - end.q[0], 0.04 * ball, 1e-3);
  }
  // Momentum survives, so a fifth of the energy is left.
  EXPECT_NEAR((played.summary.ledger.kinetic + played.summary.ledger.potential) / played.summary.ledger.start, 0.2,
              0.02);
}

/// A rod that turns about its middle, a long way in one step, touches where |0.3 cos(3 t)| = 0.05 + 0.01.
TEST(TurningRod, HitsWhatIsFarFromWhereItStarts) {
  const Played played = play(R"(
    duration = 0.6
    law = "newton"
    contact = {e = 1}
    [[body]]
    name = "rod"
    shape = {type = "box", size = [1, 0.02, 0.02]}
    mass = 1
    angular_velocity = 3
    [[body]]
    name = "ball"
    shape = {type = "disc", radius = 0.05}
    mass = 1
    position = [0, 0.3]
    [[body]]
    name = "out of reach"
    shape = {type = "disc", radius = 0.05}
    mass = 1
    position = [0, 0.6])");
  ASSERT_GE(played.seen.impacts.size(), 1u);
  EXPECT_NEAR(played.seen.impacts[0].t, std::acos(0.2) / 3, 1e-9);
}

TEST(GrazingContact, IsFoundWithinAStepAndNotWhereItMisses) {
  // A ball thrown over a peg: its parabola dips to the peg's top between two steps.
  const auto scene = [](const std::string& height) {
    return R"(
      gravity = 10
      duration = 2
      law = "newton"
      [contact]
      e = 1
      [[body]]
      name = "ball"
      shape = {type = "sphere", radius = 0.1}
      mass = 1
      position = [-1, 0]
      velocity = [1, 10]
      [[wall]]
      name = "lid"
      shape = {type = "plane", normal = [0, -1]}
      position = [0, )" +
           height + "]";
  };
  EXPECT_EQ(play(scene("5.1000001")).summary.impacts, 0) << "the top of the parabola is at 5 m";
  EXPECT_EQ(play(scene("5.0999999")).summary.impacts, 1);
}

}  // namespace
}  // namespace carom::testing
