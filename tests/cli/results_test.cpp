// The results of a run are whole or absent, whatever happens to it.

#include <sys/file.h>

#include <csignal>
#include <thread>

#include "cli/tool_in_a_folder.h"

namespace carom::testing {
namespace {

class Results : public ToolInAFolder {
 protected:
  /// A scene that would run for hours.
  void write_endless() const {
    write("endless.toml", R"(
gravity = 9.81
duration = 1e6
law = "newton"
record = {interval = 100}
contact = {e = 1}
[[wall]]
name = "floor"
shape = "plane"
[[body]]
name = "ball"
shape = {type = "sphere", radius = 0.1}
mass = 1
position = [0, 1]
)");
  }
  int shell(const std::string& command) const {
    const int status = std::system(("cd '" + folder_.string() + "' || exit; " + command).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string tool = "'" + std::string(CAROM_TOOL) + "'";
};

TEST_F(Results, ATimeLimitEndsARunWithItsFilesComplete) {
  write_endless();
  EXPECT_EQ(carom("run endless.toml --timeout 0.3 --out late"), 1);
  EXPECT_NE(text("out").find("not-finished: the time limit was reached at t = "), std::string::npos) << text("out");
  const Json summary = Json::parse(text("late/summary.json"));
  EXPECT_EQ(summary["status"], "not-finished");
  for (const std::string file : summary["files"]) EXPECT_TRUE(fs::exists(folder_ / "late" / file)) << file;
  EXPECT_FALSE(fs::exists(folder_ / "late/unfinished"));
  EXPECT_TRUE(text("late/trajectory.csv").ends_with("\n"));
  EXPECT_NE(text("late/events.csv").find(",stop,"), std::string::npos);
}

/// Under every scheme the last state is recorded, though it lies between the times that were asked for.
TEST_F(Results, OfARunThatEndsEarlyTheLastStateIsRecorded) {
  const std::string ball =
      "gravity = 9.81\nrecord = {interval = 1e4}\ncontact = {e = 0.9, k = 1e5}\n"
      "[[wall]]\nname = \"shaker\"\nshape = \"plane\"\nmotion = {y = \"0.01*sin(20*t)\"}\n"
      "[[body]]\nname = \"ball\"\nshape = {type = \"sphere\", radius = 0.1}\nmass = 1\nposition = [0, 1]\n";
  for (const char* scheme : {"law = \"newton\"", "law = \"newton\"\nscheme = {name = \"time-stepping\", step = 1e-3}",
                             "law = \"compliant\"\nscheme = \"compliant\"",
                             "law = \"compliant\"\nscheme = {name = \"compliant\", step = 1e-5}"}) {
    write("ball.toml", std::string("duration = 1e5\n") + scheme + "\n" + ball);
    EXPECT_EQ(carom("run ball.toml --quiet --no-report --timeout 0.2 --out early"), 1) << scheme << text("err");
    const std::string rows = text("early/trajectory.csv");
    const std::size_t last = rows.rfind('\n', rows.size() - 2) + 1;
    const double t_end = Json::parse(text("early/summary.json"))["t_end"];
    EXPECT_EQ(std::stod(rows.substr(last)), t_end) << scheme;
    if (t_end == 0) continue;  // a slow machine did not begin
    EXPECT_EQ(carom("run ball.toml --quiet --no-report --timeout 0.2 --out early --resume"), 1) << text("err");
    EXPECT_EQ(text("early/trajectory.csv").find("\n" + rows.substr(last)), std::string::npos)
        << scheme << ": it is no row of a longer run";
  }
}

TEST_F(Results, OfWallsAloneNothingIsApproximate) {
  write("walls.toml",
        "duration = 1\nlaw = \"newton\"\n[[wall]]\nname = \"floor\"\nshape = \"plane\"\n"
        "motion = {y = \"0.1*sin(t)\"}\n");
  EXPECT_EQ(carom("run walls.toml --quiet --no-report --out o"), 0) << text("err");
  EXPECT_EQ(Json::parse(text("o/summary.json"))["status"], "solved");
}

TEST_F(Results, ATimeLimitIsANumber) {
  for (const char* limit : {"nan", "-1", "0", "soon", "1e99"}) {
    EXPECT_EQ(carom("run " + scenes + "bouncing_ball.toml' --out o --timeout " + limit), 2) << limit;
    EXPECT_NE(text("err").find("is not a number from 0.001 to 1000000000"), std::string::npos) << text("err");
    EXPECT_FALSE(fs::exists(folder_ / "o"));
  }
}

TEST_F(Results, SignalsEndARunWithItsFilesComplete) {
  write_endless();
  for (const char* signal : {"INT", "TERM"}) {
    EXPECT_EQ(shell(tool +
                    " run endless.toml --out o >out 2>err & p=$!; for i in $(seq 500); do test -e "
                    "o/unfinished/trajectory.csv && break; sleep 0.02; "
                    "done; sleep 0.1; kill -" +
                    signal + " $p; wait $p"),
              1)
        << text("err");
    EXPECT_EQ(Json::parse(text("o/summary.json"))["status"], "not-finished");
    EXPECT_NE(text("out").find("cancelled at t = "), std::string::npos);
  }
}

TEST_F(Results, AKilledRunLeavesOlderResultsAsTheyWere) {
  ASSERT_EQ(carom("run " + scenes + "bouncing_ball.toml' --out o --quiet"), 0) << text("err");
  const std::string before = text("o/trajectory.csv"), summary = text("o/summary.json");
  write_endless();
  shell(tool +
        " run endless.toml --out o >out 2>err & p=$!; for i in $(seq 500); do test -e o/unfinished/trajectory.csv && "
        "break; sleep 0.02; done; "
        "kill -9 $p; wait $p");
  EXPECT_EQ(text("o/trajectory.csv"), before);
  EXPECT_EQ(text("o/summary.json"), summary);
  EXPECT_EQ(carom("run " + scenes + "bouncing_ball.toml' --out o --quiet"), 0) << text("err");
  EXPECT_FALSE(fs::exists(folder_ / "o/unfinished"));
}

TEST_F(Results, OlderResultsDoNotMixWithNewOnes) {
  const std::string formats = "--set 'record.formats=[\"csv\", \"vtk\"]'";
  ASSERT_EQ(carom("run " + scenes + "bouncing_ball.toml' --out o --quiet --set duration=1 " + formats), 0)
      << text("err");
  EXPECT_TRUE(fs::exists(folder_ / "o/states/state_001000.vtp"));
  write("o/mine.txt", "kept");
  ASSERT_EQ(carom("run " + scenes + "bouncing_ball.toml' --out o --quiet --set duration=1 --set record.interval=0.05 " +
                  formats),
            0);
  EXPECT_TRUE(fs::exists(folder_ / "o/states/state_000020.vtp"));
  EXPECT_FALSE(fs::exists(folder_ / "o/states/state_000021.vtp"));
  ASSERT_EQ(carom("run " + scenes + "bouncing_ball.toml' --out o --quiet"), 0);
  EXPECT_FALSE(fs::exists(folder_ / "o/states"));
  EXPECT_FALSE(fs::exists(folder_ / "o/states.pvd"));
  EXPECT_EQ(text("o/mine.txt"), "kept");
}

TEST_F(Results, ASecondRunIntoTheSameFolderIsRefused) {
  write_endless();
  EXPECT_EQ(shell(tool +
                  " run endless.toml --out o >out 2>err & p=$!; for i in $(seq 500); do test -e "
                  "o/unfinished/trajectory.csv && break; sleep 0.02; "
                  "done; " +
                  tool + " run endless.toml --out o >out2 2>err2; r=$?; kill $p; wait $p; exit $r"),
            2);
  EXPECT_EQ(text("err2"), "o: another run is writing its results there; wait for it or take another --out\n");
}

TEST_F(Results, AFullDiskIsOneLineInEveryFormat) {
  for (const char* format : {"csv", "vtk", "hdf5"}) {
    const int exit = shell("(ulimit -f 20; trap '' XFSZ; " + tool + " run " + scenes +
                           "gas.toml' --set 'record.formats=[\"" + format + "\"]' --out full >out 2>err)");
    if (text("err").find("built without") != std::string::npos) continue;
    EXPECT_EQ(exit, 2) << format << text("err");
    EXPECT_NE(text("err").find("cannot be written"), std::string::npos) << format << text("err");
    const std::string said = text("err");
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_FALSE(fs::exists(folder_ / "full")) << format;
  }
}

TEST_F(Results, AFolderThatMayNotBeWrittenSaysWhy) {
  write("file", "");
  EXPECT_EQ(carom("run " + scenes + "bouncing_ball.toml' --out file/o"), 2);
  EXPECT_EQ(text("err"), "file/o: cannot be written: Not a directory\n");
}

TEST_F(Results, AClosedOutputEndsNothing) {
  EXPECT_EQ(shell(tool + " run " + scenes + "bouncing_ball.toml' --out o 2>&- >out"), 0);
  EXPECT_TRUE(fs::exists(folder_ / "o/summary.json"));
  EXPECT_EQ(shell(tool + " run nothing.toml 2>&-"), 2);
  shell(tool + " run " + scenes + "bouncing_ball.toml' --out p | true");
  EXPECT_TRUE(fs::exists(folder_ / "p/summary.json"));
}

}  // namespace
}  // namespace carom::testing
