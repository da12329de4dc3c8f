// Files that are no robots: one clear line with file and line, never a crash.

#include <random>

#include "scene/robot_files.h"

namespace carom::testing {
namespace {

class ImportMalformed : public RobotFiles {
 protected:
  /// The message, which starts with file and line.
  void expect_error(const std::string& text, const std::string& line, const std::string& part) {
    const std::string message = error_of(text);
    EXPECT_NE(message.find("robot.xml:" + line), std::string::npos) << message << "\nfor\n" << text;
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nfor\n" << text;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
};

const std::string kBody =
    "<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>";
const std::string kBodies =
    kBody +
    "\n<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n";

TEST_F(ImportMalformed, IsNoXml) {
  expect_error("<robot>\n<link name=\"a\">\n</robot>", "", "is no XML");
  expect_error("<robot name=\"a", "1", "is no XML");
  expect_error("<robot><link name=a/></robot>", "1", "is no XML");
  expect_error("{\"a\": 1}", "1", "expected '<'");
  expect_error("<!-- nothing -->", "1", "has no element");
  expect_error("<html/>", "1", "is no robot");
  EXPECT_NE(error_of(""), "");
}

TEST_F(ImportMalformed, EntitiesAreRefused) {
  expect_error("<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY lol \"lol\">]>\n<robot name=\"&lol;\"/>", "2",
               "DOCTYPE");
  std::string bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE b [\n<!ENTITY a0 \"x\">\n";
  for (int i = 1; i < 30; ++i)
    bomb +=
        "<!ENTITY a" + std::to_string(i) + " \"&a" + std::to_string(i - 1) + ";&a" + std::to_string(i - 1) + ";\">\n";
  expect_error(bomb + "]><robot>&a29;</robot>", "2", "DOCTYPE");
}

TEST_F(ImportMalformed, DeepFilesAreRefused) {
  std::string deep;
  for (int i = 0; i < 400; ++i) deep += "<a>";
  for (int i = 0; i < 400; ++i) deep += "</a>";
  expect_error("<robot>" + deep + "</robot>", "1", "depth");
  std::string deeper = "<mujoco><worldbody>";
  for (int i = 0; i < 100'000; ++i) deeper += "<body>";
  EXPECT_NE(error_of(deeper), "");
}

TEST_F(ImportMalformed, Urdf) {
  expect_error("<robot name=\"r\"/>", "1", "no <link>");
  expect_error("<robot>\n<link/></robot>", "2", "no name");
  expect_error("<robot>\n" + kBody + "\n" + kBody + "</robot>", "3", "twice");
  expect_error("<robot>\n" + kBodies +
                   "<joint name=\"j\" type=\"screw\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
               "4", "screw");
  expect_error("<robot>\n" + kBodies +
                   "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint></robot>",
               "4", "\"c\" is no link");
  expect_error("<robot>\n" + kBodies + "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint></robot>", "4",
               "no <child>");
  expect_error("<robot>\n" + kBodies +
                   "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>"
                   "<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint></robot>",
               "1", "ring");
  expect_error("<robot>\n" + kBodies +
                   "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>"
                   "<joint name=\"k\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
               "1", "two parents");
  expect_error("<robot>\n" + kBodies +
                   "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
               "4", "no <limit>");
  expect_error(
      "<robot>\n" + kBodies +
          "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 0\"/><limit "
          "lower=\"0\" upper=\"1\"/></joint></robot>",
      "4", "length 0");
  expect_error("<robot>\n" + kBodies +
                   "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><limit lower=\"2\" "
                   "upper=\"1\"/></joint></robot>",
               "4", "above upper");
  const auto with = [](const std::string& part) {
    return "<robot>\n<link name=\"a\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
           "izz=\"1\"/></inertial>\n" +
           part + "</link></robot>";
  };
  expect_error(with("<collision><geometry><box size=\"1 2\"/></geometry></collision>"), "4", "has 2 numbers");
  expect_error(with("<collision><geometry><box size=\"1 2 x\"/></geometry></collision>"), "4", "finite numbers");
  expect_error(with("<collision><geometry><box size=\"1 2 nan\"/></geometry></collision>"), "4", "finite numbers");
  expect_error(with("<collision><geometry><box size=\"1 2 -3\"/></geometry></collision>"), "4", "not positive");
  expect_error(with("<collision><geometry><sphere radius=\"0\"/></geometry></collision>"), "4", "not positive");
  expect_error(with("<collision/>"), "4", "no <geometry>");
  expect_error("<robot>\n<link name=\"a\"><inertial><mass value=\"-1\"/><inertia ixx=\"1\"/></inertial></link></robot>",
               "2", "not negative");
}

TEST_F(ImportMalformed, Mjcf) {
  const auto body = [](const std::string& part) {
    return "<mujoco><worldbody>\n<body name=\"a\">\n" + part + "</body></worldbody></mujoco>";
  };
  expect_error("<mujoco/>", "1", "no <worldbody>");
  expect_error("<mujoco><worldbody/></mujoco>", "1", "no <body>");
  expect_error(body("<geom size=\"-1\"/>"), "3", "not positive");
  expect_error(body("<geom type=\"capsule\" size=\"1\"/>"), "3", "has 1 numbers");
  expect_error(body("<geom type=\"capsule\" size=\"1\" fromto=\"0 0 0 0 0 0\"/>"), "3", "one place");
  expect_error(body("<joint type=\"twist\"/>"), "3", "twist");
  expect_error(body("<joint axis=\"0 0 0\"/>"), "3", "length 0");
  expect_error(body("<joint range=\"2 1\"/>"), "3", "smaller");
  expect_error(body("<joint class=\"none\"/>"), "3", "no <default>");
  expect_error(body("<geom size=\"1\"/><body><freejoint/><geom size=\"1\"/></body>"), "3", "free joint");
  expect_error("<mujoco><compiler eulerseq=\"abc\"/><worldbody><body/></worldbody></mujoco>", "1", "eulerseq");
  expect_error("<mujoco><compiler coordinate=\"global\"/><worldbody><body/></worldbody></mujoco>", "1", "global");
}

TEST_F(ImportMalformed, FilesWithAnyByteChangedGiveASceneOrAnError) {
  std::ifstream stream(std::string(CAROM_SOURCE_DIR) + "/examples/robots/quadruped.urdf", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    std::string changed = text;
    for (int k = 0; k < 3; ++k) changed[random() % changed.size()] = static_cast<char>(32 + random() % 95);
    if (i % 3 == 0) changed.resize(random() % changed.size());
    const std::string message = error_of(changed);
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace carom::testing
