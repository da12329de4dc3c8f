// Robots in MJCF, and the same robot in both formats.

#include <cmath>
#include <numbers>

#include "carom/model/contact_rules.h"
#include "carom/model/joint_coordinate.h"
#include "scene/robot_files.h"

namespace carom::testing {
namespace {

constexpr double kPi = std::numbers::pi;

class ImportMjcf : public RobotFiles {
 protected:
  scene::Scene world_of(const std::string& bodies, const std::string& before = "") {
    return scene_of("<mujoco model=\"m\">" + before + "<worldbody>" + bodies + "</worldbody></mujoco>");
  }
};

TEST_F(ImportMjcf, BodiesWeighWhatTheirShapesDo) {
  const scene::Scene scene = world_of(
      "<body name=\"a\" pos=\"0 0 2\"><freejoint/><geom type=\"box\" size=\"0.1 0.2 0.3\"/>"
      "<geom type=\"sphere\" size=\"0.1\" pos=\"1 0 0\" mass=\"48\"/></body>");
  const Body& body = scene.description.bodies.at(0);
  EXPECT_NEAR(body.mass, 48 + 48, 1e-9);
  EXPECT_NEAR(scene.placement.poses[0].position.x(), 0.5, 1e-12);
  EXPECT_NEAR(body.inertia(2, 2), 48 * (0.04 + 0.16) / 12 + 0.4 * 48 * 0.01 + 96 * 0.25, 1e-9);
  EXPECT_EQ(scene.description.joints.size(), 0u);
}

TEST_F(ImportMjcf, CapsulesLieBetweenTheirEnds) {
  const scene::Scene scene = world_of(
      "<body name=\"a\"><freejoint/><geom name=\"shin\" type=\"capsule\" size=\"0.05\" fromto=\"0 0 0 0 3 "
      "4\"/></body>");
  const geometry::Part& part = scene.description.bodies.at(0).parts.at(0);
  EXPECT_DOUBLE_EQ(std::get<geometry::Capsule>(part.shape).half_length, 2.5);
  EXPECT_NEAR((part.pose.orientation * Vector3::UnitX() - Vector3(0, 0.6, 0.8)).norm(), 0, 1e-12);
  EXPECT_EQ(part.name, "shin");
}

TEST_F(ImportMjcf, AnglesAreInDegreesUnlessTheCompilerSaysOtherwise) {
  const std::string body =
      "<body name=\"a\" euler=\"0 0 90\"><joint name=\"h\" axis=\"0 0 1\" range=\"-30 60\" limited=\"true\"/>"
      "<geom size=\"0.1\" pos=\"1 0 0\"/></body>";
  const scene::Scene degrees = world_of(body);
  EXPECT_NEAR((degrees.placement.poses[0].position - Vector3(0, 1, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR(degrees.description.joints.at(0).stops->high, kPi / 3, 1e-12);
  const scene::Scene radians = world_of(body, "<compiler angle=\"radian\"/>");
  EXPECT_NEAR(radians.placement.poses[0].position.x(), std::cos(90.0), 1e-11);
}

TEST_F(ImportMjcf, ClassesGiveWhatElementsLeaveOut) {
  const scene::Scene scene = world_of(
      "<body name=\"a\" childclass=\"leg\"><joint name=\"h\"/><geom/><body name=\"b\" pos=\"1 0 0\">"
      "<joint name=\"k\" class=\"knee\"/><geom size=\"0.3\"/></body></body>",
      "<default><geom size=\"0.1\"/><default class=\"leg\"><joint damping=\"2\" axis=\"0 1 0\"/><default "
      "class=\"knee\"><joint damping=\"3\"/></default></default></default>");
  ASSERT_EQ(scene.description.joints.size(), 2u);
  EXPECT_DOUBLE_EQ(scene.description.joints[0].damping, 2);
  EXPECT_DOUBLE_EQ(scene.description.joints[1].damping, 3);
  EXPECT_NEAR((scene.description.joints[1].axis - Vector3::UnitY()).norm(), 0, 1e-12);
  EXPECT_DOUBLE_EQ(std::get<geometry::Sphere>(scene.description.bodies[0].parts[0].shape).radius, 0.1);
  EXPECT_DOUBLE_EQ(std::get<geometry::Sphere>(scene.description.bodies[1].parts[0].shape).radius, 0.3);
}

TEST_F(ImportMjcf, SeveralJointsOfABodyGetLightBodiesBetweenThem) {
  const app::ImportedScene result = imported(
      "<mujoco><worldbody><body name=\"a\" pos=\"0 0 1\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/>"
      "<joint name=\"z\" type=\"slide\" axis=\"0 0 1\"/><joint name=\"y\" axis=\"0 1 0\"/>"
      "<geom size=\"0.1\"/></body></worldbody></mujoco>");
  EXPECT_EQ(result.bodies, 3);
  EXPECT_EQ(result.joints, 3);
  EXPECT_TRUE(has_note(result, "has no mass and moves"));
}

TEST_F(ImportMjcf, TheGroundAndItsFriction) {
  const scene::Scene scene = world_of(
      "<geom type=\"plane\" size=\"5 5 1\" friction=\"0.6 0.1 0.1\"/><body name=\"a\" pos=\"0 0 1\"><freejoint/><geom "
      "size=\"0.1\" friction=\"0.9\"/></body>",
      "<option gravity=\"0 0 -5\"/>");
  ASSERT_EQ(scene.description.bodies.size(), 2u);
  const Model model(scene.description);
  EXPECT_EQ(ContactRules(model).properties(0, 1).mu, 0.6);
  EXPECT_EQ(scene.description.gravity, Vector3(0, 0, -5));
  EXPECT_FALSE(scene.description.bodies[0].is_free());
}

TEST_F(ImportMjcf, ASpringIsAMotorThatKeepsItsRest) {
  const scene::Scene scene = world_of(
      "<body name=\"a\"><joint name=\"h\" axis=\"0 1 0\" stiffness=\"4\" springref=\"30\" ref=\"10\"/><geom "
      "size=\"0.1\" pos=\"1 0 0\"/></body>");
  const Model model(scene.description);
  const Joint& joint = model.description().joints.at(0);
  ASSERT_TRUE(joint.motor);
  EXPECT_NEAR(joint.motor->target.at(0).value, kPi / 6, 1e-12);
  EXPECT_NEAR(joint_coordinate(model, model.state(scene.placement), joint).value, kPi / 18, 1e-12);
  EXPECT_NEAR((scene.placement.poses[0].position - Vector3(1, 0, 0)).norm(), 0, 1e-12) << "ref is where it is written";
}

TEST_F(ImportMjcf, ExcludedBodiesAndActuators) {
  const app::ImportedScene result = imported(
      "<mujoco><worldbody><body name=\"a\"><freejoint/><geom size=\"0.1\"/></body><body name=\"b\" pos=\"1 0 "
      "0\"><freejoint/><geom size=\"0.1\"/></body></worldbody><contact><exclude body1=\"a\" body2=\"b\"/></contact>"
      "<actuator><motor joint=\"x\"/><motor joint=\"y\"/></actuator></mujoco>");
  EXPECT_TRUE(has_note(result, "2 <actuator/motor>"));
  EXPECT_NE(result.text.find("bodies = [\"a\", \"b\"]\ntouches = false"), std::string::npos);
}

// ---- The same robot twice

const std::string kUrdf = R"(<robot name="arm">
  <link name="world"/>
  <link name="upper">
    <inertial><origin xyz="0.1 0 0.2" rpy="0.1 0.2 0.5"/><mass value="2"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision name="upper_box"><origin xyz="0 0 0.2"/><geometry><box size="0.1 0.1 0.4"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="world"/><child link="upper"/><origin xyz="0 0 1" rpy="0.3 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="0.7"/><dynamics damping="0.1"/>
  </joint>
  <link name="hand">
    <inertial><origin xyz="0 0 0.05"/><mass value="0.7"/>
      <inertia ixx="0.002" iyy="0.003" izz="0.004" ixy="0.0001" ixz="0.0002" iyz="0.0003"/></inertial>
    <collision name="palm"><geometry><cylinder radius="0.03" length="0.1"/></geometry></collision>
  </link>
  <joint name="rail" type="prismatic">
    <parent link="upper"/><child link="hand"/><origin xyz="0 0 0.5" rpy="0 0.4 0"/><axis xyz="1 0 1"/>
    <limit lower="-0.05" upper="0.1"/>
  </joint>
</robot>)";

const std::string kMjcf = R"(<mujoco model="arm">
  <compiler angle="radian" eulerseq="XYZ"/>
  <worldbody>
    <body name="upper" pos="0 0 1" euler="0.3 0 0">
      <joint name="shoulder" axis="0 1 0" range="-1 0.7" damping="0.1"/>
      <inertial pos="0.1 0 0.2" euler="0.1 0.2 0.5" mass="2" diaginertia="0.02 0.03 0.04"/>
      <geom name="upper_box" type="box" pos="0 0 0.2" size="0.05 0.05 0.2" friction="0.8"/>
      <body name="hand" pos="0 0 0.5" euler="0 0.4 0">
        <joint name="rail" type="slide" axis="1 0 1" range="-0.05 0.1"/>
        <inertial pos="0 0 0.05" mass="0.7" fullinertia="0.002 0.003 0.004 0.0001 0.0002 0.0003"/>
        <geom name="palm" type="cylinder" size="0.03 0.05" friction="0.8"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

TEST_F(ImportMjcf, TheSameRobotInBothFormatsIsTheSameScene) {
  app::ImportOptions options;
  options.pose = {{"shoulder", 0.3}, {"rail", 0.02}};
  options.e = 0.5;
  const auto lines_of = [&](const std::string& text) {
    const std::string scene = imported(text, options).text;
    return scene.substr(scene.find("dimension"));
  };
  EXPECT_EQ(lines_of(kUrdf), lines_of(kMjcf));
  const scene::Scene one = scene_of(kUrdf, options), other = scene_of(kMjcf, options);
  const auto end_of = [](const scene::Scene& scene) {
    const Model model(scene.description);
    Observer nobody;
    return run(model, model.state(scene.placement), scene.scheme, scene.law, {0.5, 0.1}, nobody);
  };
  const RunSummary a = end_of(one), b = end_of(other);
  EXPECT_GE(a.impacts, 1);
  EXPECT_EQ(a.impacts, b.impacts);
  EXPECT_EQ(a.end.q, b.end.q);
  EXPECT_NEAR(a.ledger.error(), 0, 1e-8);
}

}  // namespace
}  // namespace carom::testing
