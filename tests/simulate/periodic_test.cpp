// Space that repeats itself: contacts across the border, what must not depend on where the border is, and a dilute gas
// against kinetic theory.

#include "carom/model/periodic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/broad_phase.h"
#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

std::string two_discs(double x, double y, std::string_view scheme) {
  return fmt::format(R"(
    duration = 0.9
    law = {0}
    scheme = {{{1}}}
    contact = {{e = 1, k = 1e6}}
    periodic = [1, 0.5]
    [[body]]
    name = "a"
    shape = {{type = "disc", radius = 0.1}}
    mass = 1
    position = [{2}, {3}]
    velocity = [1, 0]
    [[body]]
    name = "b"
    shape = {{type = "disc", radius = 0.1}}
    mass = 1
    position = [{4}, {3}]
    velocity = [-1, 0])",
                     scheme.find("compliant") != std::string_view::npos ? "\"compliant\"" : "\"newton\"", scheme, x, y,
                     x + 0.4);
}

TEST(PeriodicTest, TwoDiscsMeetInsideAndThenAcrossTheBorder) {
  for (const char* scheme : {R"(name = "event-driven")", R"(name = "time-stepping", step = 1e-4)",
                             R"(name = "compliant")", R"(name = "compliant", step = 1e-5)"})
    for (const double x : {0.1, 0.35, 0.8, -7.3}) {
      SCOPED_TRACE(fmt::format("{}, {}", scheme, x));
      // They are 0.2 apart from surface to surface, meet at 0.1 s, fly 0.6 to the images of each other, meet at 0.4 s.
      const Played played = play(two_discs(x, 0.49, scheme));
      EXPECT_EQ(played.summary.impacts, 3);
      const std::string_view name = scheme;
      const double coarse = name.find("compliant") != name.npos ? 0.03 : name.find("step") != name.npos ? 2e-3 : 1e-9;
      const double after = 0.9 - 0.7;  // a third one is at 0.7 s: each goes on from there
      const Vector3 periods(1, 0.5, 0);
      const double a = x + 0.1 - 0.3 + 0.3 - after;
      EXPECT_NEAR(nearest_image(periods, Vector3(played.summary.end.q[0] - a, 0, 0)).x(), 0, coarse);
      EXPECT_NEAR(played.summary.end.u[0] + played.summary.end.u[3], 0, 1e-9);
      EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-6);
      for (const State& state : played.seen.states)
        for (const Index at : {0, 3}) {
          EXPECT_GE(state.q[at], 0);
          EXPECT_LT(state.q[at], 1);
          EXPECT_NEAR(state.q[at + 1], 0.49, 1e-9);
        }
    }
}

/// Discs of two sizes in a box that repeats itself, all of them moved by a vector.
std::string gas(const Vector3& moved, double gravity, std::string_view more = "") {
  std::string text = fmt::format(R"(
    duration = 0.6
    law = "newton"
    contact = {{e = 0.95, mu = 0.2}}
    periodic = [1, 0.8]
    gravity = [{0}, {1}]
    {2})",
                                 gravity, -0.5 * gravity, more);
  Random random(5);
  for (int i = 0; i < 30; ++i)
    text +=
        fmt::format(R"(
    [[body]]
    name = "disc {0}"
    shape = {{type = "disc", radius = {1}}}
    mass = {2}
    position = [{3:.17g}, {4:.17g}]
    velocity = [{5}, {6}]
    angular_velocity = {7})",
                    i, i % 3 == 0 ? 0.06 : 0.04, i % 3 == 0 ? 2 : 1, moved.x() + 0.1 + 0.166 * (i % 6),
                    moved.y() + 0.1 + 0.16 * (i / 6), random.uniform() - 0.5, random.uniform() - 0.5, random.uniform());
  return text;
}

TEST(PeriodicTest, NothingDependsOnWhereTheBorderIs) {
  for (const double gravity : {0.0, 0.7}) {
    const Played here = play(gas(Vector3::Zero(), gravity));
    ASSERT_GT(here.seen.impacts.size(), 30u);
    EXPECT_EQ(here.summary.steps, 0) << "it flew";
    EXPECT_EQ(here.summary.inconsistent, 0);
    EXPECT_NEAR(here.summary.ledger.error(), 0, 1e-11);
    for (const Vector3& moved : {Vector3(0.13, 0.71, 0), Vector3(-3.4, 12.03, 0)}) {
      const Played there = play(gas(moved, gravity));
      ASSERT_EQ(here.seen.impacts.size(), there.seen.impacts.size());
      for (std::size_t i = 0; i < here.seen.impacts.size(); ++i) {
        ASSERT_EQ(here.seen.impacts[i].bodies, there.seen.impacts[i].bodies) << i;
        ASSERT_NEAR(here.seen.impacts[i].t, there.seen.impacts[i].t, 1e-7) << i;
      }
      EXPECT_LT((here.summary.end.u - there.summary.end.u).cwiseAbs().maxCoeff(), 1e-5);
    }
  }
}

