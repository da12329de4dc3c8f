// Friction that depends on the direction, in scenes: closed forms of sliding, holding and impacts.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "carom/scene/error.h"
#include "simulate/running.h"
#include "support.h"

namespace carom::testing {
namespace {

constexpr double kGrainGravity = 10, kAlong = 0.1, kAcross = 0.5;

/// A flat box on a plane. `turned` [rad] is the direction of the runners in the plane; `tilt` [rad] the slope, down x.
struct Sledge {
  double turned = 0, tilt = 0;
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();
  double duration = 0.5;
  bool grain_of_floor = false;
  std::string more = "";
  std::string mu = fmt::format("[{}, {}]", kAlong, kAcross);

  std::string scene() const {
    const std::string grain = fmt::format("grain = [{:.17g}, {:.17g}, 0]\n", std::cos(turned), std::sin(turned));
    return fmt::format(
        "law = \"newton\"\ndimension = 3\nduration = {}\ngravity = [{:.17g}, 0, {:.17g}]\ncontact = {{mu = {}}}\n{}\n"
        "[[body]]\nname = \"sledge\"\nshape = {{type = \"box\", size = [1, 1, 0.1]}}\nmass = 2\n"
        "position = [0, 0, 0.05]\nvelocity = [{:.17g}, {:.17g}, 0]\n{}"
        "[[wall]]\nname = \"floor\"\nshape = {{type = \"plane\", normal = [0, 0, 1]}}\n{}",
        duration, kGrainGravity * std::sin(tilt), -kGrainGravity * std::cos(tilt), mu, more, velocity.x(), velocity.y(),
        grain_of_floor ? "" : grain, grain_of_floor ? grain : "");
  }

