// Clumps, thin rods, meshes of several pieces, rigid materials.

#include <filesystem>
#include <fstream>
#include <numbers>

#include "carom/model/contact_rules.h"
#include "scene/scene_text.h"

namespace carom::scene {
namespace {

const Body& body_of(const Scene& scene) {
  return scene.description.bodies.front();
}

TEST(Clumps, OfBallsThatOverlapCountMatterOnce) {
  const Scene scene = scene_of(
      "dimension = 3\n[[body]]\ndensity = 1\n"
      "shape = {type = \"clump\", spheres = [[0, 0, 0, 1], [0, 1, 0, 1]], position = [5, 0, 0]}\n");
  const Body& body = body_of(scene);
  ASSERT_EQ(body.parts.size(), 2U);
  EXPECT_NEAR(body.mass, std::numbers::pi * (8.0 / 3 - 5.0 / 12), 1e-13);
  EXPECT_NEAR((body.parts[0].pose.position - Vector3(0, -0.5, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((scene.placement.poses[0].position - Vector3(5, 0.5, 0)).norm(), 0, 1e-14);
}

TEST(Clumps, InThePlaneHaveThreeNumbersASphere) {
  const Scene scene =
      scene_of("[[body]]\nmass = 2\nshape = {type = \"clump\", spheres = [[-2, 0, 1], [2, 0, 1]], angle = 90}\n");
  const Body& body = body_of(scene);
  EXPECT_NEAR(body.mass, 2, 1e-15);
  EXPECT_NEAR(body.inertia(2, 2), 2 * (0.4 + 4), 1e-13);
  EXPECT_NEAR((body.parts[1].pose.position - Vector3(0, 2, 0)).norm(), 0, 1e-14);
}

TEST(Clumps, MistakesAreNamed) {
  const auto error = [](const std::string& shape) {
    return error_of([&] { scene_of("dimension = 3\n[[body]]\nmass = 1\nshape = " + shape + "\n"); });
  };
  EXPECT_NE(error("{type = \"clump\", spheres = [[0, 0, 1]]}").find("spheres[0] has 3"), std::string::npos)
      << error("{type = \"clump\", spheres = [[0, 0, 1]]}");
  EXPECT_NE(error("{type = \"clump\", spheres = [[0, 0, 0, -1]]}").find("radius -1"), std::string::npos);
  EXPECT_NE(error("{type = \"clump\", spheres = []}").find("has 0 spheres"), std::string::npos);
  EXPECT_NE(error("\"clump\"").find("needs more"), std::string::npos);
  EXPECT_NE(error("{type = \"clump\", sphere = []}").find("did you mean \"spheres\""), std::string::npos);
  EXPECT_NE(error("{type = \"clunp\"}").find("did you mean \"clump\""), std::string::npos);
}

TEST(ThinRods, HaveNoThicknessButARadius) {
  for (const char* dimension : {"2", "3"}) {
    const Scene scene = scene_of(std::string("dimension = ") + dimension +
                                 "\n[[body]]\nmass = 3\nshape = {type = \"rod\", length = 2}\n");
    EXPECT_NEAR(body_of(scene).mass, 3, 1e-15);
    EXPECT_NEAR(body_of(scene).inertia(2, 2), 1, 1e-15);  // m l^2/12
    const auto* capsule = std::get_if<geometry::Capsule>(&body_of(scene).parts[0].shape);
    ASSERT_NE(capsule, nullptr);
    EXPECT_NEAR(capsule->radius, 0.002, 1e-15);
    EXPECT_NEAR(capsule->reach(), 1, 1e-15);
  }
}

TEST(Meshes, OfSeveralObjectsAreOneBody) {
  const auto file = std::filesystem::temp_directory_path() / "carom_two_corners.obj";
  const std::string corner = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", other = "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\no a\n"
                      << corner << "o b\n"
                      << other;
  const Scene scene = parse_scene(
      "duration = 1\nlaw = \"newton\"\ndimension = 3\n[[body]]\ndensity = 6\n"
      "shape = {type = \"polytope\", file = \"carom_two_corners.obj\"}\n",
      (std::filesystem::temp_directory_path() / "scene.toml").string());
  std::filesystem::remove(file);
  EXPECT_EQ(body_of(scene).parts.size(), 2U);
  EXPECT_NEAR(body_of(scene).mass, 2, 1e-14);
  EXPECT_NEAR((scene.placement.poses[0].position - Vector3(2.75, 0.25, 0.25)).norm(), 0, 1e-14);
}

TEST(RigidMaterials, LeaveTheElasticityToTheOther) {
  const std::string ball = "\nshape = {type = \"sphere\", radius = 1}\nmass = 1\n";
  const Scene scene = scene_of(
      "[materials.stone]\nrigid = true\n[materials.rubber]\nE = 3\nnu = 0.5\n"
      "[[body]]\nname = \"a\"\nmaterial = \"stone\"" +
      ball + "[[body]]\nname = \"b\"\nmaterial = \"rubber\"" + ball +
      "position = [5, 0]\n[[body]]\nname = \"c\"\nmaterial = \"stone\"" + ball + "position = [10, 0]\n");
  const Model model(scene.description);
  const ContactRules rules(model);
  ASSERT_TRUE(rules.properties(0, 1).modulus);
  EXPECT_NEAR(*rules.properties(0, 1).modulus, 4, 1e-14);  // E / (1 - nu^2)
  EXPECT_FALSE(rules.properties(0, 2).modulus);
  EXPECT_NE(
      error_of([] { scene_of("[materials.m]\nrigid = true\nE = 1\nnu = 0\n[[body]]\nmass = 1\n"); }).find("rigid"),
      std::string::npos);
}

}  // namespace
}  // namespace carom::scene