TEST(PeriodicTest, FlightAndTheGeneralSchemeFindTheSameImpacts) {
  const Played flown = play(gas(Vector3::Zero(), 0.7));
  const Played found = play(gas(Vector3::Zero(), 0.7, "stop = {impacts = 100000}"));
  ASSERT_EQ(flown.summary.steps, 0);
  ASSERT_GT(found.summary.steps, 0);
  ASSERT_EQ(flown.seen.impacts.size(), found.seen.impacts.size());
  for (std::size_t i = 0; i < found.seen.impacts.size(); ++i) {
    ASSERT_EQ(flown.seen.impacts[i].bodies, found.seen.impacts[i].bodies) << i;
    ASSERT_NEAR(flown.seen.impacts[i].t, found.seen.impacts[i].t, 1e-7) << i;
  }
  EXPECT_LT((flown.summary.end.q - found.summary.end.q).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(PeriodicTest, MomentumIsKeptInEveryScheme) {
  for (const char* scheme : {R"(scheme = "event-driven")", R"(scheme = {name = "time-stepping", step = 1e-3})"}) {
    SCOPED_TRACE(scheme);
    const Played played = play(gas(Vector3(0.3, 0.2, 0), 0, scheme));
    Vector3 before = Vector3::Zero(), after = before;
    const auto momentum = [&](const State& state) {
      Vector3 sum = Vector3::Zero();
      for (int i = 0; i < 30; ++i) sum += played.model.bodies()[i].mass * played.model.twist(i, state).velocity;
      return sum;
    };
    before = momentum(played.seen.states.front());
    after = momentum(played.summary.end);
    EXPECT_LT((before - after).norm(), 1e-10);
    EXPECT_LE(played.summary.ledger.kinetic, played.summary.ledger.start * (1 + 1e-9));
  }
}

/// Boxes and discs fall on a floor that has no end: they lie on it, and on each other, across the border as elsewhere.
TEST(PeriodicTest, APackingLiesAcrossTheBorderAsAnywhereElse) {
  const auto packing = [](double x) {
    std::string text = R"(
      gravity = 9.81
      duration = 1.5
      law = "newton"
      contact = {e = 0, mu = 0.4}
      scheme = {name = "time-stepping", step = 2e-3}
      periodic = [1, 0]
      [[wall]]
      name = "floor"
      shape = "plane")";
    for (int i = 0; i < 15; ++i)
      text += fmt::format(
          R"(
      [[body]]
      name = "body {0}"
      shape = {1}
      mass = 1
      position = [{2:.17g}, {3:.17g}])",
          i, i % 2 == 0 ? R"({type = "rectangle", size = [0.18, 0.1]})" : R"({type = "disc", radius = 0.08})",
          x + 0.2 * (i % 5) + 0.03 * (i / 5), 0.1 + 0.2 * (i / 5));
    return play(text);
  };
  const Played here = packing(0.1), there = packing(0.57);
  EXPECT_LT(here.summary.ledger.kinetic, 1e-3);
  EXPECT_LT(here.summary.deepest_penetration, 1e-2);
  for (int i = 0; i < 15; ++i) EXPECT_NEAR(here.summary.end.q[3 * i + 1], there.summary.end.q[3 * i + 1], 1e-6) << i;
}

TEST(PeriodicTest, GravityAlongThePeriodsIsWorkThatTheLedgerKnows) {
  const Played played = play(R"(
    gravity = [1, 0]
    duration = 5
    law = "newton"
    periodic = [1, 1]
    [[body]]
    name = "ball"
    shape = {type = "disc", radius = 0.1}
    mass = 1
    position = [0.5, 0.5])");
  EXPECT_NEAR(played.summary.end.u[0], 5, 1e-9);
  EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-9);
  EXPECT_LT(played.seen.states.back().q[0], 1);
}

TEST(PeriodicTest, BoxesOverlapWhereTheirImagesDo) {
  Random random(11);
  const Vector3 periods(1, 0, 0.7);
  std::vector<geometry::Bounds> boxes;
  for (int i = 0; i < 60; ++i) {
    geometry::Bounds box;
    for (Index k = 0; k < 3; ++k) {
      box.low[k] = 6 * random.uniform() - 3;
      box.high[k] = box.low[k] + 0.3 * random.uniform() + (i == 7 ? 1.5 : 0);
    }
    boxes.push_back(box);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i + 1; j < boxes.size(); ++j) {
      bool all = true;
      for (Index k = 0; k < 3; ++k) {
        bool any = false;
        for (int n = periods[k] > 0 ? -20 : 0; n <= (periods[k] > 0 ? 20 : 0); ++n)
          any = any || (boxes[i].low[k] <= boxes[j].high[k] + n * periods[k] &&
                        boxes[j].low[k] + n * periods[k] <= boxes[i].high[k]);
        all = all && any;
      }
      if (all) expected.emplace_back(i, j);
    }
  EXPECT_EQ(geometry::overlapping_images(boxes, periods), expected);
  EXPECT_GT(expected.size(), 20u);
}

