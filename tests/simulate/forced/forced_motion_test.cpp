// The scheme compliant: motion under contact forces, located and in fixed steps.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/geometry/hertz.h"
#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

struct SphereCase {  // Chung and Ooi 2011, tests 1 and 2: printed to five figures
  const char* name;
  double E, nu, density, radius, speed;
  bool on_plate;
  double depth, force, duration;
};

std::string spheres(const SphereCase& test) {
  const std::string material = fmt::format(R"(
    gravity = 0
    dimension = 3
    duration = {}
    law = {{name = "compliant", force = "power"}}
    scheme = "compliant"
    [materials.ball]
    E = {}
    nu = {}
    density = {}
    e = 1
    [[body]]
    name = "a"
    material = "ball"
    shape = {{type = "sphere", radius = {}}}
    position = [0, 0, {}]
    velocity = [0, 0, {}]
)",
                                           1.5 * test.duration, test.E, test.nu, test.density, test.radius,
                                           test.radius * (1 + 1e-6), -test.speed);
  if (test.on_plate)
    return material + R"(
    [materials.rigid]
    E = 1e25
    nu = 0.3
    [[wall]]
    name = "plate"
    material = "rigid"
    shape = {type = "plane", normal = [0, 0, 1]}
)";
  return material + fmt::format(R"(
    [[body]]
    name = "b"
    material = "ball"
    shape = {{type = "sphere", radius = {}}}
    position = [0, 0, {}]
    velocity = [0, 0, {}]
)",
                                test.radius, -test.radius, test.speed);
}

class ElasticSpheres : public ::testing::TestWithParam<SphereCase> {};

TEST_P(ElasticSpheres, HaveDepthForceAndDurationOfHertz) {
  const SphereCase& test = GetParam();
  const Played played = play(spheres(test));
  ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  ASSERT_EQ(played.seen.closures.size(), 1u);
  const ContactClosure& closure = played.seen.closures[0];
  EXPECT_NEAR(closure.deepest, test.depth, 1e-4 * test.depth);
  EXPECT_NEAR(closure.peak_force, test.force, 1e-4 * test.force);
  EXPECT_NEAR(closure.end - closure.begin, test.duration, 2e-4 * test.duration);

  const geometry::Elasticity ball{test.E, test.nu}, plate{1e25, 0.3};
  const double R = test.on_plate ? test.radius : test.radius / 2;
  const double k = 4.0 / 3 * geometry::effective_modulus(ball, test.on_plate ? plate : ball) * std::sqrt(R);
  const double mass = test.density * 4.0 / 3 * std::numbers::pi * std::pow(test.radius, 3);
  const geometry::HertzImpact exact =
      geometry::hertz_impact(k, 1.5, test.on_plate ? mass : mass / 2, (test.on_plate ? 1 : 2) * test.speed);
  EXPECT_NEAR(closure.deepest, exact.depth, 1e-7 * exact.depth);
  EXPECT_NEAR(closure.peak_force, exact.force, 1e-7 * exact.force);
  EXPECT_NEAR(closure.end - closure.begin, exact.duration, 1e-6 * exact.duration);
  EXPECT_NEAR(closure.departure, closure.approach, 1e-8 * closure.approach);
}

INSTANTIATE_TEST_SUITE_P(
    ChungAndOoi, ElasticSpheres,
    ::testing::Values(SphereCase{"glass", 48e9, 0.2, 2800, 0.01, 10, false, 274.11e-6, 10.697e3, 40.34e-6},
                      SphereCase{"limestone", 20e9, 0.25, 2500, 0.01, 10, false, 368.30e-6, 7.108e3, 54.20e-6},
                      SphereCase{"aluminium", 70e9, 0.3, 2699, 0.1, 0.2, true, 49.72e-6, 11.370e3, 731.7e-6},
                      SphereCase{"magnesium", 40e9, 0.35, 1800, 0.1, 0.2, true, 52.12e-6, 7.233e3, 767.1e-6}),
    [](const auto& test) { return std::string(test.param.name); });

