// Robots in URDF: what becomes of them in scenes.

#include <cmath>
#include <cstdint>
#include <set>

#include "carom/model/joint_coordinate.h"
#include "scene/robot_files.h"

namespace carom::testing {
namespace {

std::string link(const std::string& name, double mass, const std::string& more = "") {
  return "<link name=\"" + name + "\"><inertial><mass value=\"" + std::to_string(mass) +
         "\"/><inertia ixx=\"0.01\" iyy=\"0.02\" izz=\"0.025\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>" + more +
         "</link>";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + more + "</joint>";
}
std::string robot(const std::string& parts) {
  return "<?xml version=\"1.0\"?>\n<robot name=\"r\">\n" + parts + "\n</robot>\n";
}
std::string collision(const std::string& geometry, const std::string& more = "") {
  return "<collision>" + more + "<geometry>" + geometry + "</geometry></collision>";
}

class ImportUrdf : public RobotFiles {};

TEST_F(ImportUrdf, ALinkIsABodyWithItsMassItsCentreAndItsTurnedInertia) {
  const scene::Scene scene = scene_of(
      robot("<link name=\"a\"><inertial><origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>"
            "<inertia ixx=\"1\" iyy=\"2\" izz=\"2.5\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"));
  ASSERT_EQ(scene.description.bodies.size(), 1u);
  const Body& body = scene.description.bodies[0];
  EXPECT_EQ(body.mass, 2);
  EXPECT_NEAR((body.inertia - Matrix3(Vector3(2, 1, 2.5).asDiagonal())).norm(), 0, 1e-12);
  EXPECT_NEAR((scene.placement.poses[0].position - Vector3(1, 2, 3)).norm(), 0, 1e-12);
  EXPECT_EQ(scene.description.gravity, Vector3(0, 0, -9.81));
}

TEST_F(ImportUrdf, EveryShapeIsWhereTheFileSaysCylindersAlongZ) {
  const scene::Scene scene = scene_of(robot(
      link("a", 1,
           collision("<box size=\"0.1 0.2 0.3\"/>") + collision("<sphere radius=\"0.1\"/>", "<origin xyz=\"0 0 1\"/>") +
               "<collision name=\"foot\"><origin xyz=\"1 0 0\"/><geometry><cylinder radius=\"0.1\" length=\"0.4\"/>"
               "</geometry></collision>" +
               collision("<capsule radius=\"0.1\" length=\"0.6\"/>"))));
  const std::vector<geometry::Part>& parts = scene.description.bodies[0].parts;
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(std::get<geometry::Box>(parts[0].shape).half, Vector3(0.05, 0.1, 0.15));
  EXPECT_EQ(parts[1].pose.position, Vector3(0, 0, 1));
  const auto& cylinder = std::get<geometry::Cylinder>(parts[2].shape);
  EXPECT_DOUBLE_EQ(cylinder.half_length, 0.2);
  EXPECT_NEAR((parts[2].pose.orientation * Vector3::UnitX() - Vector3::UnitZ()).norm(), 0, 1e-12);
  EXPECT_EQ(parts[2].name, "foot");
  EXPECT_DOUBLE_EQ(std::get<geometry::Capsule>(parts[3].shape).half_length, 0.3);
}

TEST_F(ImportUrdf, FixedJointsMakeOneBodyOfTheirLinks) {
  const scene::Scene scene =
      scene_of(robot(link("a", 1) + link("b", 3, collision("<sphere radius=\"0.1\"/>")) + link("c", 1) +
                     joint("ab", "fixed", "a", "b", "<origin xyz=\"0 0 2\"/>") +
                     joint("bc", "revolute", "b", "c",
                           "<origin xyz=\"1 0 0\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\"/>")));
  ASSERT_EQ(scene.description.bodies.size(), 2u);
  const Body& whole = scene.description.bodies[0];
  EXPECT_DOUBLE_EQ(whole.mass, 4);
  EXPECT_NEAR(scene.placement.poses[0].position.z(), 1.5, 1e-12);
  EXPECT_NEAR(whole.inertia(0, 0), 0.02 + 1 * 1.5 * 1.5 + 3 * 0.5 * 0.5, 1e-12);
  ASSERT_EQ(whole.parts.size(), 1u);
  EXPECT_NEAR(whole.parts[0].pose.position.z(), 0.5, 1e-12);
  EXPECT_EQ(whole.parts[0].name, "b") << "a shape without a name is called after its link";
  EXPECT_NEAR((scene.placement.poses[1].position - Vector3(1, 0, 2)).norm(), 0, 1e-12);
}

TEST_F(ImportUrdf, LimitsDampingAndPoseOfAJoint) {
  const std::string text =
      robot(link("a", 1) + link("b", 1) + link("c", 1) +
            joint("knee", "revolute", "a", "b",
                  "<origin xyz=\"0 0 -1\"/><axis xyz=\"0 2 0\"/><limit lower=\"-0.5\" "
                  "upper=\"1\"/><dynamics damping=\"0.3\" friction=\"0.1\"/>") +
            joint("rail", "prismatic", "b", "c", "<axis xyz=\"0 0 -1\"/><limit lower=\"0\" upper=\"0.2\"/>"));
  const app::ImportedScene result =
      imported(text, {.pose = {{"knee", 0.5}, {"rail", 0.1}}, .packages = {}, .meshes = {}});
  EXPECT_TRUE(has_note(result, "friction in the joint"));
  const scene::Scene scene = scene::parse_scene(result.text, "r");
  const Model model(scene.description);
  const State start = model.state(scene.placement);
  const Joint &knee = model.description().joints[0], &rail = model.description().joints[1];
  EXPECT_NEAR(knee.stops->low, -0.5, 1e-12);
  EXPECT_NEAR(knee.stops->high, 1, 1e-12);
  EXPECT_DOUBLE_EQ(knee.damping, 0.3);
  EXPECT_NEAR(joint_coordinate(model, start, knee).value, 0.5, 1e-12);
  EXPECT_NEAR(joint_coordinate(model, start, rail).value, 0.1, 1e-12);
  // turned by 0.5 about y, then 0.1 m along -z of the turned link
  EXPECT_NEAR((scene.placement.poses[2].position - Vector3(-0.1 * std::sin(0.5), 0, -1 - 0.1 * std::cos(0.5))).norm(),
              0, 1e-12);
  EXPECT_NE(error_of(text, {.pose = {{"knee", 2}}, .packages = {}, .meshes = {}}).find("beyond the limits"),
            std::string::npos);
  EXPECT_NE(error_of(text, {.pose = {{"kne", 0}}, .packages = {}, .meshes = {}}).find("knee"), std::string::npos);
}

TEST_F(ImportUrdf, AFloatingBaseStandsAboveTheGroundAndAFixedOneWhereItIs) {
  const std::string text = robot(link("a", 1, collision("<sphere radius=\"0.1\"/>")));
  app::ImportOptions options;
  options.ground = true;
  options.above = 0.25;
  const scene::Scene falling = scene_of(text, options);
  EXPECT_NEAR(falling.placement.poses[0].position.z(), 0.35, 1e-12);
  EXPECT_TRUE(falling.description.bodies[0].is_free());
  options.fixed_base = true;
  const std::string fixed = robot(link("a", 1, collision("<sphere radius=\"0.1\"/>")) + link("b", 1) +
                                  joint("j", "continuous", "a", "b", "<axis xyz=\"0 1 0\"/>"));
  const scene::Scene standing = scene_of(fixed, options);
  EXPECT_FALSE(standing.description.bodies[0].is_free());
  EXPECT_EQ(standing.placement.poses[0].position, Vector3(0, 0, 0));
}

TEST_F(ImportUrdf, LinksThatOverlapPassThroughEachOther) {
  // a and c overlap without a joint between them
  const std::string ball = collision("<sphere radius=\"0.1\"/>");
  const app::ImportedScene result =
      imported(robot(link("a", 1, ball) + link("b", 1) + link("c", 1, ball) +
                     joint("ab", "continuous", "a", "b", "<axis xyz=\"0 1 0\"/>") +
                     joint("bc", "continuous", "b", "c", "<origin xyz=\"0.05 0 0\"/><axis xyz=\"0 1 0\"/>")));
  EXPECT_TRUE(has_note(result, "a and c overlap"));
  EXPECT_NE(result.text.find("touches = false"), std::string::npos);
}

TEST_F(ImportUrdf, WhatIsNotCarriedOverIsListedInTheSceneToo) {
  const app::ImportedScene result = imported(robot(
      link("a", 1) + link("b", 1) +
      joint(
          "j", "revolute", "a", "b",
          "<axis xyz=\"1 0 0\"/><limit lower=\"-7\" upper=\"7\" velocity=\"2.5\" effort=\"40\"/><mimic joint=\"x\"/>") +
      "<transmission name=\"t\"/><gazebo/>"));
  for (const std::string note : {"<mimic>", "the limit of its velocity, 2.5", "the limit of its effort, 40",
                                 "1 <transmission>", "1 <gazebo>", "more than 350 degrees"}) {
    EXPECT_TRUE(has_note(result, note)) << note;
    EXPECT_NE(result.text.find(note), std::string::npos) << note;
  }
}

const std::string kCube =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\nv 1 0 1\nv 0 1 1\nv 1 1 1\nv 0.5 0.5 0.5\nf 1 2 3\n";

TEST_F(ImportUrdf, AMeshIsTheConvexHullOfItsPoints) {
  write("meshes/cube.obj", kCube);
  std::string facets = "solid cube\n";
  for (const char* p : {"0 0 0", "1 0 0", "0 1 0", "0 0 1", "1 1 0", "1 0 1", "0 1 1", "1 1 1", "0 0 0"})
    facets += std::string("vertex ") + p + "\n";
  write("meshes/cube.stl", facets);
  std::string binary(80, ' ');
  const std::uint32_t count = 3;
  binary.append(reinterpret_cast<const char*>(&count), 4);
  const float points[9][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0},
                              {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  for (int facet = 0; facet < 3; ++facet) {
    binary.append(12, '\0');
    binary.append(reinterpret_cast<const char*>(points[3 * facet]), 36);
    binary.append(2, '\0');
  }
  write("meshes/binary.STL", binary);
  for (const std::string name :
       {"meshes/cube.obj", "package://robot/cube.obj", "meshes/cube.stl", "meshes/binary.STL"}) {
    app::ImportOptions options;
    options.packages["robot"] = (folder_ / "meshes").string();
    const scene::Scene scene =
        scene_of(robot(link("a", 1, collision("<mesh filename=\"" + name + "\" scale=\"2 1 1\"/>"))), options);
    ASSERT_EQ(scene.description.bodies[0].parts.size(), 1u) << name;
    const auto& cube = std::get<geometry::Polytope>(scene.description.bodies[0].parts[0].shape);
    EXPECT_EQ(cube.corners.size(), 8u);
    EXPECT_NEAR(mass_properties(cube, Dimension::space).volume, 2, 1e-12);
  }
}

TEST_F(ImportUrdf, MeshesThatMayNotBeReadAreLeftOutAndSaid) {
  write("meshes/cube.obj", kCube);
  write("shape.dae", "<COLLADA/>");
  const auto note_of = [&](const std::string& name) {
    const app::ImportedScene result = imported(robot(link("a", 1, collision("<mesh filename=\"" + name + "\"/>"))));
    return result.left_out.empty() ? std::string() : result.left_out[0];
  };
  EXPECT_NE(note_of("package://other/cube.obj").find("--package other=FOLDER"), std::string::npos);
  EXPECT_NE(note_of("../secret.obj").find("leads out"), std::string::npos);
  EXPECT_NE(note_of("meshes/../../secret.obj").find("leads out"), std::string::npos);
  EXPECT_NE(note_of("/etc/passwd.obj").find("leads out"), std::string::npos);
  EXPECT_NE(note_of("file:///etc/passwd.obj").find("only names relative"), std::string::npos);
  EXPECT_NE(note_of("nothing.obj").find("no such file"), std::string::npos);
  EXPECT_NE(note_of("shape.dae").find("only OBJ and STL"), std::string::npos);
}

TEST_F(ImportUrdf, TheSceneOfTheExamplesIsTheQuadruped) {
  const std::string folder = std::string(CAROM_SOURCE_DIR) + "/examples/robots/";
  app::ImportOptions options;
  options.ground = true;
  options.above = 0.05;
  options.duration = 0.2;
  options.e = 0.2;
  for (const std::string leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    options.pose[leg + "_hip_pitch"] = leg == "front_left" ? 0.8 : 0.6;
    options.pose[leg + "_knee"] = leg == "front_left" ? -1.6 : -1.2;
  }
  const std::string made = app::import_robot(folder + "quadruped.urdf", options).text;
  std::ifstream stream(folder + "late_leg.toml", std::ios::binary);
  const std::string kept{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(made.substr(made.find("dimension")), kept.substr(kept.find("dimension")));
}

TEST_F(ImportUrdf, TheQuadrupedOfTheExamplesLandsOnItsFeet) {
  app::ImportOptions options;
  options.ground = true;
  options.above = 0.02;
  options.duration = 0.1;
  for (const std::string leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    options.pose[leg + "_hip_pitch"] = 0.6;
    options.pose[leg + "_knee"] = -1.2;
  }
  const app::ImportedScene result =
      app::import_robot(std::string(CAROM_SOURCE_DIR) + "/examples/robots/quadruped.urdf", options);
  EXPECT_EQ(result.bodies, 14);
  EXPECT_EQ(result.joints, 12);
  const scene::Scene scene = scene::parse_scene(result.text, "dog.toml");
  const Model model(scene.description);
  EXPECT_EQ(model.shape_name(3, 0), "front_left_foot");
  struct Seen : Observer {
    void impact(const Model& of, const ImpactEvent& event) override {
      for (const ContactPair& pair : event.pairs)
        if (!pair.parts.is_stop()) feet.insert(shape_names(of, pair.parts)[0]);
    }
    std::set<std::string> feet;
  } seen;
  const RunSummary summary =
      run(model, model.state(scene.placement), scene.scheme, scene.law, {scene.duration, 0.01}, seen);
  EXPECT_NE(summary.status, RunStatus::not_finished) << summary.message;
  EXPECT_EQ(seen.feet.size(), 4u);
  const Ledger& ledger = summary.ledger;
  EXPECT_NEAR(ledger.error(), 0, 1e-6 * std::abs(ledger.start));
}

}  // namespace
}  // namespace carom::testing
