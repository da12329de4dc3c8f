#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/model/contact_rules.h"
#include "scene/scene_text.h"

namespace carom::scene {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

TEST(Scene, WhatIsLeftOutHasItsDefault) {
  const Scene scene = scene_of("[[body]]\nshape = {type = \"disc\", radius = 1}\nmass = 2\n");
  EXPECT_EQ(scene.description.dimension, Dimension::plane);
  EXPECT_TRUE(scene.description.gravity.isZero());
  EXPECT_EQ(name_of(scene.scheme), "event-driven");
  EXPECT_EQ(name_of(scene.law), "newton");
  EXPECT_FALSE(scene.recording.interval);
  EXPECT_EQ(scene.recording.formats, std::vector<std::string>{"csv"});
  EXPECT_EQ(body(scene, 0).name, "body 1");
  EXPECT_EQ(body(scene, 0).material, -1);
  EXPECT_TRUE(scene.placement.poses[0].position.isZero());
}

TEST(Scene, GeneralKeys) {
  const Scene scene = parse_scene(
      "title = \"T\"\nabout = \"A\"\ndimension = 3\ngravity = 9.81\nduration = 3\nlaw = {name = \"lzb\", tolerance = "
      "1e-8}\n"
      "scheme = {name = \"time-stepping\", step = \"1/1000\"}\nrecord = {interval = 0.1, formats = [\"csv\", "
      "\"vtk\"]}\n"
      "[[body]]\nmass = 1\ninertia = [1, 2, 3]\n",
      "s.toml");
  EXPECT_EQ(scene.title, "T");
  EXPECT_EQ(scene.about, "A");
  EXPECT_EQ(scene.description.gravity, Vector3(0, 0, -9.81));
  EXPECT_EQ(scene.duration, 3);
  EXPECT_EQ(std::get<TimeStepping>(scene.scheme).step, 0.001);
  EXPECT_EQ(scene.recording.interval, 0.1);
  EXPECT_EQ(scene.recording.formats.size(), 2u);
  EXPECT_EQ(body(scene, 0).inertia, Matrix3(Vector3(1, 2, 3).asDiagonal()));
}

TEST(Scene, GravityAsANumberPointsDownTheLastAxis) {
  const std::string mass = "\n[[body]]\nmass = 1\ninertia = 1\n";
  EXPECT_EQ(scene_of("gravity = 2" + mass).description.gravity, Vector3(0, -2, 0));
  EXPECT_EQ(scene_of("gravity = [1, 2]" + mass).description.gravity, Vector3(1, 2, 0));
  EXPECT_EQ(scene_of("dimension = 1\ngravity = 2\n[[body]]\nmass = 1\n").description.gravity, Vector3(-2, 0, 0));
}

TEST(SceneFormulas, NumbersMayBeFormulasOfParameters) {
  const Scene scene = scene_of(R"(
[parameters]
R = 0.02
two_R = "2*R"
[[body]]
shape = {type = "disc", radius = "R/2"}
mass = "1 + 1"
position = ["-two_R", 0]
)");
  EXPECT_EQ(std::get<geometry::Sphere>(body(scene, 0).parts[0].shape).radius, 0.01);
  EXPECT_EQ(body(scene, 0).mass, 2);
  EXPECT_EQ(scene.placement.poses[0].position.x(), -0.04);
}

TEST(SceneSettings, ReachEveryKey) {
  const std::string text = R"(
[parameters]
R = 0.02
[[body]]
name = "a"
shape = {type = "disc", radius = "R"}
mass = 1
[[chain]]
name = "c"
count = 2
shape = {type = "disc", radius = 1}
mass = 1
position = [9, 0]
)";
  const auto with = [&](std::vector<std::string> settings) {
    return scene_of(text, {.law = {}, .settings = settings});
  };
  EXPECT_EQ(std::get<geometry::Sphere>(body(with({"R=0.05"}), 0).parts[0].shape).radius, 0.05);
  EXPECT_EQ(std::get<geometry::Sphere>(body(with({"parameters.R=0.05"}), 0).parts[0].shape).radius, 0.05);
  EXPECT_EQ(body(with({"body[0].mass=7"}), 0).mass, 7);
  EXPECT_EQ(body(with({"body.a.mass=2*R"}), 0).mass, 0.04);
  EXPECT_EQ(with({"chain[0].count=5"}).description.bodies.size(), 6u);
  EXPECT_EQ(with({"chain.c.count=5"}).description.bodies.size(), 6u);
  EXPECT_EQ(with({"duration=4"}).duration, 4);
  EXPECT_EQ(with({"e=0.25"}).description.pairs.at(0).e, 0.25);
  EXPECT_EQ(name_of(with({"law=poisson"}).law), "poisson");
  EXPECT_EQ(std::get<EventDriven>(with({"scheme={\"name\": \"event-driven\"}", "scheme.rest=1e-3"}).scheme).rest, 1e-3);
  EXPECT_EQ(name_of(scene_of(text, {.law = "moreau", .settings = {}}).law), "moreau");
}

