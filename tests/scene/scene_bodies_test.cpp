#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "carom/model/contact_pair.h"
#include "scene/scene_text.h"

namespace carom::scene {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(SceneBody, SolidsKeepTheirVolumeInThePlaneAndPlatesAreOneMetreThick) {
  const Scene scene = scene_of(R"(
[[body]]
shape = {type = "sphere", radius = 0.1}
density = 1000
[[body]]
shape = {type = "disc", radius = 0.1}
density = 1000
position = [1, 0]
[[body]]
shape = {type = "rectangle", size = [0.2, 0.4], thickness = 0.01}
density = 1000
position = [2, 0]
[[body]]
shape = {type = "box", size = [0.2, 0.4, 0.01]}
density = 1000
position = [3, 0]
)");
  EXPECT_NEAR(body(scene, 0).mass, 4000 * kPi / 3 * 1e-3, 1e-12);
  EXPECT_NEAR(body(scene, 0).inertia(2, 2), 0.4 * body(scene, 0).mass * 0.01, 1e-12);
  EXPECT_NEAR(body(scene, 1).mass, 1000 * kPi * 0.01, 1e-12);
  EXPECT_NEAR(body(scene, 1).inertia(2, 2), 0.5 * body(scene, 1).mass * 0.01, 1e-12);
  EXPECT_NEAR(body(scene, 2).mass, 0.8, 1e-12);
  EXPECT_NEAR(body(scene, 3).mass, 0.8, 1e-12);
  EXPECT_NEAR(body(scene, 2).inertia(2, 2), 0.8 * (0.04 + 0.16) / 12, 1e-12);
  EXPECT_NEAR(body(scene, 3).inertia(2, 2), body(scene, 2).inertia(2, 2), 1e-12);
}

TEST(SceneBody, CornersAreWhereTheyWereWrittenAndTheOriginIsTheCentreOfMass) {
  const Scene scene = scene_of(R"(
[[body]]
shape = {type = "polygon", corners = [[0, 0], [3, 0], [0, 3]]}
mass = 2
position = [10, 20]
angle = 90
)");
  const Pose& pose = scene.placement.poses[0];
  EXPECT_POINT_NEAR(pose.position, Vector3(9, 21, 0), 1e-14);
  const geometry::Part& part = body(scene, 0).parts[0];
  EXPECT_POINT_NEAR((pose * part.pose).to_world(Vector3(3, 0, 0)), Vector3(10, 23, 0), 1e-14);
  EXPECT_NEAR(body(scene, 0).mass, 2, 1e-15);
}

TEST(SceneBody, CompoundBodiesAddUp) {
  const Scene scene = scene_of(R"(
[[body]]
mass = 3
shapes = [{type = "disc", radius = 0.1}, {type = "disc", radius = 0.1, position = [3, 0], density = 2}]
)");
  EXPECT_NEAR(body(scene, 0).mass, 3, 1e-15);
  EXPECT_POINT_NEAR(scene.placement.poses[0].position, Vector3(2, 0, 0), 1e-14);
  EXPECT_NEAR(body(scene, 0).inertia(2, 2), 1 * 4 + 2 * 1 + 3 * 0.005, 1e-13);
  EXPECT_POINT_NEAR(body(scene, 0).parts[1].pose.position, Vector3(1, 0, 0), 1e-14);
}

TEST(SceneBody, InSpaceATurnedBoxHasATurnedInertia) {
  const Scene scene = scene_of(R"(
dimension = 3
[[body]]
mass = 12
shapes = [{type = "box", size = [1, 2, 3], orientation = {axis = [0, 0, 1], angle = 90}}]
orientation = [1, 0, 0, 1]
angular_velocity = [1, 2, 3]
velocity = [4, 5, 6]
)");
  EXPECT_LE((body(scene, 0).inertia - Matrix3(Vector3(10, 13, 5).asDiagonal())).norm(), 1e-13);
  EXPECT_POINT_NEAR(scene.placement.poses[0].orientation * Vector3::UnitX(), Vector3(0, 1, 0), 1e-14);
  EXPECT_EQ(scene.placement.velocities[0], Vector3(4, 5, 6));
  EXPECT_EQ(scene.placement.angular_velocities[0], Vector3(1, 2, 3));
}

TEST(SceneBody, MayBeAMeshBesideTheScene) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "carom_mesh";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "stone.obj") << "v 0 0 0\nv 6 0 0\nv 0 6 0\nv 0 0 6\n";
  const std::string text =
      "duration = 1\nlaw = \"newton\"\ndimension = 3\n[[body]]\ndensity = 1\n"
      "shape = {type = \"polytope\", file = \"stone.obj\"}\n";
  const std::string name = (folder / "s.toml").string();
  const Scene scene = parse_scene(text, name);
  EXPECT_NEAR(body(scene, 0).mass, 36, 1e-12);
  EXPECT_POINT_NEAR(scene.placement.poses[0].position, Vector3(1.5, 1.5, 1.5), 1e-13);
  std::ofstream(folder / "stone.obj") << "v 0 0 0\nv 6 0\n";
  EXPECT_EQ(error_of([&] { parse_scene(text, name); }),
            (folder / "stone.obj").string() + ":2:1: a point has three coordinates");
  std::filesystem::remove_all(folder);
}