std::string refusal(const std::string& text) {
  try {
    play(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PeriodicTest, RefusesWhatDoesNotFit) {
  const auto scene = [](std::string_view periodic, std::string_view shape, std::string_view more = "") {
    return fmt::format(R"(duration = 1
law = "newton"
periodic = {}
[[body]]
name = "ball"
shape = {}
mass = 1
position = [0.5, 0.5]
{})",
                       periodic, shape, more);
  };
  const std::string small = R"({type = "disc", radius = 0.1})";
  EXPECT_EQ(refusal(scene("[1, 1]", small)), "");
  EXPECT_EQ(refusal(scene("1", small)), "");
  EXPECT_NE(refusal(scene("[1, -1]", small)).find("test.toml:3:"), std::string::npos);
  EXPECT_NE(refusal(scene("[1, 1, 1]", small)).find("test.toml:3:"), std::string::npos);
  EXPECT_NE(refusal(scene("0", small)).find("test.toml:3:"), std::string::npos);
  EXPECT_NE(refusal(scene("[1, 1]", R"({type = "disc", radius = 0.25})")).find("smaller than half"), std::string::npos);
  EXPECT_NE(refusal(scene("[1, 1]", R"({type = "disc", radius = 0.25})")).find("test.toml:4:"), std::string::npos);
  const std::string across =
      refusal(scene("[1, 0]", small, "[[wall]]\nname = \"side\"\nshape = {type = \"plane\", normal = [1, 0]}"));
  EXPECT_NE(across.find("flat wall across x"), std::string::npos) << across;
  EXPECT_EQ(refusal(scene("[1, 0]", small, "[[wall]]\nname = \"floor\"\nshape = \"plane\"\nposition = [0, -1]")), "");
}

/// Elastic discs, equal, dilute: nu = 2 sqrt(pi) n d g v0 impacts a second of each, v0 = sqrt(kT/m), with Enskog's
/// factor g = (1 - 7 eta / 16) / (1 - eta)^2; the speeds are Maxwell's, <v^4> = 2 <v^2>^2; and the virial gives
/// p A / (N kT) = 1 + 2 eta g.                                          [Chapman, Cowling 1970; Henderson 1975]
TEST(PeriodicTest, ADiluteGasMeetsAsOftenAsKineticTheorySays) {
  const double box = 1, radius = 0.005;
  const int side = 20, count = side * side;
  const Played played = play(fmt::format(R"(
    duration = 6
    law = "newton"
    contact = {{e = 1}}
    periodic = {0}
    record = {{interval = 0.2}}
    [[grid]]
    name = "disc"
    count = [{1}, {1}]
    spacing = {2}
    shape = {{type = "disc", radius = {3}}}
    density = 1
    position = [0, 0]
    speed = 1
    seed = 7)",
                                         box, side, box / side, radius));
  const double m = played.model.bodies()[0].mass, eta = count * std::numbers::pi * radius * radius / (box * box);
  const double enskog = (1 - 7 * eta / 16) / ((1 - eta) * (1 - eta));
  // energy of the frame of the centre of mass, over two directions of each disc but those of the centre
  Vector3 drift = Vector3::Zero();
  for (int i = 0; i < count; ++i) drift += played.model.twist(i, played.seen.states[0]).velocity / count;
  const double kT = (played.summary.ledger.start - 0.5 * count * m * drift.squaredNorm()) / (count - 1);
  const double rate = 2 * std::sqrt(std::numbers::pi) * count / (box * box) * 2 * radius * enskog * std::sqrt(kT / m);
  double first = 1, met = 0, virial = 0;
  for (const Watched::Impact& impact : played.seen.impacts) {
    if (impact.t < first) continue;
    ++met;
    virial += 2 * radius * impact.Lambda[0];
  }
  const double time = 6 - first;
  EXPECT_GT(met, 5000);
  EXPECT_NEAR(2 * met / (count * time) / rate, 1, 0.04);
  EXPECT_NEAR(1 + virial / (2 * count * kT * time), 1 + 2 * eta * enskog, 0.004);
  double second = 0, fourth = 0;
  long speeds = 0;
  for (const State& state : played.seen.states) {
    if (state.t < first) continue;
    for (int i = 0; i < count; ++i) {
      const double v2 = (played.model.twist(i, state).velocity - drift).squaredNorm();
      second += v2;
      fourth += v2 * v2;
      ++speeds;
    }
  }
  second /= static_cast<double>(speeds);
  fourth /= static_cast<double>(speeds);
  EXPECT_NEAR(second, 2 * kT / m, 0.02 * second);
  EXPECT_NEAR(fourth / (second * second), 2, 0.06);
  EXPECT_NEAR(played.summary.ledger.kinetic / played.summary.ledger.start, 1, 1e-12);
}

}  // namespace
}  // namespace carom::testing
