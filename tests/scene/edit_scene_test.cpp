#include "carom/scene/edit_scene.h"

#include <gtest/gtest.h>

#include "carom/base/error.h"
#include "carom/scene/json.h"
#include "carom/scene/toml_statements.h"

namespace carom::scene {
namespace {

constexpr const char* kEdited = R"(# a ball
duration = 1.0 # [s]
law = "lzb"

[contact]
e = 0.5  # of both
mu = "1/2"

# the first
[[body]]
name = "é ball"
shape = {type = "sphere", radius = 0.1}
position = [0, 1] # here

[[body]]
position = [
  1, # right
  2,
]
)";

std::string edited(const std::string& text, const std::string& path, const std::string& value) {
  const Document document = parse_json("{\"value\": " + value + "}", "value");
  return with_value(text, path, document.root.find("value")->value);
}

/// The text with one piece of it changed, all else the same.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(EditScene, ReplacesAValueWhereItStands) {
  EXPECT_EQ(edited(kEdited, "duration", "2.5"), changed(kEdited, "1.0", "2.5"));
  EXPECT_EQ(edited(kEdited, "contact.mu", "0.25"), changed(kEdited, "\"1/2\"", "0.25"));
  EXPECT_EQ(edited(kEdited, "body[0].position", "[3, -4e-7]"), changed(kEdited, "[0, 1]", "[3, -4e-07]"));
  EXPECT_EQ(edited(kEdited, "body[0].shape.radius", "1"), changed(kEdited, "0.1", "1"));
  EXPECT_EQ(edited(kEdited, "body[1].position[1]", "7"), changed(kEdited, "  2,", "  7,"));
  EXPECT_EQ(edited(kEdited, "body[0].name", "\"a \\\"b\\\"\\n\""),
            changed(kEdited, "\"é ball\"", R"("a \"b\"\u000A")"));
}

TEST(EditScene, AddsAKeyAtTheEndOfItsTable) {
  EXPECT_EQ(edited(kEdited, "gravity", "9.81"), changed(kEdited, "law = \"lzb\"", "law = \"lzb\"\ngravity = 9.81"));
  EXPECT_EQ(edited(kEdited, "contact.eta", "1.5"), changed(kEdited, "mu = \"1/2\"", "mu = \"1/2\"\neta = 1.5"));
  EXPECT_EQ(edited(kEdited, "body[0].mass", "2"), changed(kEdited, "# here", "# here\nmass = 2"));
  EXPECT_EQ(edited(kEdited, "body[1].mass", "2"), std::string(kEdited) + "mass = 2\n");
  EXPECT_EQ(edited(kEdited, "body[0].shape.density", "7"), changed(kEdited, "0.1}", "0.1, density = 7}"));
  EXPECT_EQ(edited(kEdited, "record.interval", "0.1"),
            changed(kEdited, "law = \"lzb\"", "law = \"lzb\"\nrecord.interval = 0.1"));
}

TEST(EditScene, MakesATableOfANameThatGetsParameters) {
  EXPECT_EQ(edited(kEdited, "law.tolerance", "1e-6"),
            changed(kEdited, "\"lzb\"", "{name = \"lzb\", tolerance = 1e-06}"));
}

TEST(EditScene, ReplacesATableWithAHeader) {
  EXPECT_EQ(edited("a = 1\n[law]\nname = \"lzb\" # x\n\n[b]\nc = 1\n", "law", "\"newton\""),
            "a = 1\nlaw = \"newton\"\n\n[b]\nc = 1\n");
}

TEST(EditScene, AddsATableToAList) {
  EXPECT_EQ(edited(kEdited, "body[2]", R"({"name": "c", "position": [1, 2]})"),
            std::string(kEdited) + "\n[[body]]\nname = \"c\"\nposition = [1, 2]\n");
}

TEST(EditScene, TakesAKeyAway) {
  EXPECT_EQ(edited(kEdited, "contact.e", "null"), changed(kEdited, "e = 0.5  # of both\n", ""));
  EXPECT_EQ(edited(kEdited, "body[0].shape.radius", "null"), changed(kEdited, ", radius = 0.1", ""));
  EXPECT_EQ(edited(kEdited, "body[0].shape.type", "null"), changed(kEdited, "type = \"sphere\", ", ""));
  EXPECT_EQ(edited(kEdited, "body[1]", "null"),
            changed(kEdited, "[[body]]\nposition = [\n  1, # right\n  2,\n]\n", ""));
  EXPECT_EQ(edited(kEdited, "contact.nothing", "null"), kEdited);
}

TEST(EditScene, KeepsWhatOthersWrite) {
  EXPECT_EQ(edited("x.y = 1\r\nz = 2\r\n[q]\r\n", "x.w", "3"), "x.y = 1\r\nz = 2\r\nx.w = 3\n[q]\r\n");
  EXPECT_EQ(edited("[a.b]\nc = 1\n", "a.d", "2"), "a.d = 2\n\n[a.b]\nc = 1\n");
  EXPECT_EQ(edited("", "a", "[true, {\"b c\": \"x\"}]"), "a = [true, {\"b c\" = \"x\"}]\n");
  EXPECT_EQ(edited("a = \"\"\"x # [\n]\"\"\"\nb = 1", "c", "2"), "a = \"\"\"x # [\n]\"\"\"\nb = 1\nc = 2");
}

TEST(EditScene, RefusesWhatItCannotSet) {
  for (const char* path : {"", "a[", "body[5].mass", "body[*].mass", "duration.x", "body[0].position[4]", "body.x"})
    EXPECT_THROW(edited(kEdited, path, "1"), InputError) << path;
  EXPECT_THROW(edited(kEdited, "contact", "{\"e\": 1}"), InputError);
  EXPECT_THROW(edited(kEdited, "duration", "{\"e\": null}"), InputError);
  EXPECT_THROW(edited("a = ", "a", "1"), InputError);
}

TEST(TomlStatements, AreKeysAndHeaders) {
  const std::string text = "# c\na = 1 # x\n[b]\nc = [ # [\n 1,\n]\n'd' = '''\n[x]\n'''";
  std::vector<std::string> found;
  for (const TomlStatement& one : toml_statements(text))
    found.push_back((one.is_header ? "header " : "") + text.substr(one.begin, one.end - one.begin));
  EXPECT_EQ(found, (std::vector<std::string>{"a = 1", "header [b]", "c = [ # [\n 1,\n]", "'d' = '''\n[x]\n'''"}));
}

}  // namespace
}  // namespace carom::scene