TEST(SceneSettings, ReachTheDefaultScheme) {
  const std::string ball = "[[body]]\nmass = 1\ninertia = 1\n";
  const Scene scene = scene_of(ball, {std::nullopt, {"scheme.most_impacts=7"}});
  EXPECT_EQ(std::get<EventDriven>(scene.scheme).most_impacts, 7);
  EXPECT_EQ(std::get<EventDriven>(scene_of("scheme = {rest = 1e-4}\n" + ball).scheme).rest, 1e-4);
  EXPECT_EQ(error_of([&] {
              scene_of(ball, {std::nullopt, {"scheme.most_impact=7"}});
            }),
            "--set scheme.most_impact=7:1:8: unknown key \"most_impact\" in scheme; did you mean \"most_impacts\"?");
}

TEST(SceneSettings, MistakesNameTheOption) {
  const std::string text =
      "[parameters]\nR = 1\n[[body]]\nname = \"a\"\nshape = {type = \"disc\", radius = \"R\"}\nmass = 1\n";
  const auto error = [&](const std::string& setting) {
    return error_of([&] { scene_of(text, {.law = {}, .settings = {setting}}); });
  };
  EXPECT_EQ(error("body[0].mass=-1"), "--set body[0].mass=-1:1:14: body[0].mass = -1 is not positive; it must be > 0");
  EXPECT_EQ(error("body[0].mas=1"), "--set body[0].mas=1:1:9: unknown key \"mas\" in body[0]; did you mean \"mass\"?");
  EXPECT_EQ(error("body[1].mass=1"), "--set body[1].mass=1:1:5: body has 1 entries, counted from 0; there is no [1]");
  EXPECT_EQ(error("R=2*coz(1)"),
            "--set R=2*coz(1):1:5: parameters.R = \"2*coz(1)\": unknown name \"coz\"; did you mean \"cos\"?");
  EXPECT_EQ(error("durations=1"), "--set durations=1:1:1: unknown key \"durations\"; did you mean \"duration\"?");
}

constexpr std::string_view kTwoRods = R"(
[[body]]
name = "a"
shape = {type = "rectangle", size = [2, 0.2]}
mass = 1
position = [1, 0]
[[body]]
name = "b"
shape = {type = "rectangle", size = [2, 0.2]}
mass = 1
position = [2, 1]
angle = 90
)";

TEST(SceneJoint, AnchorsMeetAtTheStart) {
  const Scene scene = scene_of(std::string(kTwoRods) + R"(
[[joint]]
type = "revolute"
bodies = ["a", "b"]
at = [2, 0]
[[joint]]
type = "prismatic"
bodies = ["world", "a"]
axis = [0, 3]
)");
  const Joint& hinge = scene.description.joints[0];
  EXPECT_POINT_NEAR(hinge.a.point, Vector3(1, 0, 0), 1e-14);
  EXPECT_POINT_NEAR(hinge.b.point, Vector3(-1, 0, 0), 1e-14);
  EXPECT_NEAR(Eigen::AngleAxisd(hinge.relative).angle(), kHalfTurn / 2, 1e-14);
  EXPECT_EQ(hinge.name, "joint 1");
  EXPECT_POINT_NEAR(scene.description.joints[1].axis, Vector3(0, 1, 0), 1e-15);
  EXPECT_POINT_NEAR(scene.description.joints[1].a.point, Vector3(1, 0, 0), 1e-14);
}

TEST(SceneJoint, DistancesAreThoseAtTheStart) {
  const Scene scene = scene_of(std::string(kTwoRods) + R"(
[[joint]]
type = "distance"
bodies = ["a", "b"]
[[joint]]
type = "rod"
bodies = ["a", "b"]
points = [[0, 0], [2, 2]]
[[joint]]
type = "pendulum"
body = "a"
at = [1, 5]
)");
  EXPECT_NEAR(scene.description.joints[0].length, std::sqrt(2), 1e-15);
  EXPECT_NEAR(scene.description.joints[1].length, std::sqrt(8), 1e-15);
  EXPECT_POINT_NEAR(scene.description.joints[1].b.point, Vector3(1, 0, 0), 1e-14);
  EXPECT_EQ(scene.description.joints[2].length, 5);
  EXPECT_EQ(scene.description.joints[2].a.body, -1);
}

TEST(SceneSpring, RestsAsItIsAtTheStart) {
  const Scene scene = scene_of(std::string(kTwoRods) + R"(
[[spring]]
bodies = ["a", "b"]
k = 100
c = 2
[[spring]]
body = "a"
points = [[0, 3], [0, 0]]
k = 1
rest = 1
[[torsion]]
bodies = ["a", "b"]
k = 5
[[torsion]]
body = "b"
k = 5
rest = 180
)");
  EXPECT_NEAR(scene.description.springs[0].rest, std::sqrt(2), 1e-15);
  EXPECT_EQ(scene.description.springs[0].c, 2);
  EXPECT_EQ(scene.description.springs[1].rest, 1);
  EXPECT_EQ(scene.description.springs[1].a.body, -1);
  EXPECT_NEAR(scene.description.torsion_springs[0].rest, kHalfTurn / 2, 1e-14);
  EXPECT_NEAR(scene.description.torsion_springs[1].rest, kHalfTurn, 1e-14);
}

