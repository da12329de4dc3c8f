// carom run as scripts see it.

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/tool_in_a_folder.h"

namespace carom::testing {
namespace {

using RunCommand = ToolInAFolder;

TEST_F(RunCommand, WritesItsResultsAndTellsWhatHappened) {
  ASSERT_EQ(carom("run " + scenes + "bouncing_ball.toml'"), 0) << text("err");
  EXPECT_NE(text("out").find("1 infinite sequence ended"), std::string::npos) << text("out");
  EXPECT_NE(text("out").find("every impact is consistent"), std::string::npos);
  EXPECT_EQ(text("err"), "");
  const Json summary = Json::parse(text("results/bouncing_ball/summary.json"));
  EXPECT_EQ(summary["format"], "carom-run/1");
  EXPECT_EQ(summary["status"], "solved");
  EXPECT_TRUE(summary["certificate"]["consistent"]);
  EXPECT_NEAR(summary["accumulation_times"][0], 0.4515236409857309 * 9, 1e-9);
  const std::string trajectory = text("results/bouncing_ball/trajectory.csv");
  EXPECT_TRUE(trajectory.starts_with(
      "t [s],ball.x [m],ball.y [m],ball.angle [rad],ball.vx [m/s],ball.vy [m/s],ball.spin [rad/s],kinetic [J]"));
  EXPECT_EQ(std::count(trajectory.begin(), trajectory.end(), '\n'), 1002);
  const std::string impacts = text("results/bouncing_ball/impacts.csv");
  EXPECT_EQ(std::count(impacts.begin(), impacts.end(), '\n'), 1 + summary["impacts"].get<long>());
}

TEST_F(RunCommand, GivesTheSameBytesAgain) {
  for (const char* out : {"a", "b"})
    ASSERT_EQ(carom("run " + scenes + "newtons_cradle.toml' --quiet --set duration=3 --out " + out), 0) << text("err");
  for (const char* file : {"trajectory.csv", "impacts.csv", "summary.json"})
    EXPECT_EQ(text(std::string("a/") + file), text(std::string("b/") + file)) << file;
}

TEST_F(RunCommand, PrintsOneDocumentWithJson) {
  ASSERT_EQ(carom("run " + scenes + "gas.toml' --json --set duration=0.1 --out gas"), 0) << text("err");
  EXPECT_EQ(Json::parse(text("out")), Json::parse(text("gas/summary.json")));
}

TEST_F(RunCommand, ChecksWithoutRunning) {
  EXPECT_EQ(carom("run --check " + scenes + "newtons_cradle.toml'"), 0);
  EXPECT_NE(text("out").find("nothing wrong"), std::string::npos);
  EXPECT_NE(text("out").find("ball 1 - ball 2  0.97   0  Hertz 1.538e+10 N/m^1.5"), std::string::npos) << text("out");
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

TEST_F(RunCommand, ArrivesWhereAnImpactIsNotOfTheLawsKindAndSaysSo) {
  ASSERT_EQ(carom("run " + scenes + "bernoulli.toml' --law smith --out two"), 0) << text("err");
  EXPECT_NE(text("out").find("approximate: "), std::string::npos) << text("out");
  const Json summary = Json::parse(text("two/summary.json"));
  EXPECT_EQ(summary["status"], "approximate");
  EXPECT_EQ(summary["t_end"], summary["duration"]);
  EXPECT_GE(summary["approximate_steps"], 1);
  EXPECT_EQ(summary["worst_residual"], summary["approximate"]["worst"]["residual"]);
  EXPECT_EQ(summary["approximate"]["worst"]["rung"], "plastic");
  EXPECT_EQ(summary["approximate"]["by_rung"]["plastic"], summary["approximate_steps"]);
  EXPECT_EQ(summary["approximate"]["worst"]["file"], "worst_step.json");
  EXPECT_EQ(carom("impact two/worst_step.json --law newton"), 0) << text("err");
  EXPECT_EQ(carom("impact two/worst_step.json"), 2) << "smith takes one closing contact";
}

TEST_F(RunCommand, RefusesNumbersThatFloatingPointCannotCarry) {
  const std::string start = "law = \"newton\"\nduration = 1\n",
                    disc = "[[body]]\nname = \"disc\"\nshape = {type = \"disc\", radius = 0.1}\nmass = 1\n";
  const struct {
    std::string scene, message;
  } bad[] = {
      {start + "gravity = 1e308\n" + disc, "s.toml:3:11: gravity = -1e+308 is too large"},
      {start + disc + "velocity = [1e20, 0]\n", "s.toml:7:12: body[0].velocity = 1e+20 m/s leads 1e+20 m far in 1 s"},
      {start + disc + "angular_velocity = 1e20\n", "s.toml:7:20: body[0].angular_velocity = 1e+20 rad/s"},
      {start + disc + "[record]\ninterval = 1e-300\n", "s.toml:8:12: record.interval = 1e-300 asks for 1e+300 records"},
      {start + disc + "[scheme]\nname = \"time-stepping\"\nstep = 1e-12\n",
       "s.toml:9:8: scheme.step = 1e-12 needs 1e+12 steps"},
      {start + disc + "[[force]]\nbody = \"disc\"\nforce = [1e200, 0]\n", "force = 1e+200 is too large"},
  };
  for (const auto& [scene, message] : bad) {
    write("s.toml", scene);
    EXPECT_EQ(carom("run s.toml"), 2) << scene;
    EXPECT_NE(text("err").find(message), std::string::npos) << text("err");
    EXPECT_EQ(text("out"), "");
    EXPECT_FALSE(fs::exists(folder_ / "results"));
  }
}

TEST_F(RunCommand, WritesStatesForParaView) {
  write("ball.toml",
        "duration = 1\nlaw = \"newton\"\nrecord = {interval = 0.5, formats = [\"vtk\"]}\n[[body]]\nname = \"ball\"\n"
        "shape = {type = \"disc\", radius = 1}\nmass = 1\nvelocity = [2, 0]\n");
  ASSERT_EQ(carom("run ball.toml --out v"), 0) << text("err");
  EXPECT_NE(text("v/states.pvd").find("timestep=\"0.5\" file=\"states/state_000001.vtp\""), std::string::npos);
  EXPECT_NE(text("v/states/state_000002.vtp").find("NumberOfVerts=\"1\""), std::string::npos);
  EXPECT_TRUE(fs::exists(folder_ / "v/forces/force_000002.vtp"));
  EXPECT_FALSE(fs::exists(folder_ / "v/trajectory.csv"));
}

TEST_F(RunCommand, RefusesBadScenesWithTheirPlaceAndWritesNothing) {
  const std::string ball = "duration = 1\nlaw = \"newton\"\n[[body]]\nname = \"ball\"\nmass = 1\n";
  const struct {
    std::string scene, message;
  } bad[] = {
      {ball + "shape = {type = \"disc\", radius = -1}\n", "bad.toml:6:34: "},
      {ball + "shape = {type = \"disc\", radius = 1}\n[[wall]]\nname = \"floor\"\nshape = \"plane\"\n",
       "overlap by 1 m"},
      {ball + "shape = {type = \"disc\", radius = 1}\n[scheme]\nname = \"time-stepping\"\nstep = 0\n", "step"},
      {ball + "colour = \"red\"\n", "unknown key"},
  };
  for (const auto& [scene, message] : bad) {
    write("bad.toml", scene);
    EXPECT_EQ(carom("run bad.toml"), 2) << scene;
    EXPECT_NE(text("err").find(message), std::string::npos) << text("err");
    EXPECT_TRUE(text("err").starts_with("bad.toml:")) << text("err");
    EXPECT_EQ(text("out"), "");
    EXPECT_FALSE(fs::exists(folder_ / "results"));
  }
}

}  // namespace
}  // namespace carom::testing
