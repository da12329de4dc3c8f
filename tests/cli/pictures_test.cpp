// Pictures and pages that verbs draw, with and without the name of a file, as scripts see them.

#include "carom/record/report_page.h"
#include "tool_in_a_folder.h"

namespace carom::testing {
namespace {

class Pictures : public ToolInAFolder {
 protected:
  void expect_picture(const std::string& file) {
    ASSERT_TRUE(fs::exists(folder_ / file)) << file;
    EXPECT_TRUE(text(file).starts_with("<svg")) << file;
  }
};

/// The folder of problems, and the quote before it.
const std::string drawn_examples = "'" + std::string(CAROM_SOURCE_DIR) + "/examples/";

const std::string shapes = "--a '{type=\"disc\", radius=1}' --b '{type=\"disc\", radius=1, position=[3, 0]}'";

/// Every verb that draws but run, what it draws, and the name of the picture.
const struct {
  std::string arguments, name;
} drawing[] = {
    {"admissible " + drawn_examples + "rocking_rod.json'", "admissible"},
    {"plane " + drawn_examples + "rod_reverses.json'", "plane"},
    {"force hysteretic --e 0.5", "force"},
    {"block --height 2 --width 1", "block"},
    {"distance " + shapes, "distance"},
    {"rods " + drawn_examples + "rods/two_rods.json'", "rods"},
    {"outcomes " + drawn_examples + "three_balls.json' --samples 2", "outcomes"},
    {"geodesic " + drawn_examples + "dumbbell.json'", "geodesic"},
    {"compare " + drawn_examples + "hertz_cradle.json' --laws lzb,compliant", "comparison"},
};

TEST_F(Pictures, GoToTheFileBehindSvg) {
  for (const auto& [arguments, name] : drawing) {
    const std::string file = "made/" + name + "_drawn.svg";
    ASSERT_EQ(carom(arguments + " --svg " + file), 0) << arguments << text("err");
    expect_picture(file);
    EXPECT_TRUE(text("out").ends_with("picture in " + file + "\n")) << arguments << text("out");
    ASSERT_EQ(carom(arguments + " --json --svg=again.svg"), 0) << arguments << text("err");
    EXPECT_EQ(text("again.svg"), text(file)) << arguments;
    EXPECT_TRUE(Json::parse(text("out")).is_object()) << arguments;
  }
}

TEST_F(Pictures, GoToStandardOutputOrTheFolderOfOutWithoutAFile) {
  for (const auto& [arguments, name] : drawing) {
    ASSERT_EQ(carom(arguments + " --svg"), 0) << arguments << text("err");
    const std::string printed = text("out");
    EXPECT_TRUE(printed.starts_with("<svg") && printed.ends_with("</svg>\n")) << arguments;
    ASSERT_EQ(carom(arguments + " --svg --out made"), 0) << arguments << text("err");
    EXPECT_EQ(text("made/" + name + ".svg"), printed) << arguments;
    EXPECT_TRUE(text("out").find("picture in made/" + name + ".svg\n") != std::string::npos) << arguments;
    EXPECT_TRUE(Json::parse(text("made/" + name + ".json")).is_object()) << arguments;
    EXPECT_EQ(carom(arguments + " --svg --quiet"), 2) << arguments;
    EXPECT_EQ(text("err"),
              "--svg: prints the picture; with --json or --quiet name a file behind it, or a folder by --out\n");
  }
}

TEST_F(Pictures, InATerminalHaveAFileOfTheirOwn) {
  if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "script is not installed";
  write("typed", std::string("'") + CAROM_TOOL + "' " + drawing[0].arguments + " --svg");
  const std::string terminal = "cd '" + folder_.string() + "' && script --quiet --return --command 'sh typed' seen";
  ASSERT_EQ(std::system((terminal + " >out 2>err </dev/null").c_str()), 0) << text("err");
  expect_picture("admissible.svg");
  EXPECT_EQ(text("seen").find("<svg"), std::string::npos);
  EXPECT_NE(text("seen").find("picture in admissible.svg"), std::string::npos) << text("seen");
}

TEST_F(Pictures, LeaveTheInputBehindSvgToTheVerb) {
  ASSERT_EQ(carom("admissible --svg " + drawn_examples + "rocking_rod.json'"), 0) << text("err");
  EXPECT_TRUE(text("out").starts_with("<svg"));
  ASSERT_EQ(carom("force --svg hysteretic"), 0) << text("err");
  EXPECT_TRUE(text("out").starts_with("<svg"));
  ASSERT_EQ(carom("run --out made --no-report --svg " + scenes + "bouncing_ball.toml'"), 0) << text("err");
  expect_picture("made/film.svg");
}

TEST_F(Pictures, OfARunLieBesideItsResults) {
  const std::string ball = "run " + scenes + "bouncing_ball.toml' --set duration=0.5 --no-report ";
  ASSERT_EQ(carom(ball + "--svg"), 0) << text("err");
  expect_picture("results/bouncing_ball/film.svg");
  EXPECT_TRUE(text("out").ends_with("picture in results/bouncing_ball/film.svg\n")) << text("out");
  ASSERT_EQ(carom(ball + "--out made --json --svg"), 0) << text("err");
  expect_picture("made/film.svg");
  EXPECT_TRUE(Json::parse(text("out")).is_object());
  ASSERT_EQ(carom(ball + "--svg strip --out again"), 0) << text("err");
  expect_picture("strip");
  EXPECT_FALSE(fs::exists(folder_ / "again/film.svg"));
}

TEST_F(Pictures, PagesHaveANameWhereNoneIsGiven) {
  if (!record::has_report()) GTEST_SKIP() << "built without the viewer";
  const std::string cradle = drawn_examples + "newtons_cradle.json'";
  ASSERT_EQ(carom("impact --report " + cradle), 0) << text("err");
  EXPECT_TRUE(text("report.html").starts_with("<!doctype html>"));
  EXPECT_NE(text("out").find("page in report.html\n"), std::string::npos);
  ASSERT_EQ(carom("compare " + cradle + " --laws newton,poisson --report --out made"), 0) << text("err");
  EXPECT_TRUE(text("made/report.html").starts_with("<!doctype html>"));
  ASSERT_EQ(carom("compare " + cradle + " --laws newton,poisson --quiet --report named.html"), 0) << text("err");
  EXPECT_TRUE(text("named.html").starts_with("<!doctype html>"));
}

}  // namespace
}  // namespace carom::testing
