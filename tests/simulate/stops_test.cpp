// Joints that end at stops, against closed forms and against balls between walls.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/model/joint_coordinate.h"
#include "simulate/running.h"

namespace carom::testing {
namespace {

constexpr double kStandardGravity = 9.81;
constexpr double kDegree = std::numbers::pi / 180;

/// A pendulum of mass 2 kg, its centre 0.5 m from the pivot, let go 60 degrees beside a stop at the bottom.
const std::string kPendulum = R"toml(
  gravity = 9.81
  duration = 4
  law = "newton"
  [[body]]
  name = "bob"
  mass = 2
  inertia = 0.1
  position = ["-0.5*sin(pi/3)", "-0.5*cos(pi/3)"]
  [[joint]]
  name = "hip"
  type = "revolute"
  body = "bob"
  at = [0, 0]
  start = -60
  limits = [-170, 0]
  e = 0.8
)toml";
const double kPendulumInertia = 0.1 + 2 * 0.25;

const std::string kSlider = R"toml(
  duration = 40
  law = "newton"
  [[body]]
  name = "slider"
  mass = 3
  inertia = 1
  velocity = [2, 0]
  [[joint]]
  name = "rail"
  type = "prismatic"
  body = "slider"
  axis = [1, 0]
  limits = [-1, 1]
  e = 0.7
)toml";

TEST(Stops, APendulumBouncesAtItsStopWithTheGivenRestitution) {
  const Played played = play(kPendulum);
  const double energy = 2 * kStandardGravity * 0.5 * (1 - std::cos(60 * kDegree));
  const double first = std::sqrt(2 * energy / kPendulumInertia);
  ASSERT_GE(played.seen.impacts.size(), 4u);
  const double arm = std::sqrt(kPendulumInertia / 2);  // radius of gyration about the pivot
  double lost = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const Watched::Impact& impact = played.seen.impacts[k];
    const double before = first * std::pow(0.8, static_cast<double>(k));
    EXPECT_NEAR(impact.u_minus[2], before, 1e-9) << k;
    EXPECT_NEAR(impact.u_plus[2], -0.8 * before, 1e-9) << k;
    EXPECT_NEAR(impact.gamma_minus[0], -arm * before, 1e-9) << "the stop acts at its arm";
    EXPECT_NEAR(impact.Lambda[0] * arm, kPendulumInertia * 1.8 * before, 1e-8);
    lost += 0.5 * kPendulumInertia * (1 - 0.64) * before * before;
  }
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-9 * energy);
  if (played.seen.impacts.size() == 4) {
    EXPECT_NEAR(played.summary.ledger.dissipated_impacts, lost, 1e-8);
  }
  ASSERT_EQ(played.summary.losses.size(), 1u);
  EXPECT_EQ(played.summary.losses[0].joint, 0);
}

TEST(Stops, APendulumComesToRestAtAStopThatHoldsItUp) {
  const Played played = play(kPendulum, {"joint[0].limits=[-170, -20]", "duration=30", "joint[0].e=0.3"});
  EXPECT_EQ(played.summary.status, RunStatus::solved);
  const JointCoordinate end = joint_coordinate(played.model, played.summary.end, played.model.description().joints[0]);
  EXPECT_LE(end.value, -20 * kDegree + 1e-9);
}

TEST(Stops, AWeightLiesOnAStop) {
  // it falls towards the bottom and is held 30 degrees before it
  const Played played = play(kPendulum, {"joint[0].limits=[-170, -30]", "duration=20", "joint[0].e=0.5"});
  const JointCoordinate end = joint_coordinate(played.model, played.summary.end, played.model.description().joints[0]);
  EXPECT_EQ(played.summary.status, RunStatus::solved);
  EXPECT_NEAR(end.value, -30 * kDegree, 1e-10);
  EXPECT_NEAR(end.rate, 0, 1e-10);
  EXPECT_EQ(played.summary.accumulation_times.size(), 1u);
}

TEST(Stops, ASliderBetweenStopsIsABallBetweenWalls) {
  const Played ball = play(R"toml(
    dimension = 1
    duration = 40
    law = "newton"
    [[body]]
    name = "ball"
    shape = {type = "sphere", radius = 0.5}
    mass = 3
    velocity = 2
    [[wall]]
    name = "left"
    shape = {type = "plane", normal = 1}
    position = -1.5
    [[wall]]
    name = "right"
    shape = {type = "plane", normal = -1}
    position = 1.5
    [contact]
    e = 0.7
  )toml");
  const Played slider = play(kSlider);
  ASSERT_EQ(slider.seen.impacts.size(), ball.seen.impacts.size());
  ASSERT_GE(slider.seen.impacts.size(), 5u);
  for (std::size_t k = 0; k < ball.seen.impacts.size(); ++k) {
    EXPECT_NEAR(slider.seen.impacts[k].t, ball.seen.impacts[k].t, 1e-10 * ball.seen.impacts[k].t);
    EXPECT_NEAR(slider.seen.impacts[k].Lambda[0], ball.seen.impacts[k].Lambda[0], 1e-9);
  }
  EXPECT_NEAR(slider.summary.end.q[0], ball.summary.end.q[0], 1e-9);
  EXPECT_NEAR(slider.summary.ledger.dissipated_impacts, ball.summary.ledger.dissipated_impacts, 1e-9);
}