std::string oblique(double degrees, double e, const std::string& force, const std::string& friction,
                    const std::string& scheme = "\"compliant\"") {
  const double angle = degrees * std::numbers::pi / 180, v = 3.9;
  return fmt::format(R"(
    dimension = 3
    gravity = 0
    duration = 80e-6
    scheme = {}
    law = {{name = "compliant", force = "{}", friction = "{}"}}
    [materials.oxide]
    E = 380e9
    nu = 0.23
    density = 4000
    e = {}
    mu = 0.092
    [[body]]
    name = "ball"
    material = "oxide"
    shape = {{type = "sphere", radius = 0.0025}}
    position = [0, 0, 0.00250001]
    velocity = [{}, 0, {}]
    [[wall]]
    name = "plate"
    material = "oxide"
    shape = {{type = "plane", normal = [0, 0, 1]}}
)",
                     scheme, force, friction, e, v * std::sin(angle), -v * std::cos(angle));
}

std::string in_steps(double length) {
  return fmt::format("{{name = \"compliant\", step = {}}}", length);
}

TEST(ForcedMotion, GivesBackTheRestitutionThatWasAskedFor) {  // Chung and Ooi 2011, test 3
  for (const char* force : {"exact", "hysteretic"})
    for (const double e : {0.2, 0.4, 0.6, 0.8, 1.0}) {
      const Played played = play(oblique(0, e, force, "coulomb"));
      ASSERT_EQ(played.seen.closures.size(), 1u) << force << e;
      EXPECT_NEAR(played.summary.end.u[2] / 3.9, e, 1e-6) << force;
    }
}

TEST(ForcedMotion, SlidesAndRollsAsTheAngleSays) {  // Chung and Ooi 2011, test 4
  for (const double degrees : {5.0, 15.0, 30.0, 45.0, 60.0, 80.0}) {
    const double angle = degrees * std::numbers::pi / 180, sliding = 1 - 0.092 * 1.98 / std::tan(angle);
    const Played rigid = play(oblique(degrees, 0.98, "exact", "coulomb"));
    const double v = 3.9 * std::sin(angle), tangential = rigid.summary.end.u[0] / v;
    EXPECT_NEAR(tangential, std::max(sliding, 5.0 / 7), 1e-8) << degrees;
    EXPECT_NEAR(rigid.summary.end.u[2], 0.98 * 3.9 * std::cos(angle), 1e-8 * 3.9);
    // An elastic tangent slides alike where it slides all the time, and returns some of it where it sticks.
    const Played elastic = play(oblique(degrees, 0.98, "exact", "mindlin"));
    if (degrees >= 45) {
      EXPECT_NEAR(elastic.summary.end.u[0] / v, sliding, 1e-8) << degrees;
    }
    if (degrees == 15 || degrees == 30) {
      EXPECT_LT(elastic.summary.end.u[0] / v, 5.0 / 7) << degrees;
    }
    EXPECT_NEAR(elastic.summary.ledger.error(), 0, 1e-10 * elastic.summary.ledger.start) << degrees;
  }
}

std::string slope(const std::string& friction, double mu, const std::string& scheme = "\"compliant\"") {
  return fmt::format(R"(
    gravity = [4.905, -8.495709]
    duration = 1
    scheme = {}
    law = {{name = "compliant", force = "spring-dashpot", friction = "{}", v_s = 1e-3}}
    [contact]
    k = 1e6
    e = 0.3
    mu = {}
    k_t = 1e6
    [[body]]
    name = "block"
    shape = {{type = "rectangle", size = [0.2, 0.1]}}
    mass = 2
    position = [0, 0.05]
    [[wall]]
    name = "floor"
    shape = {{type = "plane", normal = [0, 1]}}
    [record]
    interval = 0.1
)",
                     scheme, friction, mu);
}

