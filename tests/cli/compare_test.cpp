// carom compare of scenes as scripts see it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "carom/record/table.h"
#include "cli/tool_in_a_folder.h"

namespace carom::testing {
namespace {

using CompareCommand = ToolInAFolder;

TEST_F(CompareCommand, RunsASceneUnderSeveralLawsAndWritesNothing) {
  ASSERT_EQ(carom("compare " + scenes + "newtons_cradle.toml' --laws lzb,newton --set duration=0.5"), 0) << text("err");
  for (const char* part : {"Newton's cradle", "5 bodies, 5 joints for 0.5 s", "lzb  ", "newton\n", "scheme", "impacts",
                           "kinetic energy [J]", "potential energy [J]", "lost in impacts [J]", "consistent",
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

/// No line of the text is wider than that.
void expect_within(const std::string& text, std::size_t characters) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(record::width(line), characters) << line;
}

TEST_F(CompareCommand, LaysContactForcesBesideImpactsAtOnce) {
  const std::string laws = "--laws 'lzb,compliant{force=power},compliant{force=hunt-crossley}'";
  ASSERT_EQ(carom("compare " + scenes + "bead_column_forces.toml' --out all " + laws), 0) << text("err");
  for (const char* part :
       {"force=power", "force=hunt-crossley", "scheme", "event-driven", "impact 1 at [s]", "bead 1 - bead 2 [N s]",
        "at the end", "bead 5 x [m]", "bead 5 vx [m/s]", "contacts last, so they come"})
    EXPECT_NE(text("out").find(part), std::string::npos) << part << "\n" << text("out");
  expect_within(text("out"), 100);
  const Json runs = Json::parse(text("all/comparison.json"))["runs"];
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0]["scheme"], "event-driven");
  EXPECT_EQ(runs[2]["scheme"], "compliant");
  EXPECT_EQ(runs[2]["label"], "compliant{force=hunt-crossley}");
  EXPECT_TRUE(fs::exists(folder_ / "all/compliant-hunt-crossley/contacts.csv"));
  EXPECT_TRUE(fs::exists(folder_ / "all/lzb/impacts.csv"));
  // the plate takes the momentum of the column and returns most of it: both kinds of law agree on it to a tenth
  const auto on_plate = [&](const Json& run) {
    for (const Json& pair : run["first_impacts"][0]["pairs"])
      if (pair["bodies"][1] == "plate") return pair["impulse"].get<double>();
    return 0.0;
  };
  EXPECT_NEAR(on_plate(runs[2]), on_plate(runs[0]), 0.1 * on_plate(runs[0]));
}

TEST_F(CompareCommand, TellsWhatIsStoredInContacts) {
  ASSERT_EQ(carom("compare " + scenes + "penalty_ball.toml' --laws newton,compliant --out ball"), 0) << text("err");
  EXPECT_NE(text("out").find("stored in contacts [J]"), std::string::npos) << text("out");
  const Json energy = Json::parse(text("ball/compliant/summary.json"))["energy"];
  std::istringstream rows(text("ball/compliant/trajectory.csv"));
  std::string row, last;
  std::getline(rows, row);
  const std::ptrdiff_t column =
      std::count(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(row.find("stored [J]")), ',');
  double most = 0;
  while (std::getline(rows, row)) {
    std::istringstream cells(row);
    for (std::ptrdiff_t i = 0; i <= column; ++i) std::getline(cells, last, ',');
    most = std::max(most, std::stod(last));
  }
  EXPECT_NEAR(std::stod(last), energy["stored"], 1e-12);
  EXPECT_GT(most, 8);  // of the 9.81 J that the ball has when it touches
}

TEST_F(CompareCommand, SaysWhyLawsAgree) {
  ASSERT_EQ(carom("compare " + scenes + "bouncing_ball.toml' --laws newton,poisson,lzb --set duration=1"), 0);
  EXPECT_NE(text("out").find("newton, poisson and lzb agree: one contact at a time and no friction"), std::string::npos)
      << text("out");
  ASSERT_EQ(carom("compare " + scenes + "newtons_cradle.toml' --laws newton,moreau,lzb --set duration=0.5"), 0);
  EXPECT_NE(text("out").find("newton and moreau agree: without friction and with one e for all contacts they are one "
                             "law"),
            std::string::npos)
      << text("out");
  EXPECT_NE(text("out").find("newton and lzb part at impact 1, t = "), std::string::npos) << text("out");
  ASSERT_EQ(carom("compare '" + std::string(CAROM_SOURCE_DIR) +
                  "/examples/newtons_cradle.json' --set e=0 --laws newton,poisson,moreau"),
            0);
  EXPECT_NE(text("out").find("with e = 0 each of them is the plastic impact"), std::string::npos) << text("out");
}

TEST_F(CompareCommand, FitsItsLinesAsWell) {
  const std::string cradle = scenes + "newtons_cradle.toml' --set duration=0.1 --laws 'newton,compliant'";
  for (const std::string& what : {scenes + "bernoulli.toml' --laws newton", cradle,
                                  "'" + std::string(CAROM_SOURCE_DIR) + "/examples/energy_gain.json' --laws newton"}) {
    ASSERT_EQ(carom("compare " + what), 0) << text("err");
    expect_within(text("out"), 100);
  }
}

TEST_F(CompareCommand, EndsAfterItsTimeAndSaysWhatIsMissing) {
  ASSERT_EQ(carom("compare " + scenes + "gas.toml' --set duration=1e5 --laws newton,poisson --timeout 0.2"), 1);
  EXPECT_NE(text("out").find("poisson is left out: cancelled before it began"), std::string::npos) << text("out");
}

TEST_F(CompareCommand, WrapsManyLawsIntoBlocks) {
  ASSERT_EQ(carom("compare " + scenes + "bouncing_ball.toml' --set duration=0.6"), 0) << text("err");
  expect_within(text("out"), 100);
  EXPECT_NE(text("out").find("compliant answers impacts only, under the scheme event-driven: the stiffness"),
            std::string::npos)
      << text("out");
}

TEST_F(CompareCommand, ComparesOneLawUnderTwoSchemes) {
  ASSERT_EQ(carom("compare " + scenes +
                  "bouncing_ball.toml' --json --set duration=0.6 --laws "
                  "'newton,newton{scheme=time-stepping}'"),
            0)
      << text("err");
  const Json runs = Json::parse(text("out"))["runs"];
  EXPECT_EQ(runs[0]["scheme"], "event-driven");
  EXPECT_EQ(runs[1]["scheme"], "time-stepping");
}

TEST_F(CompareCommand, DrawsForcesOverEachOther) {
  ASSERT_EQ(carom("compare " + scenes + "bead_column_forces.toml' --svg forces.svg --laws 'newton,lzb,compliant'"), 0)
      << text("err");
  const std::string scene = text("forces.svg");
  for (const char* part :
       {"<svg", "Force [kN]", "Time [µs]", "bead 1 - bead 2", "bead 1 - plate",
        "newton, scheme event-driven (area = impulse)", "lzb, scheme event-driven", "compliant, scheme compliant"})
    EXPECT_NE(scene.find(part), std::string::npos) << part;
  EXPECT_EQ(scene.find("nan"), std::string::npos);
  EXPECT_NE(text("out").find("picture in forces.svg"), std::string::npos);

  const std::string cradle = "'" + std::string(CAROM_SOURCE_DIR) + "/examples/hertz_cradle.json'";
  ASSERT_EQ(carom("compare " + cradle + " --svg impact.svg --laws 'lzb,compliant,newton'"), 0) << text("err");
  for (const char* part : {"Contact forces inside the impact", "Time [µs]", ">45<", "newton (area = impulse)"})
    EXPECT_NE(text("impact.svg").find(part), std::string::npos) << part;

  // where no law has forces, impulses are drawn; a time may be chosen
  ASSERT_EQ(carom("compare " + scenes + "bouncing_ball.toml' --svg impulses.svg --laws newton,poisson"), 0);
  EXPECT_NE(text("impulses.svg").find("Impulse [N s]"), std::string::npos);
  ASSERT_EQ(carom("compare " + scenes + "bouncing_ball.toml' --svg late.svg --laws newton --window 1,2"), 0);
  EXPECT_NE(text("late.svg").find("Time after 1 s [s]"), std::string::npos);
  ASSERT_EQ(carom("compare " + scenes + "bouncing_ball.toml' --svg none.svg --laws newton --window 0,0.1"), 0);
  EXPECT_NE(text("none.svg").find("no contact presses in the time shown"), std::string::npos);
}

TEST_F(CompareCommand, FindsTheHitOnAColumnThatRests) {
  write("rest.toml",
        "dimension = 1\ngravity = 9.81\nduration = 0.16\nscheme = \"compliant\"\n"
        "law = {name = \"compliant\", force = \"spring-dashpot\"}\ncontact = {k = 1e6, e = 0.6}\n"
        "[[chain]]\nname = \"bead\"\ncount = 3\nshape = {type = \"sphere\", radius = 0.01}\nmass = 0.03\n"
        "position = 0.01\n[[body]]\nname = \"falling\"\nshape = {type = \"sphere\", radius = 0.01}\nmass = 0.03\n"
        "position = 0.17\n[[wall]]\nname = \"plate\"\nshape = \"plane\"\n");
  ASSERT_EQ(carom("compare rest.toml --laws compliant,newton --json --svg rest.svg"), 0) << text("err");
  const double fall = std::sqrt(2 * 0.1 / 9.81);
  const Json runs = Json::parse(text("out"))["runs"];
  EXPECT_NEAR(runs[1]["first_impacts"][0]["t"], fall, 1e-9);
  EXPECT_NEAR(runs[0]["first_impacts"][0]["t"], fall, 1e-5);
  EXPECT_NE(text("rest.svg").find("Time after 0.1"), std::string::npos) << "the time of the fall is not shown";
}

TEST_F(CompareCommand, DrawsAllLawsThatApply) {
  ASSERT_EQ(carom("compare " + scenes + "bead_column_forces.toml' --svg all.svg"), 0) << text("err");
  EXPECT_NE(text("all.svg").find("keller, scheme event-driven"), std::string::npos);
  EXPECT_EQ(text("all.svg").find("nan"), std::string::npos);
}

TEST_F(CompareCommand, SaysHowALawThatFollowsImpactsMovesASceneInSteps) {
  const std::string stack = "compare " + scenes + "stack.toml' --set duration=0.01 --laws ";
  EXPECT_EQ(carom(stack + "newton,lzb"), 2);
  EXPECT_NE(text("err").find("lzb{scheme=event-driven} does so here"), std::string::npos) << text("err");
  ASSERT_EQ(carom(stack + "'newton,moreau'"), 0) << text("err");
}

TEST_F(CompareCommand, ComparesOneImpactOfAScene) {
  ASSERT_EQ(carom("compare " + scenes + "newtons_cradle.toml' --at 1 --laws lzb,newton --svg one.svg"), 0)
      << text("err");
  for (const char* part : {"impact 1, t = ", "u: [0] ball 1 vx", "lzb", "newton", "largest force [N]"})
    EXPECT_NE(text("out").find(part), std::string::npos) << part << text("out");
  EXPECT_NE(text("one.svg").find("<svg"), std::string::npos);
}

TEST_F(CompareCommand, RefusesPicturesAndTimesThatCannotBe) {
  const std::string ball = scenes + "bouncing_ball.toml' --laws newton --out never ";
  write("file", "");
  const struct {
    std::string arguments, message;
  } bad[] = {
      {ball + "--svg file/x.svg", "--svg file/x.svg: cannot be written"},
      {ball + "--svg .", "--svg .: is a folder"},
      {ball + "--svg x.svg --window 1", "--window: \"1\" is not two times"},
      {ball + "--svg x.svg --window 2,1", "does not end after it begins"},
      {ball + "--svg x.svg --window 1,99", "is not within the run"},
      {ball + "--laws 'compliant{force=hunt}'", "force"},
      {ball + "--laws 'newton{scheme=compliant}'", "newton is no contact force"},
      {ball + "--at 0", "--at: \"0\" is none of first"},
      {ball + "--at 9999999", "the run has only "},
  };
  for (const auto& [arguments, message] : bad) {
    EXPECT_EQ(carom("compare " + arguments), 2) << arguments;
    EXPECT_NE(text("err").find(message), std::string::npos) << arguments << "\n" << text("err");
    EXPECT_EQ(text("out"), "");
    EXPECT_FALSE(fs::exists(folder_ / "never")) << arguments;
    EXPECT_FALSE(fs::exists(folder_ / "x.svg")) << arguments;
  }
}

/// The data of a page.
Json data_of(const std::string& page) {
  const std::string mark = "id=\"report-data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST_F(CompareCommand, WritesAPageOfRunsSideBySide) {
  const int code =
      carom("compare " + scenes + "newtons_cradle.toml' --laws lzb,newton --set duration=0.5 --report p.html");
  if (text("err").find("without its viewer") != std::string::npos) GTEST_SKIP();
  ASSERT_EQ(code, 0) << text("err");
  EXPECT_NE(text("out").find("page in p.html"), std::string::npos);
  const Json data = data_of(text("p.html"));
  EXPECT_EQ(data["format"], "carom-comparison-report/1");
  EXPECT_EQ(data["title"], "Newton's cradle");
  ASSERT_EQ(data["reports"].size(), 2u);
  EXPECT_EQ(data["reports"][0]["format"], "carom-report/1");
  EXPECT_EQ(data["reports"][0]["label"], "lzb");
  EXPECT_EQ(data["reports"][1]["run"]["law"], "newton");
  EXPECT_EQ(data["table"]["header"][0], Json({"", "lzb", "newton"}));
  EXPECT_FALSE(data["sentences"].empty());
}

TEST_F(CompareCommand, WritesAPageOfOneImpactWithWhatIsInside) {
  const int code = carom("compare " + scenes + "newtons_cradle.toml' --at 1 --laws lzb,newton --report p.html");
  if (text("err").find("without its viewer") != std::string::npos) GTEST_SKIP();
  ASSERT_EQ(code, 0) << text("err");
  const Json data = data_of(text("p.html"));
  EXPECT_EQ(data["format"], "carom-impact-report/1");
  ASSERT_EQ(data["outcomes"].size(), 2u);
  EXPECT_EQ(data["outcomes"][0]["inside"]["names"].size(), 4u);
  EXPECT_EQ(data["outcomes"][0]["inside"]["points"].size(), 4u);
  EXPECT_TRUE(data["outcomes"][1]["inside"].is_null()) << "newton jumps";
  EXPECT_EQ(data["outcomes"][1]["vectors"].size(), 4u);
  EXPECT_EQ(data["picture"]["format"], "carom-report/1");
  EXPECT_EQ(data["velocities"][0], "ball 1 vx");
}

TEST_F(CompareCommand, RefusesAPageThatCannotBeWrittenBeforeItRuns) {
  EXPECT_EQ(carom("compare " + scenes + "newtons_cradle.toml' --laws lzb,newton --report ."), 2);
  EXPECT_NE(text("err").find("--report ."), std::string::npos) << text("err");
}

}  // namespace
}  // namespace carom::testing
