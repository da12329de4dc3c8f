// Forces of lasting contact and of joints against closed forms, in every scheme that has them.

#include <cmath>
#include <numbers>
#include <string>

#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kWeight = 9.81;

class ToldForces : public ::testing::TestWithParam<const char*> {
 protected:
  std::string scheme() const { return std::string("scheme = ") + GetParam() + "\n"; }
  bool steps() const { return std::string(GetParam()).find("time-stepping") != std::string::npos; }
  double accuracy() const { return steps() ? 2e-3 : 1e-7; }
};

TEST_P(ToldForces, TheJointsOfAHangingChainCarryWhatHangsBelow) {
  const std::string links = [] {
    std::string text;
    for (int i = 0; i < 5; ++i)
      text += "[[body]]\nname = \"link" + std::to_string(i) +
              "\"\nshape = {type = \"box\", size = [0.02, 0.1, 0.02]}\n" + "mass = 0.3\nposition = [0, " +
              std::to_string(-0.05 - 0.1 * i) + "]\n" + "[[joint]]\nname = \"pin" + std::to_string(i) +
              "\"\ntype = \"revolute\"\nbodies = [\"" +
              (i == 0 ? std::string("world") : "link" + std::to_string(i - 1)) + "\", \"link" + std::to_string(i) +
              "\"]\nat = [0, " + std::to_string(-0.1 * i) + "]\n";
    return text;
  }();
  const Played played = play("gravity = 9.81\nduration = 0.1\nlaw = \"newton\"\n" + scheme() + links);
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  ASSERT_FALSE(played.seen.joint_forces.empty());
  for (std::size_t k = steps() ? 1 : 0; k < played.seen.joint_forces.size(); ++k) {  // the first follow a step
    const std::vector<JointForce>& now = played.seen.joint_forces[k];
    ASSERT_EQ(now.size(), 5U);
    for (int i = 0; i < 5; ++i) {
      EXPECT_NEAR(now[i].force.y(), 0.3 * kWeight * (5 - i), 0.3 * kWeight * accuracy()) << i;
      EXPECT_NEAR(now[i].force.x(), 0, 1e-9);
      EXPECT_NEAR(now[i].torque.norm(), 0, 1e-9);
      EXPECT_TRUE(now[i].unique);
    }
  }
}

TEST_P(ToldForces, APendulumIsHeldByItsWeightAndItsSpeed) {
  const Played played = play("gravity = 9.81\nduration = 1.3\nlaw = \"newton\"\n" + scheme() + R"(
[[body]]
name = "bob"
shape = {type = "sphere", radius = 0.05}
mass = 2
position = [0.6, -0.8]
[[joint]]
name = "string"
type = "pendulum"
body = "bob"
at = [0, 0]
)");
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  for (std::size_t i = 1; i < played.seen.states.size(); ++i) {
    const State& state = played.seen.states[i];
    const double x = state.q[0], y = state.q[1], v2 = state.u[0] * state.u[0] + state.u[1] * state.u[1];
    const double tension = 2 * (v2 - kWeight * y);  // m (v^2 / l + g cos), l = 1
    const Vector3 force = played.seen.joint_forces.at(i)[0].force;
    EXPECT_NEAR(force.x(), -tension * x, 40 * (steps() ? 5e-3 : 1e-7)) << state.t;
    EXPECT_NEAR(force.y(), -tension * y, 40 * (steps() ? 5e-3 : 1e-7)) << state.t;
  }
}

TEST_P(ToldForces, ABlockOnASlopeIsHeldOrSlides) {
  for (const double mu : {0.8, 0.2}) {
    const double angle = 30 * std::numbers::pi / 180;
    const Played played = play("gravity = 9.81\nduration = 0.2\nlaw = \"newton\"\n" + scheme() +
                               "contact = {e = 0, mu = " + std::to_string(mu) + R"(}
[[wall]]
name = "slope"
shape = {type = "plane", normal = [-0.5, 0.8660254037844386]}
[[body]]
name = "block"
shape = {type = "box", size = [0.4, 0.1, 0.1]}
mass = 3
position = [-0.025, 0.04330127018922193]
angle = 30
)");
    ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
    ASSERT_GT(played.seen.forces.size(), 10U);
    const std::vector<ContactForce>& last = played.seen.forces.back();
    ASSERT_EQ(last.size(), 2U);
    const double sign = last[0].parts.body_a == 0 ? -1 : 1;  // friction is told as it acts on b
    double N = 0, T = 0;
    for (const ContactForce& one : last) {
      N += one.force;
      T += sign * one.tangential.dot(Vector3(std::cos(angle), std::sin(angle), 0));
      EXPECT_EQ(word_for(one.mode), mu > 0.5 ? "stick" : "slip");
      EXPECT_GE(one.force, 0);
    }
    EXPECT_NEAR(N, 3 * kWeight * std::cos(angle), 3 * kWeight * accuracy());
    EXPECT_NEAR(T, mu > 0.5 ? 3 * kWeight * std::sin(angle) : mu * N, 3 * kWeight * accuracy());
    if (mu < 0.5) {
      EXPECT_GT(last[0].slip.norm(), 0.5);
    }
  }
}

