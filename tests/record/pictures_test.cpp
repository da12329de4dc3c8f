// Pictures of runs: film strips, and curves in the terminal.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "carom/app/scene_run.h"
#include "carom/record/film_strip.h"
#include "carom/record/short_names.h"
#include "carom/record/table.h"
#include "carom/record/terminal_plot.h"

namespace carom::testing {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

app::ReadyScene scene_of(const std::string& name, const std::vector<std::string>& settings = {}) {
  return app::read_scene(std::string(CAROM_SOURCE_DIR) + "/scenes/" + name, {.law = {}, .settings = settings});
}

TEST(Sparkline, OfRoundingIsStraight) {
  EXPECT_EQ(record::sparkline({0.1, 0.1 * (1 + 1e-12), 0.1, 0.1 * (1 - 1e-13)}, 4), "▁▁▁▁");
  EXPECT_EQ(record::sparkline({0, 1}, 2), "▁█");
}

TEST(FilmStrip, HasTheStartTheEndAndTheLargestImpactsInOrder) {
  const app::ReadyScene ready = scene_of("bouncing_ball.toml");
  record::FilmStrip film;
  app::run_scene(ready, ready.scene.law, {}, {}, {.guest = &film});
  const std::vector<record::FilmMoment> moments = film.moments();
  ASSERT_GE(moments.size(), 6u);
  EXPECT_LE(moments.size(), 12u);
  EXPECT_EQ(moments.front().what, "start");
  EXPECT_EQ(moments.back().what, "end");
  EXPECT_TRUE(std::is_sorted(moments.begin(), moments.end(),
                             [](const auto& x, const auto& y) { return x.state.t < y.state.t; }));
  const auto first =
      std::find_if(moments.begin(), moments.end(), [](const auto& one) { return one.what == "impact 1"; });
  ASSERT_NE(first, moments.end()) << "the first impact of a ball that loses height is its largest";
  ASSERT_EQ(first->touches.size(), 1u);
  EXPECT_NEAR(first->touches[0].y(), 0, 1e-9) << "on the floor";
}

TEST(FilmStrip, AnImpactAtTheStartIsMarkedThere) {
  const app::ReadyScene ready = scene_of("chain_of_beads.toml", {"duration=0.05"});
  record::FilmStrip film;
  app::run_scene(ready, ready.scene.law, {}, {}, {.guest = &film});
  EXPECT_EQ(film.moments().front().what, "start, impact 1");
  EXPECT_EQ(film.moments().front().touches.size(), 19u) << "twenty beads touch";
}

TEST(FilmStrip, DrawsEveryMomentOfTheLineThePlaneAndSpace) {
  for (const char* name : {"chain_of_beads.toml", "newtons_cradle.toml", "rocking_block.toml",
                           "spinning_ellipsoid.toml", "double_pendulum.toml"}) {
    const app::ReadyScene ready = scene_of(name, {"duration=0.3"});
    record::FilmStrip film;
    const app::SceneRun done = app::run_scene(ready, ready.scene.law, {}, {}, {.guest = &film});
    const std::string svg = film.svg(done.title, ready.model);
    EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n")) << name;
    EXPECT_EQ(count_of(svg, "clip-path="), film.moments().size()) << name;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
    EXPECT_NE(svg.find("t = 0 s, start"), std::string::npos) << name;
    EXPECT_GT(count_of(svg, "<circle") + count_of(svg, "<polygon"), film.moments().size()) << name;
  }
}

TEST(FilmStrip, ARunThatNeverBeganIsAnEmptyPicture) {
  EXPECT_TRUE(record::FilmStrip().moments().empty());
  const std::string svg = record::film_svg("nothing", Model(Description{}), {});
  EXPECT_TRUE(svg.starts_with("<svg") && svg.find("nan") == std::string::npos);
}

TEST(Sparkline, GoesFromTheLowestToTheHighest) {
  EXPECT_EQ(record::sparkline({}, 5), "");
  EXPECT_EQ(record::sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 8), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(record::sparkline({2, 2, 2}, 8), "▁▁▁") << "what does not change stays low";
  EXPECT_EQ(record::width(record::sparkline(std::vector<double>(1000, 1.0), 36)), 36u);
}

TEST(TerminalPlot, FitsEightyColumnsAndTellsRangesWithUnits) {
  const app::ReadyScene ready = scene_of("newtons_cradle.toml", {"duration=2"});
  record::TerminalPlot plot(ready.model);
  app::run_scene(ready, ready.scene.law, {}, {}, {.guest = &plot});
  const std::string text = plot.text();
  for (const char* part :
       {"kinetic energy", "potential energy", "energy lost", "height of ball", " J\n", "t = 0 … 2 s"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(record::width(text.substr(begin, end - begin)), 80u) << text;
    begin = end + 1;
  }
}

TEST(ShortNames, AreCutWhereTheyStillDiffer) {
  EXPECT_EQ(record::short_name("ball 1", 8), "ball 1");
  EXPECT_EQ(record::short_name("a name of many letters", 9), "a na…ters");
  EXPECT_EQ(record::beginning_of("a name of many letters", 9), "a name o…");
  const std::vector<std::string> ends = {"link 1 of the long bridge", "link 2 of the long bridge", "ball"},
                                 middles = {"the very long name 1 of a link", "the very long name 2 of a link"},
                                 umlauts = {"ääääääääääää", "äääääääääääö"};
  for (const std::vector<std::string>& names : {ends, middles, umlauts}) {
    const std::vector<std::string> cut = record::short_names(names, 9);
    EXPECT_EQ(std::set(cut.begin(), cut.end()).size(), names.size()) << cut.front();
    for (const std::string& one : cut) EXPECT_LE(record::width(one), 9u) << one;
  }
}

}  // namespace
}  // namespace carom::testing