TEST(ForcedMotion, ABlockSlidesDownASlopeOrStays) {
  for (const char* friction : {"coulomb", "bristle", "mindlin", "regularised"}) {
    const Played slides = play(slope(friction, 0.4));
    EXPECT_NEAR(slides.summary.end.u[0], 4.905 - 0.4 * 8.495709, 2e-3) << friction;
    double normal = 0;
    for (const ContactForce& force : slides.seen.forces.back()) normal += force.force;
    EXPECT_NEAR(normal, 2 * 8.495709, 1e-4) << friction;
  }
  for (const char* friction : {"coulomb", "bristle"}) {
    const Played stays = play(slope(friction, 0.8));
    EXPECT_NEAR(stays.summary.end.q[0], 0, 2e-5) << friction << ": the springs give way by 5 um";
    double along = 0;
    for (const ContactForce& force : stays.seen.forces.back()) along += force.tangential.x();
    EXPECT_NEAR(std::abs(along), 2 * 4.905, 0.6) << friction;
  }
}

TEST(ForcedMotion, FixedStepsAgreeWithLocatedOnesToSecondOrder) {
  const Vector exact = play(oblique(20, 0.8, "exact", "mindlin")).summary.end.u;
  double before = 0;
  for (const double step : {4e-8, 2e-8, 1e-8}) {
    const Played fixed = play(oblique(20, 0.8, "exact", "mindlin", in_steps(step)));
    const double error = (fixed.summary.end.u.head(3) - exact.head(3)).norm() / 3.9;
    EXPECT_LT(error, 2e-3);
    if (before > 0) {
      EXPECT_LT(error, 0.6 * before) << step;
    }
    before = error;
  }
}

TEST(ForcedMotion, EnergyOfFixedStepsConvergesToSecondOrder) {
  double before = 0;
  for (const double step : {4e-8, 2e-8, 1e-8, 5e-9}) {
    const Played fixed = play(oblique(0, 1, "power", "coulomb", in_steps(step)), {"duration=6e-6"});
    const Ledger& ledger = fixed.summary.ledger;
    ASSERT_GT(ledger.stored, 0) << "in the middle of the contact";
    const double error = std::abs(ledger.error()) / ledger.start;
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 1.5) << step;
    }
    before = error;
  }
}

/// The wave through a column of beads is that of the impact at a frozen configuration.
TEST(ForcedMotion, AColumnOfBeadsAgreesWithOneImpact) {
  const std::string beads = R"(
    dimension = 1
    duration = 200e-6
    [materials.steel]
    E = 210e9
    nu = 0.3
    density = 7800
    e = 1
    [[chain]]
    name = "bead"
    count = 6
    shape = {type = "sphere", radius = 0.005}
    material = "steel"
    gap = 0
    position = 0
    first = {velocity = 1}
    )";
  const Played moving = play("scheme = \"compliant\"\nlaw = \"compliant\"\n" + beads);
  const Played frozen = play("scheme = \"event-driven\"\nlaw = \"compliant\"\n" + beads);
  ASSERT_EQ(frozen.seen.impacts.size(), 1u);
  EXPECT_LT((moving.summary.end.u - frozen.summary.end.u).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_GT(moving.summary.peak_force, 0);
}

