// Moving the bodies of crowds apart.

#include "carom/simulate/crowd/crowd_overlaps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "carom/scene/scene.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kTolerated = 1.5e-5;  // [m] that contacts may overlap
constexpr double kAllowed = 1e-5;      // after those that are deeper, and what is with them, are moved

struct MovedApart {
  explicit MovedApart(const std::string& toml)
      : scene(scene::parse_scene("duration = 1\nlaw = \"newton\"\n" + toml, "test.toml")),
        model(scene.description),
        state(model.state(scene.placement)),
        rules(model),
        search(model, rules),
        near(model, search, crew),
        frames(model, state, crew),
        pairs(near.within(state, frames, 1e-8, 0, std::vector<double>(model.bodies().size(), 0))),
        move(overlaps.displacement(model, frames, pairs, {all(kTolerated), all(kAllowed)})) {}

  Vector all(double depth) const { return Vector::Constant(static_cast<Index>(pairs.size()), depth); }

  /// [m] of a contact after the displacement, to first order.
  double gap(const ContactPair& pair) const {
    const State moving{state.t, state.q, *move};
    return pair.point.gap + normal_velocity(model, moving, pair);
  }

  scene::Scene scene;
  Model model;
  State state;
  ContactRules rules;
  ContactSearch search;
  Crew crew{1};
  NearContacts near;
  BodyFrames frames;
  std::vector<ContactPair> pairs;
  CrowdOverlaps overlaps;
  std::optional<Vector> move;
};

std::string row(int count, double overlap, double x = 0, double mass = 1) {
  std::string scene;
  for (int i = 0; i < count; ++i)
    scene += fmt::format(R"(
    [[body]]
    name = "disc {0} {1}"
    shape = {{type = "disc", radius = 0.1}}
    mass = {2}
    position = [{3}, 0]
    )",
                         x, i, i == 0 ? mass : 1, x + i * (0.2 - overlap));
  return scene;
}

}  // namespace

TEST(CrowdOverlaps, TwoBallsPartInProportionToTheirMasses) {
  const MovedApart apart(row(2, 3e-5, 0, 3));
  ASSERT_TRUE(apart.move);
  EXPECT_NEAR((*apart.move)[0], -0.25 * 2e-5, 1e-12);
  EXPECT_NEAR((*apart.move)[3], 0.75 * 2e-5, 1e-12);
}

TEST(CrowdOverlaps, ARowSpreadsAboutItsMiddle) {
  const int count = 30;
  const double deep = 2e-5;
  const MovedApart apart(row(count, deep + kAllowed));
  ASSERT_TRUE(apart.move);
  ASSERT_EQ(apart.pairs.size(), static_cast<std::size_t>(count - 1));
  for (const ContactPair& pair : apart.pairs) EXPECT_NEAR(apart.gap(pair), -kAllowed, 0.03 * deep);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += (*apart.move)[3 * i];
    EXPECT_NEAR((*apart.move)[3 * i], deep * (i - 0.5 * (count - 1)), 0.2 * deep) << i;  // errors add up along the row
  }
  EXPECT_NEAR(sum, 0, 1e-12);
}

TEST(CrowdOverlaps, WhatDoesNotOverlapStaysUntouched) {
  const MovedApart apart(row(20, 0.5 * kAllowed) + row(5, 3 * kAllowed, 100) + row(20, 0.9 * kAllowed, 200));
  ASSERT_TRUE(apart.move);
  EXPECT_EQ(apart.overlaps.moved().size(), 5u);
  EXPECT_EQ(apart.move->head(60), Vector(Vector::Zero(60)));
  EXPECT_EQ(apart.move->tail(60), Vector(Vector::Zero(60)));
  EXPECT_GT(apart.move->segment(60, 15).norm(), kAllowed);
}

TEST(CrowdOverlaps, IslandsThatAreNotTooDeepStayUntouchedByOthers) {
  const MovedApart apart(row(20, 1.4e-5) + row(5, 3e-5, 100));
  ASSERT_TRUE(apart.move);
  EXPECT_EQ(apart.move->head(60), Vector(Vector::Zero(60)));
  EXPECT_GT(apart.move->tail(15).norm(), kAllowed);
}

TEST(CrowdOverlaps, OneDeepContactMovesAllOfItsIslandThatIsDeeperThanShallBeLeft) {
  const MovedApart apart(row(20, 1.4e-5) + row(1, 0, 20 * (0.2 - 1.4e-5) - 1e-5));
  ASSERT_EQ(apart.pairs.size(), 20u);
  ASSERT_TRUE(apart.move);
  for (const ContactPair& pair : apart.pairs) EXPECT_GE(apart.gap(pair), -kAllowed - 0.03 * 1.4e-5);
}

TEST(CrowdOverlaps, BoxesTurnWhereThatIsTheLeastDisplacement) {
  const MovedApart apart(R"(
    [[wall]]
    name = "floor"
    shape = "plane"
    [[body]]
    name = "plank"
    shape = {type = "rectangle", size = [1, 0.1]}
    mass = 1
    position = [0, 0.05]
    angle = 0.02
    )");  // one corner is in the floor
  ASSERT_TRUE(apart.move);
  for (const ContactPair& pair : apart.pairs) EXPECT_GE(apart.gap(pair), -1.03 * kAllowed);
  EXPECT_GT((*apart.move)[1], 0);
  EXPECT_LT(std::abs((*apart.move)[0]), 1e-12);
  EXPECT_GT(std::abs((*apart.move)[2]), 1e-5);
}

}  // namespace carom::testing
