// Files of rods and beams: what is read, and what is refused where.

#include "carom/scene/rods_reader.h"

#include <gtest/gtest.h>

#include "carom/waves/exact.h"
#include "reading.h"

namespace carom::scene {
namespace {

std::string rods_error(std::string_view text, const Overrides& overrides = {}) {
  return error_of([&] { read_rods(parse_json(text, "r.json"), overrides); });
}

/// A file of one rod with this in its braces, and more keys of the file.
std::string one_rod(const std::string& rod, const std::string& more = "") {
  return "{\"duration\": 1, \"rods\": [{" + rod + "}]" + more + "}";
}

const std::string kGood = R"("length": 1, "E": 1, "rho": 1, "position": 0)";

TEST(RodsReader, ReadsAllKeys) {
  const auto file = std::get<RodsFile>(read_rods(parse_json(R"({"format": "carom-rods/1", "about": "two", "duration": 3,
    "rods": [{"name": "a", "length": 2, "E": 3, "rho": 4, "area": 5, "position": -2, "velocity": 6, "fixed": "left",
              "force": {"end": "right", "value": 7}},
             {"length": 1, "E": 1, "rho": 1, "position": 0.5, "force": [{"end": "left", "value": 1}, {"end": "right", "value": -1}]}],
    "walls": [{"position": 4}]})",
                                                            "r.json")));
  EXPECT_EQ(file.about, "two");
  EXPECT_EQ(file.problem.duration, 3);
  const waves::Rod& rod = file.problem.rods.at(0);
  EXPECT_EQ(rod.name, "a");
  EXPECT_EQ(rod.length, 2);
  EXPECT_EQ(rod.E, 3);
  EXPECT_EQ(rod.rho, 4);
  EXPECT_EQ(rod.area, 5);
  EXPECT_EQ(rod.position, -2);
  EXPECT_EQ(rod.velocity, 6);
  EXPECT_EQ(rod.fixed, waves::End::left);
  EXPECT_EQ(rod.force_at(waves::End::right), 7);
  EXPECT_EQ(file.problem.rods.at(1).name, "2");
  EXPECT_EQ(file.problem.rods.at(1).force_at(waves::End::left), 1);
  EXPECT_EQ(file.problem.walls.at(0).name, "wall");
}

TEST(RodsReader, NamesWhatHasNoName) {
  const auto file = std::get<RodsFile>(read_rods(parse_json(R"({"duration": 3, "rods": [
    {"length": 1, "E": 1, "rho": 1, "position": 0}, {"length": 1, "E": 1, "rho": 1, "position": 1, "name": "1"}],
    "walls": [{"position": 4}, {"position": -1}]})",
                                                            "r.json")));
  EXPECT_EQ(file.problem.rods[0].name, "rods[0]") << "somebody else is called 1";
  EXPECT_EQ(file.problem.walls[0].name, "wall 1");
  EXPECT_EQ(file.problem.walls[1].name, "wall 2");
}

TEST(RodsReader, ReadsABeam) {
  const auto file = std::get<BeamFile>(read_rods(
      parse_json(R"({"format": "carom-beam/1", "length": 2, "mass": 3, "e": 0.5, "positions": [0, 1]})", "b.json"),
      {{}, {"modes=4", "e=0.25"}}));
  EXPECT_EQ(file.beam.length, 2);
  EXPECT_EQ(file.beam.mass, 3);
  EXPECT_EQ(file.beam.e, 0.25);
  EXPECT_EQ(file.beam.modes, 4);
  EXPECT_EQ(file.positions, (std::vector<double>{0, 1}));
}

