// What sticks holds up to mu_s, what slips has mu: closed forms of motion.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "simulate/running.h"
#include "support.h"

namespace carom::testing {
namespace {

constexpr double kEarth = 10, kMu = 0.3, kMuS = 0.6;

/// A block on a slope, at rest or pushed down it.
std::string on_slope(double angle, double velocity, const std::string& more = "") {
  return fmt::format(
      "law = \"newton\"\nduration = 1\ngravity = [{:.17g}, {:.17g}]\ncontact = {{mu = {}, mu_s = {}}}\n{}"
      "[[body]]\nname = \"block\"\nshape = {{type = \"rectangle\", size = [1, 0.2]}}\nmass = 2\nposition = [0, 0.1]\n"
      "velocity = [{}, 0]\n[[wall]]\nshape = \"plane\"\n",
      kEarth * std::sin(angle), -kEarth * std::cos(angle), kMu, kMuS, more, velocity);
}

TEST(HoldingFriction, ABlockOnASlopeStaysIfAtRestAndSlidesOnIfItMoves) {
  const double between = std::atan(0.45), steep = std::atan(0.7), flat = std::atan(0.2);
  const auto slides = [](double angle) { return kEarth * (std::sin(angle) - kMu * std::cos(angle)); };
  for (const std::string scheme : {"", "scheme = {name = \"time-stepping\", step = 1e-3, accuracy = 0}\n"}) {
    const double tolerance = scheme.empty() ? 1e-8 : 2e-3;
    EXPECT_NEAR(play(on_slope(between, 0, scheme)).summary.end.q[0], 0, 1e-10);
    const Played on = play(on_slope(between, 0.5, scheme));
    EXPECT_NEAR(on.summary.end.u[0], 0.5 + slides(between), tolerance) << scheme;
    EXPECT_NEAR(on.summary.end.q[0], 0.5 + 0.5 * slides(between), tolerance) << scheme;
    const Played lets_go = play(on_slope(steep, 0, scheme));
    EXPECT_NEAR(lets_go.summary.end.u[0], slides(steep), tolerance) << scheme;
    const Played stops = play(on_slope(flat, 0.5, scheme));
    EXPECT_NEAR(stops.summary.end.u.norm(), 0, 1e-9) << scheme;
    EXPECT_NEAR(stops.summary.end.q[0], 0.5 * 0.25 / -slides(flat), tolerance) << scheme;
  }
}

/// Up the slope the block stops and then stays, though it would slide on if it moved down.
TEST(HoldingFriction, ABlockThatStopsStays) {
  const double angle = std::atan(0.45), falls = kEarth * (std::sin(angle) + kMu * std::cos(angle));
  const Played played = play(on_slope(angle, -1));
  EXPECT_NEAR(played.summary.end.q[0], -0.5 / falls, 1e-8);
  EXPECT_NEAR(played.summary.end.u.norm(), 0, 1e-9);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-9);
}

/// A block on a belt of velocity V that a spring holds back. It sticks until k x = mu_s m g and then swings about
/// x = mu m g / k with amplitude a = (mu_s - mu) m g / k until it is as fast as the belt again:
///   period = 2 a / V + 2 (pi - atan(a w / V)) / w,   w^2 = k / m.
TEST(HoldingFriction, ABlockOnABeltSticksAndSlips) {
  const double m = 2, k = 200, V = 0.1, w = std::sqrt(k / m), a = (kMuS - kMu) * m * kEarth / k;
  const double period = 2 * a / V + 2 * (std::numbers::pi - std::atan(a * w / V)) / w;
  const Played played = play(fmt::format(R"(
    law = "newton"
    duration = 6
    gravity = {}
    contact = {{mu = {}, mu_s = {}}}
    [[body]]
    name = "block"
    shape = {{type = "rectangle", size = [0.4, 0.2]}}
    mass = {}
    position = [0, 0.1]
    velocity = [{}, 0]
    [[spring]]
    bodies = ["world", "block"]
    points = [[-1, 0.1], [0, 0.1]]
    k = {}
    rest = 1
    [[wall]]
    name = "belt"
    shape = "plane"
    velocity = [{}, 0]
  )",
                                         kEarth, kMu, kMuS, m, V, k, V));
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  std::vector<double> slips, sticks;
  for (const RunEvent& event : played.seen.events) {
    std::vector<double>& times = event.kind == RunEvent::Kind::slips ? slips : sticks;
    if (event.kind != RunEvent::Kind::slips && event.kind != RunEvent::Kind::sticks) continue;
    if (times.empty() || event.t > times.back() + 1e-6) times.push_back(event.t);  // both corners at once
  }
  ASSERT_GE(slips.size(), 3U);
  EXPECT_NEAR(slips[0], kMuS * m * kEarth / k / V, 1e-6);
  for (std::size_t i = 1; i < slips.size(); ++i) EXPECT_NEAR(slips[i] - slips[i - 1], period, 1e-6) << i;
}

/// Newton's law: the contact sticks after the impact if mu_s of its impulse is enough, else mu acts.
TEST(HoldingFriction, ABallThatFallsSlantwiseIsHeldByMuS) {
  for (const double slip : {0.5, 1.2, 3.0}) {
    const Played played = play(fmt::format(
        "law = \"newton\"\nduration = 0.05\ncontact = {{e = 0.5, mu = {}, mu_s = {}}}\n[[body]]\nname = \"ball\"\n"
        "shape = {{type = \"disc\", radius = 0.1}}\nmass = 1\nposition = [0, 0.11]\nvelocity = [{}, -1]\n"
        "[[wall]]\nshape = \"plane\"\n",
        kMu, kMuS, slip));
    ASSERT_EQ(played.seen.impacts.size(), 1U);
    const double P_n = 1.5, needed = slip / 3;  // a disc's contact moves 3 times as easily along as across
    const double P_t = needed <= kMuS * P_n ? needed : kMu * P_n;
    EXPECT_NEAR(played.seen.impacts[0].u_plus[0], slip - P_t, 1e-9) << slip;
  }
}

}  // namespace
}  // namespace carom::testing