TEST(SceneBody, AFixedBodyStands) {
  const Scene scene = scene_of("[[body]]\nfixed = true\nshape = \"plane\"\nposition = [1, 2]\nangle = 90\n");
  ASSERT_TRUE(body(scene, 0).prescribed);
  EXPECT_EQ(body(scene, 0).prescribed->position[1].at(5).value, 2);
  EXPECT_POINT_NEAR(body(scene, 0).prescribed->start * Vector3::UnitX(), Vector3(0, 1, 0), 1e-15);
}

TEST(SceneWall, MovesByFormulasAddedToItsPosition) {
  const Scene scene = scene_of(R"x(
[parameters]
A = 0.01
[[body]]
mass = 1
inertia = 1
[[wall]]
shape = "plane"
position = [0, 2]
motion = {y = "A*sin(2*t)", angle = "90*t"}
)x");
  const Prescribed& wall = *body(scene, 1).prescribed;
  EXPECT_NEAR(wall.position[1].at(1).value, 2 + 0.01 * std::sin(2), 1e-15);
  EXPECT_NEAR(wall.position[1].at(1).acceleration, -0.04 * std::sin(2), 1e-15);
  EXPECT_NEAR(wall.angle.at(0.5).value, kPi / 4, 1e-15);
  EXPECT_NEAR(scene.placement.velocities[1].y(), 0.02, 1e-15);
  EXPECT_NEAR(scene.placement.angular_velocities[1].z(), kPi / 2, 1e-15);
}

TEST(SceneWall, OfConstantVelocity) {
  const Scene scene = scene_of(
      "[[wall]]\nshape = \"plane\"\nposition = [1, 0]\nvelocity = [0.5, 0]\nangular_velocity = -2\n"
      "[[body]]\nmass = 1\ninertia = 1\n");
  const Prescribed& wall = *body(scene, 1).prescribed;
  EXPECT_EQ(wall.position[0].at(2).value, 2);
  EXPECT_EQ(wall.position[0].at(2).rate, 0.5);
  EXPECT_EQ(wall.angle.at(3).value * wall.axis.z(), -6);
}

TEST(SceneWall, OfVelocitiesThatChange) {
  const Scene scene = scene_of(R"x(
[parameters]
A = 0.01
[[body]]
mass = 1
inertia = 1
[[wall]]
shape = "plane"
position = [0, 2]
velocity = ["-A", "2*A*cos(2*t)"]
angular_velocity = "2*t"
)x");
  const Prescribed& wall = *body(scene, 1).prescribed;
  EXPECT_NEAR(wall.position[0].at(1).value, -0.01, 1e-17);
  EXPECT_NEAR(wall.position[1].at(1).value, 2 + 0.01 * std::sin(2), 1e-15);
  EXPECT_NEAR(wall.position[1].at(1).acceleration, -0.04 * std::sin(2), 1e-15);
  EXPECT_NEAR(wall.angle.at(0.5).value * wall.axis.z(), 0.25, 1e-15);
  EXPECT_NEAR(scene.placement.velocities[1].y(), 0.02, 1e-17);
}

