// What ends a run before its duration, and forces that read the state.

#include <cmath>
#include <numbers>
#include <string>

#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

const std::string kThrown = R"toml(
gravity = 10
duration = 5
[[body]]
name = "ball 1"
shape = {type = "sphere", radius = 0.1}
mass = 2
position = [0, 2]
velocity = [3, 4]
)toml";

TEST(Stop, IsFoundToRoundingWhereAConditionComesTrue) {
  const std::string stop = "[stop]\nlanded = \"[ball 1].y < 0.2\"\n";
  const Played played = play(kThrown + stop);
  EXPECT_EQ(played.summary.status, RunStatus::stopped);
  EXPECT_EQ(played.summary.stop, "landed");
  const double t = (4 + std::sqrt(16 + 20 * 1.8)) / 10;  // 2 + 4 t - 5 t^2 = 0.2
  EXPECT_NEAR(played.summary.t_end, t, 1e-11);
  EXPECT_NEAR(played.seen.states.back().t, t, 1e-11) << "the end is recorded";
  EXPECT_NEAR(played.seen.states.back().q[1], 0.2, 1e-10);
  EXPECT_TRUE(played.summary.message.starts_with("ball 1 landed ([ball 1].y < 0.2) at t = ")) << played.summary.message;
  ASSERT_FALSE(played.seen.events.empty());
  EXPECT_EQ(played.seen.events.back().kind, RunEvent::Kind::stop);
}

TEST(Stop, InFixedStepsIsTheEndOfAStep) {
  const Played played =
      play(kThrown + "[scheme]\nname = \"time-stepping\"\nstep = 1e-3\n[stop]\nhigh = \"[ball 1].y > 2.5\"\n");
  EXPECT_EQ(played.summary.status, RunStatus::stopped);
  const double t = (4 - std::sqrt(16 - 20 * 0.5)) / 10;
  EXPECT_NEAR(played.summary.t_end, t, 1.1e-3);
  EXPECT_GE(played.summary.t_end, t - 1e-9);
}

TEST(Stop, ComesAfterANumberOfImpactsOrWhenEverythingRests) {
  const std::string floor = "[[wall]]\nname = \"floor\"\nshape = \"plane\"\n";
  const Played bounced =
      play("law = \"newton\"\ncontact = {e = 0.5, mu = 0.4}\n" + kThrown + floor + "[stop]\nimpacts = 3\n");
  EXPECT_EQ(bounced.summary.impacts, 3);
  EXPECT_EQ(bounced.summary.stop, "impacts");
  const Played rests = play("law = \"newton\"\ncontact = {e = 0.5}\n" + kThrown + floor + "[stop]\nat_rest = 1e-3\n",
                            {"body[0].velocity=[0, 0]"});
  EXPECT_EQ(rests.summary.stop, "at_rest");
  const double fall = std::sqrt(2 * 1.9 / 10.0);  // and its bounces, each half as long as the one before
  EXPECT_NEAR(rests.summary.t_end, fall + 2 * fall * 0.5 / 0.5 + 0.05, 0.06);
}

TEST(StateForce, ASpringOfFormulasIsASpring) {
  const std::string body = R"toml(
duration = 3
dimension = 1
[[body]]
name = "a"
mass = 2
position = 0.3
)toml";
  for (const char* scheme : {"", "scheme = {name = \"time-stepping\", step = 1e-3}\n"}) {
    const Played played = play(scheme + body + "[[force]]\nbody = \"a\"\nforce = \"-50*a.x - 2*a.vx\"\n");
    const Played spring = play(
        scheme + body + "[[spring]]\nbodies = [\"world\", \"a\"]\nk = 50\nc = 2\nrest = 0\npoints = [[-100], [0.3]]\n",
        {"spring[0].rest=100"});
    EXPECT_EQ(played.summary.status, RunStatus::solved);
    const double w = std::sqrt(25 - 0.25), t = 3;
    const double x = 0.3 * std::exp(-0.5 * t) * (std::cos(w * t) + 0.5 / w * std::sin(w * t));
    EXPECT_NEAR(played.summary.end.q[0], x, *scheme ? 1e-4 : 1e-9);
    EXPECT_NEAR(spring.summary.end.q[0], x, *scheme ? 1e-4 : 1e-9);
    EXPECT_NEAR(played.summary.ledger.error(), 0, *scheme ? 1e-9 : 1e-9);
  }
}

TEST(Accelerogram, ABlockThatStaysOnItsFloorIsCarriedAlong) {
  const Played played = play(R"toml(
gravity = 9.81
duration = 2
law = "newton"
contact = {mu = 0.9, e = 0}
[[wall]]
name = "floor"
shape = "plane"
acceleration = ["2*sin(3*t)", 0]
[[body]]
name = "block"
shape = {type = "box", size = [1, 0.2, 1]}
mass = 10
position = [0, 0.1]
)toml");
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  for (const State& state : played.seen.states)
    EXPECT_NEAR(state.q[0], 2.0 / 3 * state.t - 2.0 / 9 * std::sin(3 * state.t), 1e-8);
  double T = 0;
  for (const ContactForce& one : played.seen.forces.back()) T += one.tangential.x() * (one.parts.body_a == 0 ? -1 : 1);
  EXPECT_NEAR(T, 10 * 2 * std::sin(6), 1e-6);
}

}  // namespace
}  // namespace carom::testing