TEST(SceneForce, ActsAtAPointOfTheBody) {
  const Scene scene = scene_of(R"(
[[body]]
name = "a"
shape = {type = "rectangle", size = [2, 1], position = [1, 0]}
mass = 1
[[force]]
body = "a"
force = [0, "3*t"]
torque = 4
at = [2, 0]
)");
  const Load& load = scene.description.loads[0];
  EXPECT_POINT_NEAR(load.at.point, Vector3(1, 0, 0), 1e-15);
  EXPECT_EQ(load.force[1].at(2).value, 6);
  EXPECT_EQ(load.torque[2].at(2).value, 4);
}

TEST(ScenePairs, NamesOfChainsStandForAllTheirBodies) {
  const Scene scene = scene_of(R"(
[[chain]]
name = "c"
count = 3
shape = {type = "disc", radius = 1}
mass = 1
[[wall]]
name = "w"
shape = "plane"
position = [0, -5]
[[pair]]
bodies = ["c", "w"]
e = 0.5
[[pair]]
bodies = ["c", "c"]
touches = false
[[pair]]
bodies = ["c 2", "w"]
e = 1
)");
  const std::vector<PairRule>& pairs = scene.description.pairs;
  ASSERT_EQ(pairs.size(), 7u);
  EXPECT_EQ(pairs[2].a, 2);
  EXPECT_EQ(pairs[2].b, 3);
  EXPECT_EQ(pairs[3].touches, false);
  EXPECT_EQ(pairs[6].e, 1);
  EXPECT_EQ(pairs[6].a, 1);
}

TEST(ScenePairs, MaterialsAndAllContacts) {
  const Scene scene = scene_of(R"(
[materials.steel]
density = 7800
E = 2.1e11
nu = 0.3
e = 0.9
[materials.rubber]
mu = 0.5
[contact]
e = 0.7
[[body]]
shape = {type = "disc", radius = 1}
material = "steel"
[[pair]]
materials = ["steel", "rubber"]
k = 5
eta = 1
)");
  EXPECT_EQ(scene.description.materials[0].name, "steel");
  EXPECT_EQ(scene.description.materials[0].elasticity->E, 2.1e11);
  EXPECT_FALSE(scene.description.materials[1].elasticity);
  EXPECT_EQ(body(scene, 0).material, 0);
  EXPECT_EQ(scene.description.pairs[0].between, PairRule::Between::all);
  EXPECT_EQ(scene.description.pairs[1].between, PairRule::Between::materials);
  EXPECT_EQ(scene.description.pairs[1].k, 5);
}

TEST(ScenePairs, AMaterialThatLeavesEOutLeavesItToTheOther) {
  const Scene scene = scene_of(R"(
[materials]
steel = {e = 0.9, mu = 0.2}
rubber = {e = 0.5}
wood = {}
[[chain]]
name = "steel"
count = 2
shape = {type = "disc", radius = 0.1}
mass = 1
material = "steel"
[[body]]
name = "rubber"
shape = {type = "disc", radius = 0.1}
mass = 1
position = [1, 0]
material = "rubber"
[[chain]]
name = "wood"
count = 2
shape = {type = "disc", radius = 0.1}
mass = 1
position = [2, 0]
material = "wood"
)");
  const Model model(scene.description);
  const ContactRules rules(model);
  constexpr int rubber = 0, steel = 1, steel_2 = 2, wood = 3, wood_2 = 4;
  EXPECT_EQ(rules.properties(steel, steel_2).e, 0.9);
  EXPECT_EQ(rules.properties(steel, rubber).e, 0.5) << "the smaller of two";
  EXPECT_EQ(rules.properties(steel, rubber).mu, 0.2);
  EXPECT_EQ(rules.properties(wood, steel).e, 0.9) << "wood says nothing";
  EXPECT_EQ(rules.properties(wood, steel).mu, 0.2);
  EXPECT_EQ(rules.properties(wood, wood_2).e, 0) << "nobody says anything";
}

TEST(Scene, ErrorsFoundLaterAreLocatedWhereTheBodyWasWritten) {
  const Scene scene = scene_of(R"([[wall]]
shape = "plane"
[[chain]]
name = "c"
count = 3
shape = {type = "disc", radius = 1}
mass = 1
)");
  EXPECT_STREQ(located(InputError("bodies[1].mass", "is odd"), scene).what(), "s.toml:9:8: chain[0].mass is odd");
  EXPECT_STREQ(located(InputError("bodies[3]", "is a wall"), scene).what(), "s.toml:3:1: wall[0] is a wall");
  EXPECT_STREQ(located(InputError("law.e", "1.5 is odd"), scene).what(), "s.toml:2:7: law.e = 1.5 is odd");
}

}  // namespace
}  // namespace carom::scene