TEST(SceneWall, TurnsInSpaceAboutAnAxisAtARateThatChanges) {
  const Scene scene = scene_of(
      "dimension = 3\n[[wall]]\nshape = \"plane\"\nangular_velocity = {axis = [0, 2, 0], rate = \"cos(t)\"}\n"
      "[[body]]\nmass = 1\ninertia = [1, 1, 1]\n");
  const Prescribed& wall = *body(scene, 1).prescribed;
  EXPECT_POINT_NEAR(wall.axis, Vector3::UnitY(), 0);
  EXPECT_NEAR(wall.angle.at(0.7).value, std::sin(0.7), 1e-15);
}

TEST(SceneWall, WhoseVelocityCannotBeFollowedIsRefused) {
  const std::string wall = "[[body]]\nmass = 1\ninertia = 1\n[[wall]]\nshape = \"plane\"\n";
  EXPECT_EQ(error_of([&] { scene_of(wall + "velocity = [0, \"sin(1e9*t)\"]\n"); }).substr(0, 85),
            "s.toml:8:16: wall[0].velocity[1] = \"sin(1e9*t)\" cannot be integrated over time beyond");
  EXPECT_EQ(error_of([&] { scene_of(wall + "velocity = [\"log(t)\", 0]\n"); }),
            "s.toml:8:13: wall[0].velocity[0] = \"log(t)\" is -inf at t = 0, its rates inf and -inf; all must be "
            "finite during the run");
  EXPECT_EQ(error_of([&] { scene_of(wall + "velocity = [0, 0, 1]\n"); }),
            "s.toml:8:12: wall[0].velocity has 3 entries; it must have 2");
}

TEST(SceneWall, FollowsARecordBesideTheScene) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "carom_record";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "shaker.csv") << "# measured\nt, x, y\n0, 0, 1\n1, 0, 3\n\n2, 0, 5\n";
  const auto text = [](const std::string& record) {
    return "duration = 1\nlaw = \"newton\"\n[[body]]\nmass = 1\ninertia = 1\n[[wall]]\nshape = \"plane\"\nmotion = {y "
           "= " +
           record + "}\n";
  };
  const std::string name = (folder / "s.toml").string();
  const auto error = [&](const std::string& record) {
    const std::string message = error_of([&] { parse_scene(text(record), name); });
    return message.substr(std::min(message.size(), folder.string().size() + 1));
  };
  const Scene scene = parse_scene(text("{file = \"shaker.csv\", column = \"y\"}"), name);
  EXPECT_NEAR(body(scene, 1).prescribed->position[1].at(0.5).value, 2, 1e-14);
  EXPECT_NEAR(body(scene, 1).prescribed->position[1].at(0.5).rate, 2, 1e-14);
  const Scene driven = parse_scene(
      "duration = 1\nlaw = \"newton\"\n[[body]]\nmass = 1\ninertia = 1\n[[wall]]\nshape = \"plane\"\n"
      "velocity = [0, {file = \"shaker.csv\", column = \"y\"}]\n",
      name);
  EXPECT_NEAR(body(driven, 1).prescribed->position[1].at(0.5).value, 0.75, 1e-15);
  EXPECT_NEAR(body(driven, 1).prescribed->position[1].at(0.5).rate, 2, 1e-14);
  EXPECT_EQ(
      error("{file = \"shaker.csv\"}"),
      "s.toml:8:23: wall[0].motion.y.file = \"shaker.csv\" has the columns \"x\", \"y\"; say which with column = ...");
  EXPECT_EQ(error("{file = \"shaker.csv\", column = \"Y2\"}"),
            "s.toml:8:46: wall[0].motion.y.column = \"Y2\" is no column of " + (folder / "shaker.csv").string() +
                "; did you mean \"y\"?");
  std::ofstream(folder / "shaker.csv") << "t, y\n0, 0\n1, one\n";
  EXPECT_EQ(error("{file = \"shaker.csv\"}"), "shaker.csv:3:4: \"one\" is not a finite number");
  std::ofstream(folder / "shaker.csv") << "t, y\n0, 0\n1\n";
  EXPECT_EQ(error("{file = \"shaker.csv\"}"), "shaker.csv:3:1: 1 entries; the first line names 2 columns");
  std::ofstream(folder / "shaker.csv") << "t, y\n1, 0\n0, 0\n";
  EXPECT_EQ(error("{file = \"shaker.csv\"}"),
            "s.toml:8:23: wall[0].motion.y.file = \"shaker.csv\": times[1] 0 is not after 1; times ascend");
  std::ofstream(folder / "shaker.csv") << "t\n1\n";
  EXPECT_EQ(error("{file = \"shaker.csv\"}"),
            "shaker.csv:1:1: the first line names the columns, the time and at least one other, with commas");
  std::filesystem::remove_all(folder);
}

