// A run that was interrupted and goes on gives the bytes of a run in one piece, by every scheme.

#include <cmath>
#include <csignal>
#include <sstream>
#include <thread>
#include <vector>

#include "cli/tool_in_a_folder.h"

namespace carom::testing {
namespace {

const std::vector<std::string> kTables = {"trajectory.csv", "impacts.csv", "contacts.csv",
                                          "joints.csv",     "events.csv",  "closures.csv"};

class SameBytesTest : public ToolInAFolder {
 protected:
  void run(const std::string& what, const std::string& options) {
    ASSERT_EQ(carom("run " + what + " --quiet --no-report " + options), 0) << what << " " << options << text("err");
  }

  /// All tables, and what the summaries say of the end.
  void expect_same(const std::string& a, const std::string& b, const std::string& about) {
    for (const std::string& table : kTables) EXPECT_EQ(text(a + "/" + table), text(b + "/" + table)) << about << table;
    const Json one = Json::parse(text(a + "/summary.json")), other = Json::parse(text(b + "/summary.json"));
    for (const char* key : {"status", "t_end", "impacts", "energy", "bodies", "certificate", "contacts", "cost"})
      EXPECT_EQ(one[key], other[key]) << about << key;
  }

  /// The rows of a table from t on; without the last, whose time is a sum, where `to` is given.
  std::string rows_from(const std::string& file, double t, double to = 1e300) const {
    std::istringstream lines(text(file));
    std::string line, rows;
    std::getline(lines, line);
    while (std::getline(lines, line))
      if (std::stod(line) >= t && std::stod(line) < to) rows += line + "\n";
    return rows;
  }

  /// The time of an impact in the middle of a run; 0 if it has none.
  double impact_of(const std::string& folder) const {
    std::istringstream lines(text(folder + "/impacts.csv"));
    std::vector<double> times;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) times.push_back(std::stod(line));
    return times.empty() ? 0 : times[times.size() / 2];
  }

  static std::string digits(double value) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
  }
};

struct Case {
  const char* scene;
  double duration, interval;
};

/// Stopped in flight, in lasting contact, at an impact and one rounding after it.
TEST_F(SameBytesTest, OfScenesOfEveryScheme) {
  const std::vector<Case> cases = {{"bouncing_ball", 3, 0.05},   {"newtons_cradle", 1.5, 0.05},
                                   {"rocking_block", 2, 0.05},   {"stick_slip", 2, 0.05},
                                   {"gas", 0.1, 0.004},          {"double_pendulum", 1, 0.05},
                                   {"impact_pendulum", 1, 0.05}, {"dominoes", 0.3, 0.02},
                                   {"penalty_ball", 1.28, 0.04}, {"bead_column_forces", 4e-4, 1e-5},
                                   {"stack", 0.2, 0.02},         {"tapered_beads_on_wall", 2e-5, 1e-6}};
  for (const Case& one : cases) {
    const std::string scene = scenes + one.scene + ".toml'";
    const std::string every = " --set record.interval=" + digits(one.interval), to = " --set duration=";
    run(scene, "--out whole" + every + to + digits(one.duration));
    std::vector<double> stops = {0.37 * one.duration, 0.7113 * one.duration};
    if (const double t = impact_of("whole"); t > 0 && t < one.duration) stops.push_back(std::nextafter(t, 1e9));
    for (const double stop : stops) {
      run(scene, "--out part" + every + to + digits(stop));
      run(scene, "--out part --resume" + every + to + digits(one.duration));
      expect_same("part", "whole", std::string(one.scene) + " stopped at " + digits(stop) + ": ");
    }
    const double from = std::stod(rows_from("whole/trajectory.csv", 0.5 * one.duration));
    const double to_last = (1 - 1e-9) * one.duration;
    run(scene, "--out rest" + every + to + digits(one.duration - from) +
                   " --set 'start={run=\"whole\", t=" + digits(from) + "}'");
    EXPECT_EQ(Json::parse(text("rest/summary.json"))["start"]["in_one_piece"], true) << one.scene;
    for (const std::string& table : kTables)
      EXPECT_EQ(rows_from("rest/" + table, from, to_last), rows_from("whole/" + table, from, to_last))
          << one.scene << " " << table;
    fs::remove_all(folder_ / "part");
  }
}

