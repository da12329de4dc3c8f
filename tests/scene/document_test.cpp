#include "carom/scene/document.h"

#include <gtest/gtest.h>

#include "carom/scene/path.h"
#include "scene/reading.h"

namespace carom::scene {
namespace {

constexpr std::string_view kText = R"({ "mass": [1, 2],
  "M": [[4, 5], [6, 7]],
  "contacts": [
    {"e": 1, "normal": {"0": -1, "1": 8}},
    {"mu": 0.5} ],
  "law": {"name": "x", "E_n": 3} })";

std::string place(std::string_view path) {
  const Document document = parse_json(kText, "p.json");
  return place_of(document, find(document, path).at);
}

TEST(Document, PathsLeadToValues) {
  EXPECT_EQ(place(""), "p.json:1:1");
  EXPECT_EQ(place("mass[1]"), "p.json:1:15");
  EXPECT_EQ(place("M[0][1]"), "p.json:2:13");
  EXPECT_EQ(place("contacts[1].mu"), "p.json:5:12");
  EXPECT_EQ(place("contacts[0].normal"), "p.json:4:24");
  EXPECT_EQ(place("law.E_n"), "p.json:6:31");
}

TEST(Document, AnIndexIntoASparseDirectionIsItsKey) {
  EXPECT_EQ(place("contacts[0].normal[1]"), "p.json:4:39");
}

TEST(Document, WhatDoesNotExistIsItsDeepestExistingAncestor) {
  EXPECT_EQ(place("contacts[1].e"), "p.json:5:5");
  EXPECT_EQ(place("contacts[2].e"), "p.json:3:15");
  EXPECT_EQ(place("contacts[0].normal[2]"), "p.json:4:24");
  EXPECT_EQ(place("mass[1][0].x"), "p.json:1:15");
  EXPECT_EQ(place("W[3]"), "p.json:1:1");
  EXPECT_EQ(place("law..E_n"), "p.json:6:10");
  EXPECT_EQ(place("M[0][x]"), "p.json:2:9");
}

TEST(Document, ErrorsOfTheCoreBecomeLocatedSentences) {
  const Document document = parse_json(kText, "p.json");
  const auto line = [&](const char* path, const char* rule) {
    return std::string(located(InputError(path, rule), document).what());
  };
  EXPECT_EQ(line("contacts[1].mu", "0.5 is too much"), "p.json:5:12: contacts[1].mu = 0.5 is too much");
  EXPECT_EQ(line("law.E_n", "is 1 x 1; it must be 2 x 2"), "p.json:6:31: law.E_n is 1 x 1; it must be 2 x 2");
  EXPECT_EQ(line("mass", "all of it"), "p.json:1:11: mass: all of it");
  EXPECT_EQ(line("", "no masses"), "p.json:1:1: no masses");
}

TEST(Document, AnErrorThatIsLocatedStaysSo) {
  const Document document = parse_json(kText, "p.json");
  EXPECT_STREQ(located(ReadError("q.json:7:1", "no"), document).what(), "q.json:7:1: no");
}

TEST(Path, Steps) {
  const Steps parsed = parse_path(R"(contacts[12].normal."a.b"[*])");
  ASSERT_FALSE(parsed.broken_at);
  ASSERT_EQ(parsed.steps.size(), 5u);
  EXPECT_EQ(parsed.steps[0].key, "contacts");
  EXPECT_EQ(parsed.steps[1].index, 12u);
  EXPECT_EQ(parsed.steps[2].key, "normal");
  EXPECT_EQ(parsed.steps[3].key, "a.b");
  EXPECT_TRUE(parsed.steps[4].every);
  EXPECT_EQ(parsed.steps[4].begin, 25u);
}

TEST(Path, BrokenNotationSaysWhere) {
  EXPECT_EQ(parse_path("a..b").broken_at, 2u);
  EXPECT_EQ(parse_path(".a").broken_at, 0u);
  EXPECT_EQ(parse_path("a.").broken_at, 2u);
  EXPECT_EQ(parse_path("a.[0]").broken_at, 2u);
  EXPECT_EQ(parse_path("a[1").broken_at, 1u);
  EXPECT_EQ(parse_path("a[-1]").broken_at, 1u);
  EXPECT_EQ(parse_path("a[01]").broken_at, 1u);
  EXPECT_EQ(parse_path("a[1]b").broken_at, 4u);
  EXPECT_EQ(parse_path("a\"b\"").broken_at, 1u);
  EXPECT_EQ(parse_path("a]").broken_at, 1u);
}

}  // namespace
}  // namespace carom::scene