TEST(SceneChain, BodiesTouchAndShrink) {
  const Scene scene = scene_of(R"(
dimension = 1
[materials.steel]
density = 1
[[chain]]
name = "ball"
count = 3
shape = {type = "sphere", radius = 1}
ratio = 0.5
material = "steel"
position = 10
first = {velocity = 2}
last = {mass = 7}
)");
  EXPECT_EQ(body(scene, 2).name, "ball 3");
  EXPECT_EQ(scene.placement.poses[0].position.x(), 10);
  EXPECT_EQ(scene.placement.poses[1].position.x(), 11.5);
  EXPECT_EQ(scene.placement.poses[2].position.x(), 12.25);
  EXPECT_EQ(scene.placement.velocities[0].x(), 2);
  EXPECT_EQ(scene.placement.velocities[1].x(), 0);
  EXPECT_NEAR(body(scene, 1).mass, body(scene, 0).mass / 8, 1e-15);
  EXPECT_NEAR(body(scene, 2).mass, 7 * std::pow(0.25, 3), 1e-15);
}

TEST(SceneChain, OfAnyShapeInAnyDirectionKeepsItsGap) {
  const Scene scene = scene_of(R"(
[[chain]]
name = "bar"
count = 2
shape = {type = "rectangle", size = [2, 1]}
mass = 1
angle = 90
gap = 0.25
direction = [0, -1]
)");
  EXPECT_POINT_NEAR(scene.placement.poses[1].position, Vector3(0, -2.25, 0), 1e-14);
}

TEST(SceneChain, HangsOnStringsOfWhichTheFirstAreLifted) {
  const Scene scene = scene_of(R"(
[[chain]]
name = "ball"
count = 3
shape = {type = "sphere", radius = 0.1}
mass = 1
string = 2
lift = {count = 2, angle = 90}
)");
  EXPECT_POINT_NEAR(scene.placement.poses[0].position, Vector3(-2, 2, 0), 1e-14);
  EXPECT_POINT_NEAR(scene.placement.poses[1].position, Vector3(0.2 - 2, 2, 0), 1e-14);
  EXPECT_POINT_NEAR(scene.placement.poses[2].position, Vector3(0.4, 0, 0), 1e-14);
  ASSERT_EQ(scene.description.joints.size(), 3u);
  const Joint& string = scene.description.joints[1];
  EXPECT_EQ(string.kind, Joint::Kind::distance);
  EXPECT_EQ(string.length, 2);
  EXPECT_POINT_NEAR(string.a.point, Vector3(0.2, 2, 0), 1e-14);
  EXPECT_EQ(string.b.body, 1);
}

TEST(SceneChain, HingedBodiesTurnAboutTheirHinge) {
  const Scene scene = scene_of(R"(
[[chain]]
name = "domino"
count = 2
shape = {type = "rectangle", size = [1, 4], position = [-0.5, 2]}
mass = 1
spacing = 3
hinge = [0, 0]
angular_velocity = -1
)");
  EXPECT_POINT_NEAR(scene.placement.poses[1].position, Vector3(2.5, 2, 0), 1e-14);
  EXPECT_POINT_NEAR(scene.placement.velocities[1], Vector3(2, 0.5, 0), 1e-14);
  EXPECT_POINT_NEAR(scene.description.joints[1].a.point, Vector3(3, 0, 0), 1e-14);
  EXPECT_POINT_NEAR(scene.description.joints[1].b.point, Vector3(0.5, -2, 0), 1e-14);
}

TEST(SceneGrid, Lattices) {
  const std::string text =
      "name = \"d\"\ncount = [2, 3]\nspacing = 2\nposition = [1, 1]\nshape = {type = \"disc\", radius = 0.1}\nmass = "
      "1\n";
  const Scene square = scene_of("[[grid]]\n" + text);
  ASSERT_EQ(square.description.bodies.size(), 6u);
  EXPECT_POINT_NEAR(square.placement.poses[5].position, Vector3(3, 5, 0), 1e-14);
  EXPECT_EQ(body(square, 5).name, "d 6");
  const Scene hexagonal = scene_of("[[grid]]\nlattice = \"hexagonal\"\n" + text);
  EXPECT_POINT_NEAR(hexagonal.placement.poses[2].position, Vector3(2, 1 + std::sqrt(3), 0), 1e-14);
}

