// Restitution in problems and scenes: numbers and functions.

#include <gtest/gtest.h>

#include "carom/model/contact_rules.h"
#include "carom/record/problem_json.h"
#include "scene/scene_text.h"

namespace carom::scene {
namespace {

std::string problem_with(const std::string& e) {
  return R"({"mass": [1], "u": [-4], "contacts": [{"normal": [1], "e": )" + e + "}]}";
}

double value_at(const std::string& e, double speed, double work = 0) {
  return read_text(problem_with(e)).problem.contacts.at(0).e_of->at(speed, work);
}

TEST(RestitutionReader, ReadsEveryForm) {
  EXPECT_EQ(read_text(problem_with("0.5")).problem.contacts.at(0).e_of, nullptr);
  EXPECT_DOUBLE_EQ(value_at(R"({"alpha": 0.1, "m": 0.5})", 4), 0.8);
  EXPECT_DOUBLE_EQ(value_at(R"({"speeds": [1, 3], "values": [0.9, 0.5]})", 2), 0.7);
  EXPECT_DOUBLE_EQ(value_at(R"({"works": [1, 3], "values": [0.9, 0.5]})", 0, 2), 0.7);
  EXPECT_DOUBLE_EQ(value_at(R"({"yield_speed": 0.25})", 4), 0.5);
  EXPECT_DOUBLE_EQ(value_at(R"([{"alpha": 0.1, "m": 0.5}, 0.6])", 4), 0.6);
}

TEST(RestitutionReader, WritesWhatItReads) {
  for (const char* e : {R"({"alpha": 0.1, "m": 0.5})", R"({"works": [1, 3], "values": [0.9, 0.5]})",
                        R"([{"yield_speed": 0.25}, 0.75])"}) {
    const ProblemFile file = read_text(problem_with(e));
    const ProblemFile again = read_text(record::problem_json(file.problem, ImpactLaw(Newton{}), "").dump());
    for (const double v : {0.0, 0.3, 2.0, 9.0})
      EXPECT_DOUBLE_EQ(again.problem.contacts.at(0).e_of->at(v, v), file.problem.contacts.at(0).e_of->at(v, v)) << e;
  }
}

TEST(RestitutionReader, NamesWhatIsWrong) {
  for (const char* e : {"{}", R"({"alpha": 0.1})", R"({"alpha": -1, "m": 1})", R"({"alpha": 1, "m": 0})",
                        R"({"speeds": [1, 1], "values": [0.5, 0.5]})", R"({"speeds": [1, 2], "values": [0.5]})",
                        R"({"works": [1], "values": [1.5]})", R"({"yield_speed": 0})", R"({"speed": [1]})", "[]",
                        R"("high")", R"({"speeds": [], "values": []})", "true", R"([2])"})
    EXPECT_NE(problem_error(problem_with(e)).find("p.json:1:"), std::string::npos)
        << e << ": " << problem_error(problem_with(e));
}

const char* const kTwoBalls = R"(
  [materials.steel]
  e = {alpha = 0.1, m = 1}
  [materials.wood]
  e = 0.7
  [[body]]
  name = "a"
  material = "steel"
  mass = 1
  shape = {type = "sphere", radius = 0.1}
  [[body]]
  name = "b"
  material = "wood"
  mass = 1
  position = [1, 0]
  shape = {type = "sphere", radius = 0.2}
  )";

TEST(RestitutionReader, OfTwoMaterialsIsTheSmallerAtEverySpeed) {
  const Scene scene = scene_of(kTwoBalls);
  const Model model(scene.description);
  const PairProperties known = ContactRules(model).properties(1, 0);
  ASSERT_TRUE(known.e_of);
  EXPECT_DOUBLE_EQ(known.e_of->at(1, 0), 0.7);
  EXPECT_DOUBLE_EQ(known.e_of->at(5, 0), 0.5);
  EXPECT_DOUBLE_EQ(known.e, 0.7);
}

TEST(RestitutionReader, OfAPairReplacesThatOfMaterialsOrPutsItInSeries) {
  const auto known = [](const std::string& more) {
    const Scene scene = scene_of(kTwoBalls + more);
    const Model model(scene.description);
    return ContactRules(model).properties(0, 1);
  };
  EXPECT_EQ(known("[contact]\ne = 0.3").e_of, nullptr);
  EXPECT_EQ(known("[contact]\ne = 0.3").e, 0.3);
  EXPECT_DOUBLE_EQ(known("[contact]\ne = {yield_speed = 0.25}").e_of->at(4, 0), 0.5);
  EXPECT_NEAR(known("[contact]\ne = \"series\"").e, 0.7 / 1.7, 1e-15);
  EXPECT_NE(error_of([&] { known("[contact]\ne = \"serial\""); }).find("s.toml"), std::string::npos);
}

TEST(RestitutionReader, InSeriesAMaterialWithoutOneLeavesItToTheOther) {
  const Scene scene = scene_of(R"(
    [materials.rubber]
    e = 0.8
    [materials.stone]
    mu = 0.5
    [contact]
    e = "series"
    [[body]]
    name = "a"
    material = "rubber"
    mass = 1
    shape = {type = "sphere", radius = 0.1}
    [[wall]]
    name = "floor"
    shape = "plane"
    material = "stone"
  )");
  const Model model(scene.description);
  EXPECT_EQ(ContactRules(model).properties(0, 1).e, 0.8);
}

TEST(RestitutionReader, PressureInsideBallsIsTheirStiffness) {
  const Scene scene = scene_of(R"(
    [materials.air]
    pressure = 1e5
    [[body]]
    name = "a"
    material = "air"
    mass = 1
    shape = {type = "sphere", radius = 0.1}
    [[wall]]
    name = "floor"
    shape = "plane"
    )");
  const Model model(scene.description);
  const ContactRules rules(model);
  ASSERT_EQ(rules.kinds().size(), 1u);
  EXPECT_NEAR(*rules.pressure_stiffness_of(rules.kinds()[0]), 2 * 3.14159265358979 * 1e4, 1e-6);
  EXPECT_EQ(rules.properties(0, 1).eta, 1);
  EXPECT_TRUE(rules.knows_stiffness(rules.kinds()[0]));
}

}  // namespace
}  // namespace carom::scene