TEST(Stops, InTimeStepsASliderKeepsBetweenItsStops) {
  const Played played = play(kSlider, {"scheme.name=time-stepping", "scheme.step=0.001", "duration=3"});
  for (const State& state : played.seen.states) EXPECT_LE(std::abs(state.q[0]), 1 + 1e-6);
  ASSERT_GE(played.seen.impacts.size(), 2u);
  EXPECT_NEAR(played.summary.end.u[0], 0.49 * 2, 1e-9);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-9 * played.summary.ledger.start);
}

TEST(Stops, InTimeStepsAPendulumBouncesAsBetweenEvents) {
  const Played events = play(kPendulum, {"duration=0.9"}),
               steps = play(kPendulum, {"duration=0.9", "scheme.name=time-stepping", "scheme.step=0.0001"});
  EXPECT_NEAR(steps.summary.end.u[2], events.summary.end.u[2], 2e-3);
  EXPECT_NEAR(steps.summary.end.q[2], events.summary.end.q[2], 2e-3);
  ASSERT_EQ(steps.seen.impacts.size(), events.seen.impacts.size());
}

TEST(Stops, AMirroredPendulumMovesAsTheMirrorShows) {
  const Played one = play(kPendulum),
               other = play(kPendulum, {"body[0].position=[\"0.5*sin(pi/3)\", \"-0.5*cos(pi/3)\"]", "joint[0].start=60",
                                        "joint[0].limits=[0, 170]"});
  ASSERT_EQ(one.seen.impacts.size(), other.seen.impacts.size());
  for (std::size_t k = 0; k < one.seen.impacts.size(); ++k) {
    EXPECT_NEAR(one.seen.impacts[k].t, other.seen.impacts[k].t, 1e-10);
    EXPECT_NEAR(one.seen.impacts[k].Lambda[0], other.seen.impacts[k].Lambda[0], 1e-10);
  }
  EXPECT_NEAR(one.summary.end.q[0], -other.summary.end.q[0], 1e-10);
  EXPECT_NEAR(one.summary.end.q[2], -other.summary.end.q[2], 1e-10);
}

TEST(Stops, WhoIsNamedFirstDoesNotMatter) {
  std::string text = kPendulum;
  text.replace(text.find("body = \"bob\""), 12, "bodies = [\"bob\", \"world\"]");
  const Played one = play(kPendulum), other = play(text, {"joint[0].start=60", "joint[0].limits=[0, 170]"});
  ASSERT_EQ(one.seen.impacts.size(), other.seen.impacts.size());
  EXPECT_NEAR(one.summary.end.q[2], other.summary.end.q[2], 1e-10);
  EXPECT_NEAR(one.seen.impacts[0].Lambda[0], other.seen.impacts[0].Lambda[0], 1e-10);
}

TEST(Stops, InSpaceAPendulumMovesAsInThePlane) {
  const Played plane = play(kPendulum), space = play(R"toml(
    dimension = 3
    gravity = [0, -9.81, 0]
    duration = 4
    law = "newton"
    [[body]]
    name = "bob"
    mass = 2
    inertia = [0.3, 0.2, 0.1]
    position = ["-0.5*sin(pi/3)", "-0.5*cos(pi/3)", 0]
    [[joint]]
    name = "hip"
    type = "revolute"
    body = "bob"
    at = [0, 0, 0]
    axis = [0, 0, 1]
    start = -60
    limits = [-170, 0]
    e = 0.8
  )toml");
  ASSERT_EQ(plane.seen.impacts.size(), space.seen.impacts.size());
  for (std::size_t k = 0; k < plane.seen.impacts.size(); ++k) {
    EXPECT_NEAR(plane.seen.impacts[k].t, space.seen.impacts[k].t, 1e-9);
    EXPECT_NEAR(plane.seen.impacts[k].Lambda[0], space.seen.impacts[k].Lambda[0], 1e-8);
  }
  EXPECT_NEAR(plane.summary.end.q[0], space.summary.end.q[0], 1e-8);
}

TEST(Stops, AStopAndTheGroundAreOneImpact) {
  // The rail ends where the ball lands.
  const std::string text = R"toml(
    gravity = 9.81
    duration = 0.6
    law = "newton"
    [[body]]
    name = "ball"
    shape = {type = "disc", radius = 0.1}
    mass = 2
    position = [0, 1.1]
    [[wall]]
    name = "floor"
    shape = "plane"
    [contact]
    e = 0.5
    [[joint]]
    name = "rail"
    type = "prismatic"
    body = "ball"
    axis = [0, 1]
    limits = [-1, 5]
    e = 0.5
  )toml";
  const Played played = play(text);
  ASSERT_EQ(played.seen.impacts.size(), 1u);
  const Watched::Impact& impact = played.seen.impacts[0];
  ASSERT_EQ(impact.gamma_minus.size(), 2);
  const double v = std::sqrt(2 * kStandardGravity);
  EXPECT_NEAR(impact.t, std::sqrt(2 / kStandardGravity), 1e-10);
  for (const Index i : {0, 1}) EXPECT_NEAR(impact.gamma_plus[i], 0.5 * v, 1e-9);
  EXPECT_NEAR(impact.Lambda.sum(), 2 * 1.5 * v, 1e-9);
  EXPECT_NEAR(impact.Lambda[0], impact.Lambda[1], 1e-9) << "neither is preferred";
}