TEST(RodsReader, RefusesWithPlaceValueAndRule) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"rods": []})", "r.json:1:1: the problem has no \"duration\""},
      {R"({"duration": 0, "rods": []})", "r.json:1:14: duration = 0 is not positive"},
      {R"({"duration": 1, "rods": []})", "r.json:1:25: rods is empty"},
      {R"({"duration": 1})", "the problem has no \"rods\""},
      {R"({"format": "carom-rods/2", "duration": 1})", "r.json:1:12: format = \"carom-rods/2\" is not one of"},
      {R"({"duration": 1, "rod": []})", "unknown key \"rod\"; did you mean \"rods\"?"},
      {one_rod(R"("length": -1, "E": 1, "rho": 1, "position": 0)"), "rods[0].length = -1 is not positive"},
      {one_rod(R"("length": 1, "E": 0, "rho": 1, "position": 0)"), "rods[0].E = 0 is not positive"},
      {one_rod(R"("length": 1, "E": 1, "rho": -3, "position": 0)"), "rods[0].rho = -3 is not positive"},
      {one_rod(kGood + R"(, "area": 0)"), "rods[0].area = 0 is not positive"},
      {one_rod(kGood + R"(, "lenght": 0)"), "unknown key \"lenght\" in rods[0]; did you mean \"length\"?"},
      {one_rod(R"("length": 1, "E": 1, "rho": 1)"), "rods[0] has no \"position\""},
      {one_rod(kGood + R"(, "velocity": "fast")"), "rods[0].velocity is the string \"fast\"; expected a number"},
      {one_rod(kGood + R"(, "velocity": NaN)"), "r.json:1:"},
      {one_rod(kGood + R"(, "velocity": 1e999)"), "r.json:1:"},
      {one_rod(kGood + R"(, "velocity": 1e200)"), "so large that its energy"},
      {one_rod(R"("length": 1, "E": 1e300, "rho": 1e-300, "position": 0, "area": 1e300)"), "rods[0] has a"},
      {one_rod(R"("length": 1, "E": 1e300, "rho": 1, "position": 0, "area": 1e20)"), "rods[0] has a"},
      {one_rod(R"("length": 1, "E": 1, "rho": 1, "position": -1e301)"), "rods[0].position = -1e+301 is too far away"},
      {one_rod(R"("length": 1e-9, "E": 1, "rho": 1, "position": 1e6)"),
       "rods[0].length = 1e-09 is lost in the rounding"},
      {one_rod(kGood + R"(, "fixed": "top")"), "rods[0].fixed = \"top\" is not one of \"left\", \"right\""},
      {one_rod(kGood + R"(, "force": 3)"), "rods[0].force is the number 3; expected an object"},
      {one_rod(kGood + R"(, "force": {"end": "left"})"), "rods[0].force has no \"value\""},
      {one_rod(kGood + R"(, "fixed": "left", "force": {"end": "left", "value": 1})"),
       "rods[0].force is on the left end, which is fixed"},
      {one_rod(kGood + R"(, "force": [{"end": "left", "value": 1}, {"end": "left", "value": 1}])"),
       "rods[0].force is given twice for the left end"},
      {one_rod(kGood, R"(, "walls": [{"position": 0.5}])"), "walls[0].position = 0.5 lies inside rods[0]"},
      {one_rod(kGood, R"(, "walls": [{"position": 2}, {"position": 2}])"), "walls[1].position = 2 is that of walls[0]"},
      {one_rod(kGood, R"(, "walls": [{"name": "w"}])"), "walls[0] has no \"position\""},
      {one_rod(kGood, R"(, "walls": 3)"), "walls is the number 3; expected a list of walls"},
      {one_rod(kGood + "}, {" + R"("length": 1, "E": 1, "rho": 1, "position": 0.9)"),
       "rods[1].position = 0.9 lies left of 1, where rods[0] ends"},
      {one_rod(kGood + R"(, "name": "x")", R"(, "walls": [{"name": "x", "position": 2}])"),
       "walls[0].name: \"x\" is the name at rods[0].name, too"},
      {R"({"format": "carom-beam/1", "length": 1, "mass": 1})", "the problem has no \"e\""},
      {R"({"format": "carom-beam/1", "length": 1, "mass": 1, "e": 2})", "e = 2 is not between 0 and 1"},
      {R"({"format": "carom-beam/1", "length": 1, "mass": 1, "e": 1, "modes": 0.5})",
       "modes = 0.5 is not a whole number"},
      {R"({"format": "carom-beam/1", "length": 1, "mass": 1, "e": 1, "positions": [0, 2]})",
       "positions[1] = 2 is not on the beam"},
      {R"([1])", "the document is a list of 1; expected an object"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string error = rods_error(text);
    EXPECT_NE(error.find(expected), std::string::npos) << text << "\n  says " << error;
    EXPECT_EQ(error.find("r.json:"), 0U) << error;
  }
}

TEST(RodsReader, NamesTheOptionThatIsWrong) {
  EXPECT_EQ(rods_error(one_rod(kGood), {{}, {"rods[0].E=-1"}}).find("--set rods[0].E=-1:1:"), 0U);
  EXPECT_EQ(rods_error(one_rod(kGood), {{}, {"rods[*].E=2", "duration=9"}}), "");
}

}  // namespace
}  // namespace carom::scene