TEST_P(ToldForces, ALadderLeansOnASmoothWall) {
  const double angle = 60 * std::numbers::pi / 180, m = 5;
  const Played played = play("gravity = 9.81\nduration = 0.1\nlaw = \"newton\"\n" + scheme() + R"(
[[wall]]
name = "floor"
shape = {type = "plane", normal = [0, 1]}
[[wall]]
name = "side"
shape = {type = "plane", normal = [-1, 0]}
position = [1.0, 0]
[[body]]
name = "ladder"
shape = {type = "polygon", corners = [[-1, 0], [1, -0.0], [0, 1e-4]]}
mass = 5
inertia = 1.6666
position = [0.5, 0.8660254037844386]
angle = 60
[[pair]]
bodies = ["ladder", "floor"]
mu = 0.9
e = 0
[[pair]]
bodies = ["ladder", "side"]
mu = 0
e = 0
)");
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  double floor = 0, side = 0;
  for (const ContactForce& one : played.seen.forces.back())
    (std::abs(one.normal.y()) > 0.5 ? floor : side) += one.force;
  EXPECT_NEAR(floor, m * kWeight, m * kWeight * std::max(accuracy(), 1e-4));
  EXPECT_NEAR(side, 0.5 * m * kWeight / std::tan(angle), m * kWeight * std::max(accuracy(), 1e-3));
}

TEST_P(ToldForces, FourLegsShareATableInNoSingleWay) {
  const Played played = play("gravity = 9.81\nduration = 0.05\ndimension = 3\nlaw = \"newton\"\n" + scheme() + R"(
contact = {e = 0, mu = 0.4}
[[wall]]
name = "floor"
shape = {type = "plane", normal = [0, 0, 1]}
[[body]]
name = "table"
mass = 8
shape = {type = "box", size = [1, 0.6, 0.7]}
position = [0, 0, 0.35]
)");
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  const std::vector<ContactForce>& last = played.seen.forces.back();
  ASSERT_EQ(last.size(), 4U);
  double N = 0;
  Vector3 moment = Vector3::Zero();
  for (const ContactForce& one : last) {
    const double sign = one.normal.z() > 0 ? 1 : -1;
    N += one.force;
    moment += one.point.cross(sign * one.force * one.normal);
    EXPECT_FALSE(one.unique);
    EXPECT_GE(one.force, 0);
  }
  EXPECT_NEAR(N, 8 * kWeight, 8 * kWeight * accuracy());
  EXPECT_NEAR(moment.head<2>().norm(), 0, 8 * kWeight * 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Schemes, ToldForces,
                         ::testing::Values("\"event-driven\"", "{name = \"time-stepping\", step = 1e-3}"),
                         [](const auto& one) { return one.index == 0 ? "EventDriven" : "TimeStepping"; });

TEST(RunEvents, TellWhatContactsDo) {
  const Played played = play(R"toml(
gravity = 9.81
duration = 3
law = "newton"
contact = {e = 0, mu = 0.5}
[[wall]]
name = "floor"
shape = {type = "plane", normal = [0, 1]}
[[body]]
name = "block"
shape = {type = "box", size = [0.2, 0.1, 0.1]}
mass = 1
position = [0, 0.05]
velocity = [2, 0]
[[force]]
body = "block"
force = [0, "40*step(t-2)"]
)toml");
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  std::vector<std::string> words;
  double stopped = 0;
  for (const RunEvent& event : played.seen.events) {
    if (words.empty() || words.back() != word(event.kind)) words.emplace_back(word(event.kind));
    if (event.kind == RunEvent::Kind::sticks) stopped = event.t;
    EXPECT_EQ(event.what, "block-floor");
  }
  EXPECT_EQ(words, (std::vector<std::string>{"closes", "sticks", "opens"}));
  EXPECT_NEAR(stopped, 2 / (0.5 * kWeight), 1e-9);
}

}  // namespace
}  // namespace carom::testing