TEST(Stops, AFoldingLegHitsTheGroundAndItsStopAtOnce) {
  // Two rods; the lower one turns towards its stop and reaches it as its foot lands.
  const Played played = play(R"toml(
    duration = 0.2
    law = "newton"
    [[body]]
    name = "thigh"
    mass = 2
    inertia = 0.05
    position = [0, 1.5]
    velocity = [0, -4]
    [[body]]
    name = "shank"
    shape = {type = "disc", radius = 0.1, position = [0, -0.5], name = "foot"}
    mass = 1
    inertia = 0.02
    centre_of_mass = [0, 0]
    position = [0, 0.7]
    velocity = [0, -1]
    [[wall]]
    name = "floor"
    shape = "plane"
    [contact]
    e = 0.4
    [[joint]]
    name = "knee"
    type = "prismatic"
    bodies = ["thigh", "shank"]
    axis = [0, 1]
    limits = [-1, 0.3]
    e = 0.6
  )toml");
  // the foot is 0.1 m above the floor at 1 m/s, the knee 0.3 m before its stop at 3 m/s: both at t = 0.1 s
  ASSERT_GE(played.seen.impacts.size(), 1u);
  const Watched::Impact& impact = played.seen.impacts[0];
  EXPECT_NEAR(impact.t, 0.1, 1e-9);
  ASSERT_EQ(impact.gamma_minus.size(), 2);
  for (const Index i : {0, 1}) {
    const double e = std::abs(impact.gamma_minus[i] + 3) < 1e-6 ? 0.6 : 0.4;
    EXPECT_NEAR(impact.gamma_plus[i], -e * impact.gamma_minus[i], 1e-8);
  }
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-9);
}

TEST(Stops, InThePlaneFullTurnsCount) {
  const Played played = play(R"toml(
    duration = 3
    law = "newton"
    [[body]]
    name = "wheel"
    mass = 1
    inertia = 1
    angular_velocity = 10
    [[joint]]
    name = "axle"
    type = "revolute"
    body = "wheel"
    at = [0, 0]
    limits = [-10, 1000]
    e = 1
  )toml");
  ASSERT_EQ(played.seen.impacts.size(), 1u);
  EXPECT_NEAR(played.seen.impacts[0].t, 1000 * kDegree / 10, 1e-10);
}

TEST(Stops, InSpaceFullTurnsAreRefusedAndAFastWheelIsCaught) {
  const std::string wheel = R"toml(
    dimension = 3
    duration = 3
    law = "newton"
    [[body]]
    name = "wheel"
    mass = 1
    inertia = [1, 1, 1]
    angular_velocity = [0, 0, 100]
    [[joint]]
    name = "axle"
    type = "revolute"
    body = "wheel"
    at = [0, 0, 0]
    axis = [0, 0, 1]
    limits = [-10, 300]
    e = 1
  )toml";
  const Played played = play(wheel);
  ASSERT_GE(played.seen.impacts.size(), 50u);
  EXPECT_NEAR(played.seen.impacts[0].t, 300 * kDegree / 100, 1e-10);
  EXPECT_NEAR(played.seen.impacts[1].t, 610 * kDegree / 100, 1e-10);
  EXPECT_THROW(play(wheel, {"joint[0].limits=[-10, 1000]"}), InputError);
}

TEST(Stops, BeyondThemAtTheStartIsAnError) {
  EXPECT_THROW(play(kPendulum, {"joint[0].limits=[-50, 0]"}), InputError);
}

TEST(Stops, AreRefusedUnderContactForces) {
  const std::string message = [] {
    try {
      play(kSlider, {"law=compliant", "scheme.name=compliant"});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  EXPECT_NE(message.find("no stops of joints"), std::string::npos) << message;
}

TEST(Stops, UnitsDoNotMatter) {
  // the same slider in millimetres and grams
  const Played metres = play(kSlider),
               millimetres = play(kSlider, {"body[0].mass=3000", "body[0].inertia=1e9", "body[0].velocity=[2000, 0]",
                                            "joint[0].limits=[-1000, 1000]"});
  ASSERT_EQ(metres.seen.impacts.size(), millimetres.seen.impacts.size());
  EXPECT_NEAR(metres.summary.end.q[0], 1e-3 * millimetres.summary.end.q[0], 1e-12);
}

}  // namespace
}  // namespace carom::testing