/// As stiffness grows, forces tend to the rigid impact.
TEST(ForcedMotion, StiffContactsTendToTheEventDrivenScene) {
  const auto scene = [](const std::string& rest) {
    return rest + R"(
    gravity = 9.81
    duration = 1
    [[body]]
    name = "ball"
    shape = {type = "sphere", radius = 0.1}
    mass = 1
    position = [0, 0.6]
    [[wall]]
    name = "floor"
    shape = "plane"
    )";
  };
  const double rigid = play(scene("law = \"newton\"\ncontact = {e = 0.7}\n")).summary.end.q[1];
  double before = 1;
  for (const double k : {1e6, 1e8, 1e10}) {
    const double height = play(scene(fmt::format("law = {{name = \"compliant\", force = \"exact\"}}\nscheme = "
                                                 "\"compliant\"\ncontact = {{e = 0.7, k = {}}}\n",
                                                 k)))
                              .summary.end.q[1];
    const double error = std::abs(height - rigid);
    EXPECT_LT(error, 0.3 * before) << k;
    before = error;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(ForcedMotion, AJointHoldsWhileABobHitsAWall) {
  const Played played = play(R"(
    gravity = 9.81
    duration = 2
    law = {name = "compliant", force = "exact"}
    scheme = "compliant"
    [contact]
    k = 1e9
    e = 0.7
    [[body]]
    name = "bob"
    shape = {type = "disc", radius = 0.05}
    mass = 1
    position = [1, 0]
    [[wall]]
    name = "wall"
    shape = {type = "plane", normal = [1, 0]}
    position = [-0.05, 0]
    [[joint]]
    name = "string"
    type = "distance"
    bodies = ["world", "bob"]
    points = [[0, 0], [1, 0]]
  )");
  ASSERT_GE(played.seen.closures.size(), 1u);
  const ContactClosure& first = played.seen.closures[0];
  EXPECT_NEAR(first.departure / first.approach, 0.7, 1e-4);
  EXPECT_LT(played.summary.largest_joint_error, 1e-7);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-9 * played.summary.ledger.dissipated());
}

TEST(ForcedMotion, ABallStopsRollingWhereItIsResisted) {
  const auto scene = [](double mu_r) {
    return fmt::format(R"(
    dimension = 3
    gravity = 9.81
    duration = 1.5
    law = {{name = "compliant", force = "spring-dashpot", friction = "bristle"}}
    scheme = "compliant"
    [contact]
    k = 1e5
    k_t = 8e4
    e = 0.2
    mu = 0.5
    mu_r = {}
    [[body]]
    name = "ball"
    shape = {{type = "sphere", radius = 0.05}}
    mass = 0.5
    position = [0, 0, 0.05]
    velocity = [0.5, 0, 0]
    angular_velocity = [0, 10, 0]
    [[wall]]
    name = "floor"
    shape = {{type = "plane", normal = [0, 0, 1]}}
  )",
                       mu_r);
  };
  const Played free = play(scene(0)), resisted = play(scene(0.1));
  EXPECT_NEAR(free.summary.end.u[0], 0.5, 5e-4);
  // Decelerates by mu_r g 5/7, as a rolling ball does under a moment mu_r r F.
  const double distance = 0.25 / (2 * 0.1 * 9.81 * 5 / 7);
  EXPECT_NEAR(resisted.summary.end.q[0], distance, 0.02 * distance);
  EXPECT_NEAR(resisted.summary.end.u[0], 0, 5e-3);
}

void expect_refused(const std::string& scene, const std::vector<std::string>& settings, const std::string& what) {
  try {
    play(scene, settings);
    FAIL() << what;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

TEST(ForcedMotion, RefusesWhatCannotBeMoved) {
  const std::string scene = oblique(20, 0.8, "exact", "mindlin");
  expect_refused(oblique(20, 0.8, "exact", "mindlin", in_steps(1e-3)), {}, "above the limit of stability");
  expect_refused(scene, {"law=newton"}, "no contact force");
  expect_refused(scene, {"materials.oxide.e=0"}, "needs infinite damping");
  expect_refused(slope("coulomb", 0.4), {"law=compliant", "contact.c=-1"}, "c");
  expect_refused(R"(
    duration = 1
    law = "compliant"
    scheme = "compliant"
    [[body]]
    name = "ball"
    shape = {type = "disc", radius = 0.05}
    mass = 1
    position = [0, 1]
    [[wall]]
    name = "floor"
    shape = "plane"
  )",
                 {}, "stiffness of ball and floor is not known");
}

}  // namespace
}  // namespace carom::testing
