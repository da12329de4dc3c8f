// Bodies that give way, in series with their contacts.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/forces/power_curve.h"
#include "simulate/running.h"
#include "support.h"

namespace carom::testing {
namespace {

using namespace forces;

TEST(Flexibility, IsInSeriesWithTheContact) {
  for (const double eta : {0.7, 1.0, 1.5, 3.0})
    for (const double f : {1e-12, 1e-3, 0.4, 2.0, 1e6})
      for (const double d : {1e-9, 0.02, 1.0, 50.0}) {
        const PowerCurve curve{3, eta, f};
        const double x = curve.local(d), F = 3 * std::pow(x, eta);
        EXPECT_NEAR(x + f * F, d, 4e-15 * d) << eta << " " << f << " " << d;
        EXPECT_NEAR(curve.force(d), F, 1e-14 * F);
        EXPECT_NEAR(curve.indentation(curve.energy(d)), d, 1e-13 * d);
      }
}

TEST(Flexibility, OfABodyMakesItsSpringSofter) {  // k_series = k / (1 + f k)
  const double k = 4e6, f = 1.5e-6, m = 0.3, v = 2, series = k / (1 + f * k);
  for (const Compliant::Force force :
       {Compliant::Force::power, Compliant::Force::spring_dashpot, Compliant::Force::exact,
        Compliant::Force::hysteretic, Compliant::Force::bi_stiffness}) {
    ImpactProblem on_wall = problem(MassMatrix::diagonal(vector({m})), vector({1}), vector({-v}), vector({0}));
    on_wall.contacts = {{.name = "wall", .e = 1, .k = k, .eta = 1, .flexibility = f}};
    const ImpactOutcome outcome = solve(on_wall, Compliant{.force = force});
    ASSERT_TRUE(outcome.solved());
    EXPECT_NEAR(*outcome.duration, std::numbers::pi * std::sqrt(m / series), 1e-8 * *outcome.duration);
    EXPECT_NEAR((*outcome.peak_force)[0], v * std::sqrt(m * series), 1e-7 * v * std::sqrt(m * series));
    EXPECT_NEAR(outcome.u_plus[0], v, 1e-8);
  }
}

TEST(Flexibility, LeavesRestitutionAsItIs) {
  ImpactProblem on_wall = problem(MassMatrix::diagonal(vector({0.3})), vector({1}), vector({-2}), vector({0}));
  for (const Compliant::Force force : {Compliant::Force::exact, Compliant::Force::hysteretic}) {
    on_wall.contacts = {{.name = "wall", .e = 0.6, .k = 7e6, .flexibility = 1e-5}};
    EXPECT_NEAR(solve(on_wall, Compliant{.force = force}).u_plus[0], 1.2, 1e-8);
  }
}

std::string on_floor(const std::string& scheme, const std::string& contact, double ball, double floor) {
  return fmt::format(R"(
    dimension = 1
    duration = 0.01
    law = {{name = "compliant", force = "power"}}
    scheme = {{name = "compliant", {}}}
    [contact]
    k = 4e6
    eta = 1
    {}
    [[body]]
    name = "ball"
    shape = {{type = "sphere", radius = 0.05}}
    mass = 0.3
    position = 0.0501
    velocity = -2
    flexibility = {}
    [[wall]]
    name = "floor"
    shape = {{type = "plane", normal = 1}}
    flexibility = {}
  )",
                     scheme, contact, ball, floor);
}

TEST(Flexibility, OfBothBodiesAddsUpInAScene) {
  const double series = 4e6 / (1 + 1.5e-6 * 4e6);
  const auto closure = [](const std::string& scene) { return play(scene).seen.closures.at(0); };
  for (const auto& one : {closure(on_floor("steps = \"located\"", "", 1e-6, 0.5e-6)),
                          closure(on_floor("steps = \"located\"", "flexibility = 1.5e-6", 1, 1))}) {
    EXPECT_NEAR(one.end - one.begin, std::numbers::pi * std::sqrt(0.3 / series), 1e-6 * (one.end - one.begin));
    EXPECT_NEAR(one.peak_force, 2 * std::sqrt(0.3 * series), 1e-6 * one.peak_force);
  }
  const ContactClosure stepped = closure(on_floor("steps = \"fixed\"", "", 1e-6, 0.5e-6));
  EXPECT_NEAR(stepped.peak_force, 2 * std::sqrt(0.3 * series), 2e-3 * stepped.peak_force);
}

TEST(Flexibility, MustNotBeNegative) {
  ImpactProblem on_wall = problem(MassMatrix::diagonal(vector({1})), vector({1}), vector({-1}), vector({0}));
  on_wall.contacts = {{.name = "wall", .flexibility = -1}};
  EXPECT_THROW(solve(on_wall, Compliant{}), InputError);
  EXPECT_ANY_THROW(play(on_floor("steps = \"fixed\"", "", -1e-6, 0)));
}

}  // namespace
}  // namespace carom::testing
