// Bounces whose restitution depends on their speed, and contacts that are pressed at the start.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/contact_rules.h"
#include "carom/simulate/end_of_bounces.h"
#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kFreeFall = 9.81;

Played drop(const std::string& e, double duration, const std::string& more = "law = \"newton\"") {
  return play("gravity = 9.81\nduration = " + std::to_string(duration) + "\n" + more + R"(
    [[body]]
    name = "ball"
    shape = {type = "sphere", radius = 0.1}
    mass = 2
    position = [0, 1.1]
    [[wall]]
    name = "floor"
    shape = "plane"
    [contact]
    k = 1e6
    e = )" + e);
}

TEST(Bounces, FollowTheRecursionOfTheirHeights) {
  const auto e_of = [](double v) { return 1 - 0.1 * std::pow(v, 0.25); };
  for (const std::string law : {"law = \"newton\"", "law = \"lzb\"", "law = \"poisson\""}) {
    const Played played = drop("{alpha = 0.1, m = 0.25}", 12, law);
    double h = 1, t = std::sqrt(2 * h / kFreeFall);
    ASSERT_GT(played.seen.impacts.size(), 20u);
    for (std::size_t k = 0; k < 20; ++k) {
      const double v = std::sqrt(2 * kFreeFall * h);
      EXPECT_NEAR(played.seen.impacts[k].t, t, 1e-7) << law << ", impact " << k;
      EXPECT_NEAR(-played.seen.impacts[k].gamma_minus[0], v, 1e-7);
      h *= e_of(v) * e_of(v);
      t += 2 * std::sqrt(2 * h / kFreeFall);
    }
    EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-8 * played.summary.ledger.start);
  }
}

TEST(Bounces, ComeToAnEndThatIsKnownWhereLossesVanishSlowlyEnough) {
  const RestitutionFunction e{{RestitutionFunction::SpeedPower{0.3, 0.25}}};
  const Played played = drop("{alpha = 0.3, m = 0.25}", 20);
  double v = std::sqrt(2 * kFreeFall), t = v / kFreeFall;
  for (int k = 0; k < 3'000'000; ++k) {
    v *= e.at(v, 0);
    t += 2 * v / kFreeFall;
  }
  ASSERT_EQ(played.summary.accumulation_times.size(), 1u);
  EXPECT_NEAR(played.summary.accumulation_times[0], t, 1e-6);
  EXPECT_EQ(played.summary.status, RunStatus::solved);
  EXPECT_NEAR(played.summary.end.q[1], 0.1, 1e-9);
}

TEST(Bounces, WithoutAnEndAreTakenAsRestBelowAStatedSpeed) {
  const Played played = drop("{alpha = 0.2, m = 1}", 30);
  EXPECT_EQ(played.summary.accumulation_times.size(), 0u);
  EXPECT_LT(played.summary.impacts, 50'000);
  EXPECT_NEAR(played.summary.end.q[1], 0.1, 1e-6);
  bool said = false;
  for (const RunEvent& event : played.seen.events)
    said = said || (event.kind == RunEvent::Kind::accumulation && event.detail.find("for ever") != std::string::npos);
  EXPECT_TRUE(said);
}

TEST(Bounces, OfAYieldingBallEndAtTheSpeedOfYield) {
  const Played played = drop("{yield_speed = 0.5}", 20);
  EXPECT_NEAR(played.seen.impacts.back().gamma_plus[0], 0.5, 1e-3);
}

TEST(Bounces, InTimeStepsHaveTheSameRestitution) {
  const Played played = drop("{speeds = [1, 5], values = [0.9, 0.3]}", 1,
                             "law = \"newton\"\nscheme = {name = \"time-stepping\", step = 1e-4}");
  const double v = std::sqrt(2 * kFreeFall), e = 0.9 - 0.6 * (v - 1) / 4;
  ASSERT_GT(played.seen.impacts.size(), 0u);
  EXPECT_NEAR(played.seen.impacts[0].gamma_plus[0], e * v, 1e-2);
}

TEST(Bounces, UnderContactForcesHaveTheRestitutionOfTheirTouch) {
  const Played played =
      drop("{alpha = 0.1, m = 0.5}", 1, "law = {name = \"compliant\", force = \"exact\"}\nscheme = \"compliant\"");
  const double v = std::sqrt(2 * kFreeFall);
  ASSERT_GT(played.seen.closures.size(), 0u);
  double fastest = 0;  // after the touch
  for (std::size_t i = 0; i < played.seen.states.size(); ++i) fastest = std::max(fastest, played.seen.states[i].u[1]);
  EXPECT_LE(fastest, v * (1 - 0.1 * std::sqrt(v)) * 1.01);
  EXPECT_GE(fastest, v * (1 - 0.1 * std::sqrt(v)) * 0.95);
}

TEST(RestOfBounces, IsTheSumOfAGeometricSeriesOrHasNoEnd) {
  const RestitutionFunction constant{{constant_restitution(0.8)}};
  EXPECT_NEAR(*rest_of_bounces(constant, 2, 1), 4, 1e-12);
  EXPECT_FALSE(rest_of_bounces({{RestitutionFunction::SpeedPower{0.1, 1}}}, 1, 1));
  EXPECT_FALSE(rest_of_bounces({{RestitutionFunction::SpeedPower{0.1, 2}}}, 1, 1));
  EXPECT_FALSE(rest_of_bounces({{RestitutionFunction::Yield{0.1}}}, 1, 1));
  EXPECT_TRUE(rest_of_bounces({{RestitutionFunction::SpeedPower{0.1, 0.5}}}, 1, 1));
}

TEST(Preload, IsInContactsThatTouchAtTheStartAndIsReleasedOnce) {
  const std::string scene = R"(
    duration = 1
    gravity = 0
    dimension = 1
    law = "lzb"
    [[body]]
    name = "a"
    shape = {type = "sphere", radius = 0.1}
    mass = 1
    position = -0.3
    velocity = 1
    [[body]]
    name = "b"
    shape = {type = "sphere", radius = 0.1}
    mass = 1
    position = 0
    [[body]]
    name = "c"
    shape = {type = "sphere", radius = 0.1}
    mass = 2
    position = 0.2
    [contact]
    e = 0.9
    k = 1e5
    eta = 1
    [[pair]]
    bodies = ["b", "c"]
    )";
  ImpactProblem problem = chain(vector({1, 1, 2}), vector({1, 0, 0}), 0.9);
  for (Contact& contact : problem.contacts) {
    contact.k = 1e5;
    contact.eta = 1;
  }
  problem.contacts[1].E0 = 0.2;  // F^2 / (2 k)
  const ImpactOutcome expected = solve(problem, Lzb{});
  for (const std::string preload : {"E0 = 0.2", "preload = 200"}) {
    const Played played = play(scene + preload);
    EXPECT_VECTOR_NEAR(played.summary.end.u, expected.u_plus, 1e-8);
    EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-8) << preload;
  }
  EXPECT_GT((play(scene + "mu = 0").summary.end.u - expected.u_plus).norm(), 1e-3);
}

}  // namespace
}  // namespace carom::testing
