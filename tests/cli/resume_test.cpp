// Runs that go on: --resume, and scenes that start from a recorded state.

#include <sstream>

#include "cli/tool_in_a_folder.h"

namespace carom::testing {
namespace {

const std::string kPile =
    "gravity = 9.81\nlaw = \"newton\"\nrecord = {interval = 0.05}\ncontact = {e = 0.3, mu = 0.4}\n"
    "[[grid]]\nname = \"disc\"\ncount = [3, 3]\nspacing = 0.25\njitter = 0.02\nposition = [-0.3, 0.3]\n"
    "shape = {type = \"disc\", radius = 0.1}\ndensity = 100\n"
    "[[wall]]\nname = \"floor\"\nshape = \"plane\"\n"
    "[[wall]]\nname = \"left\"\nshape = {type = \"plane\", normal = [1, 0]}\nposition = [-0.5, 0]\n"
    "[[wall]]\nname = \"right\"\nshape = {type = \"plane\", normal = [-1, 0]}\nposition = [0.5, 0]\n";
const std::string kSwing =
    "[[body]]\nname = \"bob\"\nshape = {type = \"box\", size = [0.2, 0.1, 0.1]}\nmass = 1\nposition = [0, 3]\n"
    "[[joint]]\ntype = \"revolute\"\nbody = \"bob\"\nat = [0.3, 3]\n";
const std::string kInSteps = "scheme = {name = \"time-stepping\", step = 1e-3}\n";

class GoingOnTest : public ToolInAFolder {
 protected:
  /// The rows of a table from t on, without it.
  std::string rows_after(const std::string& file, double t) const {
    std::istringstream lines(text(file));
    std::string line, rows;
    std::getline(lines, line);
    while (std::getline(lines, line))
      if (std::stod(line) > t + 1e-6) rows += line + "\n";
    return rows;
  }
};

TEST_F(GoingOnTest, InTimeStepsItGivesTheBytesOfARunInOnePiece) {
  write("pile.toml", "duration = 1\n" + kInSteps + kPile + kSwing);
  ASSERT_EQ(carom("run pile.toml --quiet --out whole"), 0) << text("err");
  ASSERT_EQ(carom("run pile.toml --quiet --out part --set duration=0.5"), 0) << text("err");
  ASSERT_EQ(carom("run pile.toml --quiet --out part --resume"), 0) << text("err");
  EXPECT_EQ(text("part/trajectory.csv"), text("whole/trajectory.csv"));
  EXPECT_EQ(text("part/impacts.csv"), text("whole/impacts.csv"));
  EXPECT_EQ(text("part/contacts.csv"), text("whole/contacts.csv"));
  EXPECT_EQ(text("part/events.csv"), text("whole/events.csv"));
  EXPECT_EQ(text("part/restart.json"), text("whole/restart.json"));
  const Json part = Json::parse(text("part/summary.json")), whole = Json::parse(text("whole/summary.json"));
  for (const char* key : {"status", "t_end", "impacts", "energy"}) EXPECT_EQ(part[key], whole[key]) << key;
}

TEST_F(GoingOnTest, OfALimitedRunTheRestIsAdded) {
  write("pile.toml", "duration = 1\n" + kInSteps + kPile);
  ASSERT_EQ(carom("run pile.toml --quiet --out whole"), 0) << text("err");
  EXPECT_EQ(carom("run pile.toml --quiet --out part --timeout 0.001"), 1) << text("err");
  ASSERT_EQ(carom("run pile.toml --quiet --out part --resume"), 0) << text("err");
  EXPECT_EQ(text("part/trajectory.csv"), text("whole/trajectory.csv"));
}

TEST_F(GoingOnTest, BetweenEventsItIsTheSameRun) {
  write("ball.toml",
        "duration = 2\ngravity = 9.81\nlaw = \"newton\"\nrecord = {interval = 0.25}\ncontact = {e = 0.8}\n"
        "[[body]]\nname = \"ball\"\nshape = {type = \"box\", size = [0.2, 0.1, 0.1]}\nmass = 1\nposition = [0, 1]\n"
        "angle = 20\n[[wall]]\nname = \"floor\"\nshape = \"plane\"\n");
  ASSERT_EQ(carom("run ball.toml --quiet --out whole"), 0) << text("err");
  ASSERT_EQ(carom("run ball.toml --quiet --out part --set duration=0.6"), 0) << text("err");
  ASSERT_EQ(carom("run ball.toml --quiet --out part --resume"), 0) << text("err");
  const Json part = Json::parse(text("part/summary.json")), whole = Json::parse(text("whole/summary.json"));
  EXPECT_EQ(part["impacts"], whole["impacts"]);
  EXPECT_NEAR(part["energy"]["dissipated_impacts"], whole["energy"]["dissipated_impacts"], 1e-6);
  std::istringstream a(rows_after("part/trajectory.csv", 0.6)), b(rows_after("whole/trajectory.csv", 0.6));
  std::string one, other;
  int rows = 0;
  for (; std::getline(a, one) && std::getline(b, other); ++rows) EXPECT_NEAR(std::stod(one), std::stod(other), 1e-12);
  EXPECT_EQ(rows, 6);  // 0.75, 1, ... 2
}

TEST_F(GoingOnTest, PourFirstThenStrike) {
  const std::string hammer =
      "[[body]]\nname = \"hammer\"\nshape = {type = \"disc\", radius = 0.1}\ndensity = 500\nposition = [0, 2]\n"
      "velocity = [0, -3]\n";
  write("pour.toml", "duration = 1\n" + kInSteps + kPile);
  write("strike.toml", "duration = 0.5\nstart = {run = \"results/pour\"}\n" + kInSteps + kPile + hammer);
  EXPECT_EQ(carom("run strike.toml --quiet"), 2);
  EXPECT_NE(text("err").find("strike.toml:2:16: start.run = \"results/pour\": there are no results"), std::string::npos)
      << text("err");
  ASSERT_EQ(carom("run pour.toml --quiet"), 0) << text("err");
  ASSERT_EQ(carom("run strike.toml --quiet"), 0) << text("err");
  const std::string poured = text("results/pour/trajectory.csv"), struck = text("results/strike/trajectory.csv");
  const std::string last = poured.substr(poured.rfind('\n', poured.size() - 2) + 1);
  const std::string state = last.substr(last.find(','), 200), start = struck.substr(struck.find('\n') + 1);
  EXPECT_TRUE(start.starts_with("1,0,2,0,0,-3,0" + state)) << start.substr(0, 250);  // the hammer, then the discs
  EXPECT_NEAR(Json::parse(text("results/strike/summary.json"))["t_end"], 1.5, 1e-12);

  ASSERT_EQ(carom("run strike.toml --quiet --set start.t=0.5 --set start.clock=0"), 0) << text("err");
  EXPECT_NEAR(Json::parse(text("results/strike/summary.json"))["t_end"], 0.5, 1e-12);
  EXPECT_EQ(carom("run strike.toml --quiet --set start.t=0.52"), 2);
  EXPECT_NE(text("err").find("is no recorded time of results/pour; recorded are 0.5 and 0.55"), std::string::npos)
      << text("err");

  write("without.toml", "duration = 1\nstart = {run = \"results/strike\"}\n" + kInSteps + kPile);
  EXPECT_EQ(carom("run without.toml"), 2);
  EXPECT_NE(text("err").find("without.toml:2:9: start: results/strike has bodies that this scene has not: \"hammer\""),
            std::string::npos)
      << text("err");
}

TEST_F(GoingOnTest, WhatCannotGoOnIsSaid) {
  write("pile.toml", "duration = 0.1\n" + kInSteps + kPile);
  EXPECT_EQ(carom("run pile.toml --resume"), 2);
  EXPECT_NE(text("err").find("results/pile: has no restart.json: no run has ended there"), std::string::npos)
      << text("err");
  ASSERT_EQ(carom("run pile.toml --quiet"), 0) << text("err");
  EXPECT_EQ(carom("run pile.toml --resume"), 2);
  EXPECT_NE(text("err").find("arrived at t = 0.1 s, the end"), std::string::npos) << text("err");
  EXPECT_EQ(carom("run pile.toml --resume --set duration=1 --set 'grid[0].count=[3,4]'"), 2);
  EXPECT_NE(text("err").find("has no body 10 \"disc 10\""), std::string::npos) << text("err");
  EXPECT_EQ(carom("run pile.toml --resume --set duration=1 --set 'scheme=\"event-driven\"'"), 2);
  EXPECT_NE(text("err").find("was run by the scheme time-stepping"), std::string::npos) << text("err");
  write("results/pile/restart.json", "{\"format\": \"carom-restart/1\"");
  EXPECT_EQ(carom("run pile.toml --resume --set duration=1"), 2);
}

}  // namespace
}  // namespace carom::testing