  Eigen::Rotation2Dd frame() const { return Eigen::Rotation2Dd(turned); }
};

const std::string kSteps = "scheme = {name = \"time-stepping\", step = 5e-4, accuracy = 0}\n";

/// Velocity along and across the runners.
Eigen::Vector2d in_runners(const Sledge& sledge, const Vector& u) {
  return sledge.frame().inverse() * Eigen::Vector2d(u[0], u[1]);
}

TEST(Grain, SledgeRunsOnAlongItsRunners) {  // v_2 / v_2(0) = (v_1 / v_1(0))^(mu_2^2 / mu_1^2), for any start
  const double power = kAcross * kAcross / (kAlong * kAlong);
  for (const std::string& scheme : {std::string(), kSteps})
    for (const double turned : {0.0, std::numbers::pi / 6, -2.0})
      for (const bool floor : {false, true}) {
        Sledge sledge{
            .turned = turned, .velocity = {2, 0.7}, .duration = 0.12, .grain_of_floor = floor, .more = scheme};
        const Eigen::Vector2d before = sledge.frame().inverse() * sledge.velocity;
        const Played played = play(sledge.scene());
        const Eigen::Vector2d after = in_runners(sledge, played.summary.end.u);
        const double expected = before[1] * std::pow(after[0] / before[0], power);
        EXPECT_NEAR(after[1], expected, scheme.empty() ? 1e-8 : 4e-3) << scheme << turned << floor;
        EXPECT_LT(after.norm(), before.norm());
        EXPECT_NEAR(played.summary.end.u.tail(4).norm(), 0, scheme.empty() ? 1e-8 : 1e-6) << "does not turn";
        EXPECT_NEAR(played.summary.ledger.error(), 0, scheme.empty() ? 1e-7 : 1e-2) << scheme;
      }
}

TEST(Grain, DecelerationIsThatOfMostDissipation) {  // g S^2 v / |S v|, 30 degrees off the runners
  const double a = std::numbers::pi / 6, c = std::cos(a), s = std::sin(a);
  const double size = std::hypot(kAlong * c, kAcross * s);
  const Eigen::Vector2d expected(kGrainGravity * kAlong * kAlong * c / size,
                                 kGrainGravity * kAcross * kAcross * s / size);
  Sledge sledge{.velocity = {1000 * c, 1000 * s}, .duration = 0.01};  // so fast that its direction stays
  const Eigen::Vector2d after = in_runners(sledge, play(sledge.scene()).summary.end.u);
  EXPECT_NEAR((sledge.velocity.x() - after[0]) / 0.01, expected[0], 1e-3);
  EXPECT_NEAR((sledge.velocity.y() - after[1]) / 0.01, expected[1], 1e-3);
}

TEST(Grain, HoldsWhatIsInsideTheEllipse) {  // tan^2 (c^2 / mu_1^2 + s^2 / mu_2^2) <= 1
  for (const std::string& scheme : {std::string(), kSteps})
    for (const double turned : {0.3, 0.9, 1.5}) {
      const double limit = 1 / std::hypot(std::cos(turned) / kAlong, std::sin(turned) / kAcross);
      const Sledge holds{.turned = turned, .tilt = std::atan(0.98 * limit), .more = scheme};
      const Sledge slips{.turned = turned, .tilt = std::atan(1.05 * limit), .more = scheme};
      EXPECT_LT(play(holds.scene()).summary.end.u.norm(), 1e-7) << turned << scheme;
      EXPECT_GT(play(slips.scene()).summary.end.u.norm(), 1e-3) << turned << scheme;
    }
}

TEST(Grain, StartsToSlipWhereTheForcesThatAreLeftPointAlongTheSlip) {  // a = g sin d - g cos S^2 v / |S v|, a || v
  const Sledge sledge{.turned = 1, .tilt = 0.5, .duration = 0.4};
  const Played played = play(sledge.scene());
  const Eigen::Vector2d v = in_runners(sledge, played.summary.end.u), S(kAlong, kAcross);
  const Eigen::Vector2d down = sledge.frame().inverse() * Eigen::Vector2d(kGrainGravity * std::sin(0.5), 0);
  const Eigen::Vector2d Sv = S.cwiseProduct(v);
  const Eigen::Vector2d a = down - kGrainGravity * std::cos(0.5) * S.cwiseProduct(Sv) / Sv.norm();
  EXPECT_NEAR(a[0] * v[1] - a[1] * v[0], 0, 1e-6 * a.norm() * v.norm());
  EXPECT_NEAR(v.norm(), 0.4 * a.norm(), 1e-6) << "and stays so";
}

TEST(Grain, EqualNumbersAreOneNumber) {
  const Sledge two{.turned = 0.4, .velocity = {1, 0.5}, .mu = "[0.3, 0.3]"}, one{.velocity = {1, 0.5}, .mu = "0.3"};
  EXPECT_VECTOR_NEAR(play(two.scene()).summary.end.q, play(one.scene()).summary.end.q, 1e-8);
}

/// A ball that meets the floor without spin: friction of its impact is in the ellipse, and takes most.
TEST(Grain, ImpactsSeeTheGrain) {
  for (const std::string law : {"newton", "lzb", "keller"}) {
    const Played played = play(fmt::format(R"(
      law = "{}"
      dimension = 3
      duration = 0.02
      contact = {{e = 0.5, mu = [0.05, 0.2]}}
      [[body]]
      shape = {{type = "sphere", radius = 0.1}}
      mass = 1
      position = [0, 0, 0.11]
      velocity = [100, 100, -1]
      [[wall]]
      shape = {{type = "plane", normal = [0, 0, 1]}}
      grain = [1, 0, 0]
    )",
                                           law));
    ASSERT_EQ(played.seen.impacts.size(), 1u) << law;
    const Vector change = played.seen.impacts[0].u_plus - played.seen.impacts[0].u_minus;
    const double size = std::hypot(0.05, 0.2);  // slip hardly turns
    EXPECT_NEAR(change[0], -1.5 * 0.05 * 0.05 / size, 2e-3) << law;
    EXPECT_NEAR(change[1], -1.5 * 0.2 * 0.2 / size, 2e-3) << law;
  }
}

TEST(Grain, TangentialRestitutionHasTwoDirections) {
  const Played played = play(R"(
    law = "tangential-restitution"
    dimension = 3
    duration = 0.02
    contact = {e = 0.5, e_t = [-1, 0.5]}
    [[body]]
    shape = {type = "sphere", radius = 0.1}
    mass = 1
    position = [0, 0, 0.11]
    velocity = [2, 3, -1]
    [[wall]]
    shape = {type = "plane", normal = [0, 0, 1]}
    grain = [1, 0, 0]
  )");
  ASSERT_EQ(played.seen.impacts.size(), 1u);
  const Vector u = played.seen.impacts[0].u_plus;
  EXPECT_NEAR(u[0], 2, 1e-12) << "along the grain slip stays as it is";
  EXPECT_NEAR(u[1] + 0.1 * u[3], -1.5, 1e-9) << "across it is reversed";
}

void expect_refused(const std::string& scene, const std::string& part) {
  try {
    play(scene);
    ADD_FAILURE() << "accepted: " << part;
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Grain, WhatCannotBeMeantIsRefused) {
  const Sledge sledge{.turned = 0.2};
  std::string scene = sledge.scene();
  const std::size_t at = scene.find("grain"), end = scene.find('\n', at);
  expect_refused(scene.substr(0, at) + scene.substr(end + 1), "give one of the bodies a `grain`");
  expect_refused(sledge.scene() + "grain = [1, 0, 0]\n", "both bodies have a `grain`");
  expect_refused(Sledge{.mu = "[0.1, 0.2, 0.3]"}.scene(), "along the grain and across it");
  expect_refused(Sledge{.mu = "[0.1, 0]"}.scene(), "mu[1]");
  std::string other = sledge.scene();
  other.replace(other.find("newton"), 6, "smith");
  expect_refused(other, "depends on the direction");
  expect_refused(
      "law = \"newton\"\nduration = 1\n[[body]]\nshape = {type = \"disc\", radius = 1}\nmass = 1\n"
      "grain = [1, 0]\n",
      "is for space");
}

TEST(Preload, IsForTheSchemeThatHasImpacts) {
  expect_refused(
      "law = \"newton\"\nduration = 1\nscheme = {name = \"time-stepping\", step = 1e-3}\ncontact = {E0 = 0.1}\n"
      "[[body]]\nshape = {type = \"disc\", radius = 1}\nmass = 1\nposition = [0, 1]\n"
      "[[wall]]\nshape = {type = \"plane\", normal = [0, 1]}\n",
      "a time step is no impact");
}

}  // namespace
}  // namespace carom::testing