const std::string kBalls =
    "gravity = 9.81\nlaw = \"newton\"\nrecord = {interval = 0.05}\ncontact = {e = 0.6, mu = 0.3}\n"
    "[[grid]]\nname = \"disc\"\ncount = [3, 2]\nspacing = 0.25\njitter = 0.02\nposition = [-0.3, 0.3]\n"
    "shape = {type = \"disc\", radius = 0.1}\ndensity = 100\n"
    "[[wall]]\nname = \"floor\"\nshape = \"plane\"\n";

TEST_F(SameBytesTest, InManyParts) {
  write("balls.toml", kBalls);
  run("balls.toml", "--out whole --set duration=1.5");
  run("balls.toml", "--out part --set duration=0.11");
  for (const char* end : {"0.3", "0.9", "1.2", "1.5"})
    run("balls.toml", "--out part --resume --set duration=" + std::string(end));
  expect_same("part", "whole", "");
  EXPECT_EQ(text("part/restart.json"), text("whole/restart.json"));
}

TEST_F(SameBytesTest, OfALimitedRun) {
  write("balls.toml", "duration = 3\n" + kBalls);
  run("balls.toml", "--out whole");
  int code = carom("run balls.toml --quiet --no-report --out part --timeout 0.002");
  for (int part = 0; part < 1000 && code == 1; ++part)
    code = carom("run balls.toml --quiet --no-report --out part --resume --timeout 0.01");
  ASSERT_EQ(code, 0) << text("err");
  expect_same("part", "whole", "");
}

TEST_F(SameBytesTest, ASceneThatWasChangedStartsAnew) {
  write("balls.toml", kBalls);
  run("balls.toml", "--out first --set duration=0.5");
  run("balls.toml", "--out same --set duration=0.5 --set title=other --set 'start={run=\"first\"}'");
  EXPECT_EQ(Json::parse(text("same/summary.json"))["start"]["in_one_piece"], true);
  run("balls.toml", "--out other --set duration=0.5 --set contact.e=0.5 --set 'start={run=\"first\"}'");
  EXPECT_EQ(Json::parse(text("other/summary.json"))["start"]["in_one_piece"], false);
  run("balls.toml", "--out third --set duration=0.5 --set 'start={run=\"first\", clock=0}'");
  EXPECT_EQ(Json::parse(text("third/summary.json"))["start"]["in_one_piece"], false);
  run("balls.toml", "--out whole --set duration=1.5");
  run("balls.toml", "--out rest --set duration=0.5 --set 'start={run=\"same\"}'");
  for (const std::string& table : kTables)
    EXPECT_EQ(rows_from("rest/" + table, 1), rows_from("whole/" + table, 1)) << table;
}

TEST_F(SameBytesTest, ChangedCheckpointsAreRefused) {
  write("balls.toml", kBalls);
  run("balls.toml", "--out part --set duration=0.5");
  std::string bytes = text("part/restart.bin");
  ASSERT_GT(bytes.size(), 200u);
  write("part/restart.bin", bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(carom("run balls.toml --out part --resume --set duration=1"), 2);
  EXPECT_NE(text("err").find("restart.bin: is cut off"), std::string::npos) << text("err");
  bytes[150] = static_cast<char>(bytes[150] ^ 1);
  write("part/restart.bin", bytes);
  EXPECT_EQ(carom("run balls.toml --out part --resume --set duration=1"), 2);
  EXPECT_NE(text("err").find("restart.bin: was changed"), std::string::npos) << text("err");
  fs::remove(folder_ / "part/restart.bin");
  run("balls.toml", "--out part --resume --set duration=1");
  EXPECT_EQ(Json::parse(text("part/summary.json"))["start"]["in_one_piece"], false);
}

/// Killed a while after its first checkpoint, wherever it is.
TEST_F(SameBytesTest, OfAKilledRun) {
  write("balls.toml", "duration = 1000\nscheme = {name = \"time-stepping\", step = 1e-4}\n" + kBalls);
  const std::string command = "cd '" + folder_.string() + "' && exec '" + CAROM_TOOL +
                              "' run balls.toml --quiet --no-report --out part >out 2>err </dev/null";
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  for (int i = 0; i < 6000 && !fs::exists(folder_ / "part/unfinished/restart.json"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(fs::exists(folder_ / "part/unfinished/restart.json"));
  const double reached = Json::parse(text("part/unfinished/restart.json"))["t"];
  const std::string end = " --set duration=" + digits(reached + 0.5);
  run("balls.toml", "--out part --resume" + end);
  run("balls.toml", "--out whole" + end);
  expect_same("part", "whole", "");
}

}  // namespace
}  // namespace carom::testing
