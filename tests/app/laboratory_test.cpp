#include "carom/app/laboratory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "json.h"

namespace carom::testing {
namespace {

constexpr const char* kLabBall =
    "title = \"Ball\"\nduration = 1\ngravity = 10\nlaw = \"lzb\"\ncontact = {e = 0.5, k = 1e6}\nparameters = {h = 2}\n"
    "[[body]]\nname = \"ball\"\nshape = {type = \"disc\", radius = 0.1}\nmass = 1\nposition = [0, \"h/2\"]\n"
    "[[chain]]\nname = \"far\"\ncount = 2\nshape = {type = \"disc\", radius = 0.1}\nmass = 1\nposition = [5, 1]\n"
    "[[wall]]\nname = \"floor\"\nshape = \"plane\"\n";

Json ask(std::string_view verb, const Json& question) {
  return Json::parse(app::answer(verb, question.dump()));
}

Json key_of(const Json& keys, const std::string& path) {
  for (const Json& key : keys)
    if (key["path"] == path) return key;
  return nullptr;
}

TEST(Laboratory, DescribesLawsAndSchemesByTheirFields) {
  const Json all = ask("describe", Json::object());
  ASSERT_TRUE(all["ok"]);
  for (const Json& law : all["laws"])
    for (const char* key : {"name", "about", "source", "fields"}) EXPECT_TRUE(law.contains(key)) << law;
  for (const Json& scheme : all["schemes"])
    for (const Json& field : scheme["fields"])
      if (scheme["name"] == "time-stepping" && field["name"] == "step") {
        EXPECT_EQ(field["unit"], "s");
        EXPECT_EQ(field["type"], "number");
        EXPECT_EQ(field["default"], 1e-3);
      }
}

TEST(Laboratory, ChecksASceneAndShowsItsStart) {
  const Json answer = ask("check", {{"scene", kLabBall}});
  ASSERT_TRUE(answer["ok"]) << answer;
  EXPECT_EQ(answer["check"]["format"], "carom-check/1");
  EXPECT_EQ(answer["start"]["format"], "carom-report/1");
  EXPECT_EQ(answer["start"]["run"]["text"], kLabBall);
  EXPECT_EQ(answer["paths"], Json::array({"body[0]", nullptr, nullptr, "wall[0]"}));
  EXPECT_EQ(answer["positions"][0], Json::array({0, 1}));
  EXPECT_EQ(answer["start"]["scene"]["bodies"].size(), answer["paths"].size());
  EXPECT_EQ(key_of(answer["keys"], "duration"), (Json{{"path", "duration"},
                                                      {"value", 1},
                                                      {"line", 2},
                                                      {"column", 12},
                                                      {"meaning", "how long it runs [s]"},
                                                      {"unit", "s"}}));
  EXPECT_EQ(key_of(answer["keys"], "contact.e")["line"], 5);
  const Json tolerance = key_of(answer["keys"], "law.tolerance");
  EXPECT_EQ(tolerance["value"], 1e-9);
  EXPECT_FALSE(tolerance.contains("line"));
  EXPECT_FALSE(tolerance["meaning"].get<std::string>().empty());
}

TEST(Laboratory, RunsAsTheToolDoes) {
  const Json answer = ask("run", {{"scene", kLabBall}, {"law", "newton"}, {"set", Json::array({"duration=0.5"})}});
  ASSERT_TRUE(answer["ok"]) << answer;
  EXPECT_EQ(answer["summary"]["law"], "newton");
  EXPECT_EQ(answer["report"]["run"]["duration"], 0.5);
  EXPECT_EQ(answer["report"]["end"]["status"], "solved");
  EXPECT_EQ(answer["text"].get<std::string>().substr(0, 5), "Ball\n");
}

TEST(Laboratory, ComparesLaws) {
  const Json answer = ask("compare", {{"scene", kLabBall}, {"laws", Json::array({"newton{}", "lzb{stiffness=mono}"})}});
  ASSERT_TRUE(answer["ok"]) << answer;
  ASSERT_EQ(answer["reports"].size(), 2U);
  EXPECT_EQ(answer["reports"][1]["label"], "lzb{stiffness=mono}");
  EXPECT_EQ(answer["comparison"]["format"], "carom-comparison/1");
  EXPECT_EQ(answer["table"]["header"][0], Json::array({"", "newton", "lzb"}));
  EXPECT_TRUE(answer["sentences"].is_array());
}

TEST(Laboratory, SolvesAProblemOrItsText) {
  const Json problem = {
      {"mass", {1, 1}}, {"u", {1, 0}}, {"contacts", Json::array({{{"normal", {-1, 1}}, {"e", 0.5}}})}};
  for (const Json& given : {problem, Json(problem.dump())}) {
    const Json answer = ask("impact", {{"problem", given}, {"law", "newton"}, {"set", Json::array({"e=1"})}});
    ASSERT_TRUE(answer["ok"]) << answer;
    EXPECT_EQ(answer["outcome"]["u_plus"], Json::array({0, 1}));
  }
}

TEST(Laboratory, SaysWhereSomethingIsWrong) {
  const Json answer = ask("check", {{"scene", "duration = 1\n[[body]]\nmass = -1\n"}});
  EXPECT_FALSE(answer["ok"]);
  EXPECT_EQ(answer["error"]["line"], 3);
  EXPECT_EQ(answer["error"]["column"], 8);
  EXPECT_EQ(answer["error"]["place"], "body[0].mass");
  EXPECT_EQ(answer["error"]["message"], "body[0].mass = -1 is not positive; it must be > 0");
}

TEST(Laboratory, WhatASceneStatesCanBeSet) {
  const std::filesystem::path folder = std::filesystem::path(CAROM_SOURCE_DIR) / "scenes";
  app::LabOptions options;
  options.folder = folder.string();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const Json checked = Json::parse(app::answer("check", Json{{"scene", text}}.dump(), {}, options));
    ASSERT_TRUE(checked["ok"]) << entry.path() << checked;
    Json set = Json::array();
    for (const Json& key : checked["keys"])
      if (key.contains("line")) set.push_back({{"path", key["path"]}, {"value", key["value"]}});
    const Json same = ask("edit", {{"scene", text}, {"set", set}});
    ASSERT_TRUE(same["ok"]) << entry.path() << same;
    const Json again = Json::parse(app::answer("check", Json{{"scene", same["scene"]}}.dump(), {}, options));
    EXPECT_EQ(again["check"], checked["check"]) << entry.path();
    EXPECT_EQ(again["keys"].size(), checked["keys"].size()) << entry.path();
    EXPECT_EQ(std::count(text.begin(), text.end(), '#'), [&] {
      const std::string edited = same["scene"];
      return std::count(edited.begin(), edited.end(), '#');
    }()) << entry.path();
  }
}

TEST(Laboratory, NeverThrows) {
  const std::string deep = "{\"scene\": " + std::string(100'000, '[');
  for (const std::string_view verb : {"describe", "check", "edit", "run", "compare", "impact", "", "erase"})
    for (const std::string& body :
         {std::string(), std::string("{"), std::string("null"), std::string("[]"), std::string("{\"scene\": null}"),
          std::string("{\"scene\": \"\"}"), std::string("{\"scene\": \"a = [\"}"), std::string("{\"problem\": 1}"),
          std::string("{\"problem\": \"{\"}"), std::string("{\"scene\": \"\", \"set\": 1}"), std::string("\xff"), deep})
      EXPECT_FALSE(Json::parse(app::answer(verb, body))["ok"]) << verb << " " << body.substr(0, 40);
}

TEST(Laboratory, ReadsNoFiles) {
  for (const char* text : {"duration = 1\nstart = {run = \"/tmp\"}\n",
                           "duration = 1\n[[body]]\nmass = 1\n[[wall]]\nshape = \"plane\"\nacceleration = [{file = "
                           "\"/etc/passwd\"}, 0]\n"}) {
    const Json answer = ask("check", {{"scene", text}});
    EXPECT_FALSE(answer["ok"]);
    EXPECT_NE(answer["error"]["message"].get<std::string>().find("cannot be read here"), std::string::npos) << answer;
  }
}

TEST(Laboratory, HasLimits) {
  const std::string row =
      "duration = 1\nlaw = \"newton\"\n[[chain]]\nname = \"a\"\ncount = 30000\nshape = {type = \"disc\", radius = "
      "0.1}\nmass = 1\n";
  const Json answer = ask("check", {{"scene", row}});
  ASSERT_FALSE(answer["ok"]);
  EXPECT_EQ(answer["error"]["line"], 5) << answer;
  EXPECT_FALSE(ask("check", {{"scene", std::string(3'000'000, ' ')}})["ok"]);
}

}  // namespace
}  // namespace carom::testing