TEST(SceneGrid, ASeedMeansTheSameSceneEverywhere) {
  const std::string text = R"([[grid]]
name = "d"
count = [20, 20]
spacing = 1
jitter = 0.1
speed = 3
shape = {type = "disc", radius = 0.1}
mass = 1
)";
  const Scene one = scene_of(text + "seed = 5\n"), same = scene_of(text + "seed = 5\n"),
              other = scene_of(text + "seed = 6\n");
  Vector3 sum = Vector3::Zero();
  for (std::size_t i = 0; i < 400; ++i) {
    EXPECT_EQ(one.placement.velocities[i], same.placement.velocities[i]);
    EXPECT_NE(one.placement.velocities[i], other.placement.velocities[i]);
    EXPECT_NEAR(one.placement.velocities[i].norm(), 3, 1e-14);
    EXPECT_LE((one.placement.poses[i].position - Vector3(static_cast<double>(i % 20), static_cast<double>(i / 20), 0))
                  .cwiseAbs()
                  .maxCoeff(),
              0.1);
    sum += one.placement.velocities[i];
  }
  EXPECT_LT(sum.norm() / 400, 0.5);
}

TEST(SceneShapes, HaveNamesThatTheModelTells) {
  const Scene scene = scene_of(
      "[[body]]\nname = \"dog\"\nmass = 1\nshapes = [{type = \"disc\", radius = 1}, {type = \"disc\", radius = 1, name "
      "= \"left foot\"}]\n[[wall]]\nname = \"floor\"\nshape = {type = \"plane\", name = \"lawn\"}\n");
  const Model model(scene.description);
  EXPECT_EQ(model.shape_name(0, 0), "");
  EXPECT_EQ(model.shape_name(0, 1), "left foot");
  EXPECT_EQ(model.shape_name(-1, 0), "");
  EXPECT_EQ(model.body_name(0), "dog");
  EXPECT_EQ(model.body_name(-1), "world");
  const std::array<std::string, 2> names = shape_names(model, {0, 1, 1, 0});
  EXPECT_EQ(names[0], "left foot");
  EXPECT_EQ(names[1], "lawn");
}

TEST(SceneBody, AGridOfPinsStands) {
  const Scene scene = scene_of(R"(
[[grid]]
name = "pin"
count = [2, 3]
spacing = 0.1
shape = {type = "disc", radius = 0.01}
fixed = true
speed = 3
member = {2 = {fixed = false, mass = 1}}
)");
  ASSERT_EQ(scene.description.bodies.size(), 6u);
  EXPECT_TRUE(body(scene, 1).is_free());
  for (const int pin : {0, 2, 3, 4, 5}) EXPECT_FALSE(body(scene, pin).is_free());
  EXPECT_NEAR(body(scene, 5).prescribed->position[0].at(0).value, 0.1, 1e-15);
  EXPECT_NEAR(body(scene, 5).prescribed->position[1].at(0).value, 0.2, 1e-15);
}

TEST(SceneBody, WhatIsFixedHasNoVelocity) {
  const std::string ball = "shape = {type = \"sphere\", radius = 0.1}\nfixed = true\n";
  const std::vector<std::string> places = {"[[body]]\n", "[[chain]]\nname = \"a\"\ncount = 2\n",
                                           "[[grid]]\nname = \"a\"\ncount = [2, 1]\nspacing = 1\n"};
  for (const std::string& place : places)
    for (const std::string velocity : {"velocity = [1, 0]", "angular_velocity = 2"}) {
      const std::string message = error_of([&] { scene_of(place + ball + velocity + "\n"); });
      EXPECT_NE(message.find("velocity moves a body that is fixed"), std::string::npos) << message;
      EXPECT_NE(message.find("[[wall]]"), std::string::npos) << message;
    }
  EXPECT_EQ(scene_of("[[body]]\n" + ball + "velocity = [0, 0]\n").description.bodies.size(), 1u);
}

}  // namespace
}  // namespace carom::scene
