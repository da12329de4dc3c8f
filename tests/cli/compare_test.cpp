// carom compare of scenes as scripts see it.

#include <gtest/gtest.h>

#include "cli/tool_in_a_folder.h"

namespace carom::testing {
namespace {

using CompareCommand = ToolInAFolder;

TEST_F(CompareCommand, RunsASceneUnderSeveralLawsAndWritesNothing) {
  ASSERT_EQ(carom("compare " + scenes + "newtons_cradle.toml' --laws lzb,newton --set duration=0.5"), 0) << text("err");
  for (const char* part : {"Newton's cradle", "5 bodies, 5 joints for 0.5 s: event-driven", "lzb  ", "newton\n",
                           "impacts", "kinetic energy [J]", "potential energy [J]", "lost in impacts [J]", "consistent",
                           "worst relative residual", "computed in", "ball 5 vx"})
    EXPECT_NE(text("out").find(part), std::string::npos) << part << "\n" << text("out");
  EXPECT_EQ(text("err"), "");
  EXPECT_EQ(text("out").find("spin"), std::string::npos) << "nothing turns";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
    EXPECT_TRUE(entry.path().filename() == "out" || entry.path().filename() == "err") << entry;
}

TEST_F(CompareCommand, GivesForEachLawWhatARunGives) {
  const std::string scene = scenes + "newtons_cradle.toml' --set duration=0.5 --quiet ";
  ASSERT_EQ(carom("compare " + scene + "--laws lzb,newton --out both"), 0) << text("err");
  EXPECT_EQ(text("out"), "");
  const Json comparison = Json::parse(text("both/comparison.json"));
  EXPECT_EQ(comparison["format"], "carom-comparison/1");
  ASSERT_EQ(comparison["runs"].size(), 2u);
  EXPECT_EQ(comparison["runs"][0]["format"], "carom-run/1");
  EXPECT_EQ(comparison["runs"][0]["law"], "lzb");
  EXPECT_EQ(comparison["runs"][1]["law"], "newton");
  EXPECT_GT(comparison["runs"][1]["cost"]["seconds"], 0);
  for (const std::string law : {"lzb", "newton"}) {
    ASSERT_EQ(carom("run " + scene + "--law " + law + " --out " + law), 0) << text("err");
    for (const char* file : {"/summary.json", "/trajectory.csv", "/impacts.csv"})
      EXPECT_EQ(text("both/" + law + file), text(law + file)) << law << file;
  }
}

TEST_F(CompareCommand, TakesAllLawsThatApplyToTheScene) {
  ASSERT_EQ(carom("compare " + scenes + "bouncing_ball.toml' --set duration=1 --json"), 0) << text("err");
  const Json comparison = Json::parse(text("out"));
  EXPECT_GE(comparison["runs"].size(), 3u);
  ASSERT_EQ(comparison["left_out"].size(), 1u);
  EXPECT_TRUE(comparison["left_out"][0].get<std::string>().starts_with("generalized-kinematic is left out: "))
      << comparison["left_out"];
}

TEST_F(CompareCommand, KeepsTheScenesParametersForItsOwnLaw) {
  ASSERT_EQ(carom("compare " + scenes +
                  "newtons_cradle.toml' --laws lzb --json --set duration=0.3 --set "
                  "law.stiffness=mono"),
            0)
      << text("err");
  const Json mono = Json::parse(text("out"))["runs"][0];
  ASSERT_EQ(carom("compare " + scenes + "newtons_cradle.toml' --laws lzb --json --set duration=0.3"), 0);
  EXPECT_NE(Json::parse(text("out"))["runs"][0]["bodies"], mono["bodies"]);
}

TEST_F(CompareCommand, SaysThatARunStoppedAtALimitOfTheUser) {
  ASSERT_EQ(carom("compare " + scenes + "bouncing_ball.toml' --laws newton,poisson --json --set scheme.most_impacts=2"),
            0)
      << text("err");
  EXPECT_EQ(Json::parse(text("out"))["runs"][0]["status"], "stopped");
}

TEST_F(CompareCommand, RefusesBeforeAnythingIsWritten) {
  const std::string ball = scenes + "bouncing_ball.toml' --out never ";
  const struct {
    std::string arguments, message;
  } bad[] = {
      {ball + "--laws newton,newtom", "did you mean \"newton\"?"},
      {ball + "--laws newton,newton", "--laws: names newton twice"},
      {ball + "--laws newton,generalized-kinematic", "generalized-kinematic cannot be used in this scene"},
      {ball + "--laws newton --set duration=-1", "duration = -1 is not positive"},
      {ball + "--set body[0].position=[0,0]", "overlap"},
      {"missing.toml", "missing.toml"},
  };
  for (const auto& [arguments, message] : bad) {
    EXPECT_EQ(carom("compare " + arguments), 2) << arguments;
    EXPECT_NE(text("err").find(message), std::string::npos) << text("err");
    EXPECT_EQ(text("out"), "");
    EXPECT_FALSE(fs::exists(folder_ / "never"));
  }
}

}  // namespace
}  // namespace carom::testing
