// carom impact of scenes as scripts see it.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/tool_in_a_folder.h"

namespace carom::testing {
namespace {

using SceneImpactCommand = ToolInAFolder;

Json outcome_of(const std::string& text) {
  Json outcome = Json::parse(text);
  outcome.erase("cost");
  return outcome;
}

TEST_F(SceneImpactCommand, TakesTheFirstImpactOfAScene) {
  ASSERT_EQ(carom("impact " + scenes + "bouncing_ball.toml'"), 0) << text("err");
  for (const char* part : {"Bouncing ball: impact 1, t = 0.4515", "u: [0] ball vx, [1] ball vy, [2] ball spin",
                           "newton: solved", "the first impact of the scene; --at N"})
    EXPECT_NE(text("out").find(part), std::string::npos) << part << text("out");
}

TEST_F(SceneImpactCommand, SavesAProblemThatGivesTheSameDigits) {
  const struct {
    std::string scene, at;
  } impacts[] = {{"newtons_cradle.toml' --set duration=2", "2"},
                 {"tennis_and_basketball.toml'", "first"},
                 {"double_pendulum.toml'", "3"},
                 {"spinning_ellipsoid.toml'", "t=0.5"},
                 {"stack.toml' --set duration=0.5", "2"},
                 {"bead_column_forces.toml'", "first"}};
  for (const auto& [scene, at] : impacts) {
    ASSERT_EQ(carom("impact " + scenes + scene + " --json --save saved.json --at " + at), 0) << scene << text("err");
    const Json from_scene = outcome_of(text("out"));
    ASSERT_EQ(carom("impact saved.json --json"), 0) << scene << text("err");
    EXPECT_EQ(outcome_of(text("out")), from_scene) << scene;
    EXPECT_EQ(Json::parse(text("saved.json"))["format"], "carom-problem/1");
  }
}

TEST_F(SceneImpactCommand, IsTheImpactOfTheRun) {
  ASSERT_EQ(carom("run " + scenes + "newtons_cradle.toml' --set duration=2 --out run --quiet"), 0);
  std::istringstream rows(text("run/impacts.csv"));
  std::string header, first, second;
  std::getline(rows, header);
  std::getline(rows, first);
  std::getline(rows, second);
  const double t = std::stod(second.substr(0, second.find(',')));
  ASSERT_EQ(carom("impact " + scenes + "newtons_cradle.toml' --set duration=2 --at 2 --save two.json --quiet"), 0);
  const std::string about = Json::parse(text("two.json"))["about"];
  EXPECT_NEAR(std::stod(about.substr(about.find("t = ") + 4)), t, 1e-12) << about << second;
  ASSERT_EQ(carom("impact " + scenes +
                  "newtons_cradle.toml' --set duration=2 --save same.json --quiet --at t=" + std::to_string(t - 1e-3)),
            0);
  EXPECT_EQ(text("same.json"), text("two.json"));
}

TEST_F(SceneImpactCommand, HasAPathAndTakesAnotherLaw) {
  ASSERT_EQ(carom("impact " + scenes + "bead_column.toml' --at 1 --path --out path"), 0) << text("err");
  EXPECT_TRUE(fs::exists(folder_ / "path/path.svg"));
  ASSERT_EQ(carom("impact " + scenes + "bead_column.toml' --law 'compliant{force=exact}' --json"), 0) << text("err");
  EXPECT_EQ(Json::parse(text("out"))["law"], "compliant");
}

TEST_F(SceneImpactCommand, RefusesInOneLineAndWritesNothing) {
  const std::string ball = "impact " + scenes + "bouncing_ball.toml' --save never.json ";
  write("file", "");
  write("problem.json", R"({"mass": [1], "u": [-1], "contacts": [{"normal": [1], "e": 1}], "law": "newton"})");
  const struct {
    std::string arguments, message;
  } bad[] = {
      {ball + "--at second", "--at: \"second\" is none of first, a number from 1, or a time such as t=0.35 [s]"},
      {ball + "--at 0", "is none of first"},
      {ball + "--at t=soon", "is none of first"},
      {ball + "--at 3 --set duration=0.8", "--at 3: the run has only 1 impact until t = 0.8 s"},
      {ball + "--at t=0.7 --set duration=0.8", "the run has 1 until t = 0.8 s, the last at t = 0.4515"},
      {ball + "--set duration=0.1", "--at 1: the run has no impact until t = 0.1 s"},
      {ball + "--law nwton", "unknown law \"nwton\""},
      {"impact " + scenes + "bouncing_ball.toml' --save file/never.json", "--save file/never.json: cannot be written"},
      {"impact problem.json --at 2", "--at: is for scenes"},
      {"impact problem.json --save never.json", "--save: writes an impact of a scene"},
      {"run problem.json", "is a problem, one impact, and scenes are *.toml; carom impact problem.json solves it"},
      {"admissible " + scenes + "bouncing_ball.toml'", "is a scene, not a problem; carom impact "},
  };
  for (const auto& [arguments, message] : bad) {
    EXPECT_EQ(carom(arguments), 2) << arguments;
    const std::string told = text("err");
    EXPECT_NE(told.find(message), std::string::npos) << arguments << "\n" << told;
    EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
    EXPECT_EQ(text("out"), "") << arguments;
    EXPECT_FALSE(fs::exists(folder_ / "never.json")) << arguments;
  }
}

}  // namespace
}  // namespace carom::testing
