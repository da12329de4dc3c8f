#include "carom/scene/toml.h"

#include <gtest/gtest.h>

#include "scene/reading.h"

namespace carom::scene {
namespace {

TEST(Toml, ValuesOfEveryKindInTheOrderOfTheFile) {
  const Document document =
      parse_toml("z = 1\na = -2.5\nt = \"x\"\nb = true\nl = [1, 2]\no = {k = 0x10}\n[s]\nq = 'r'\n", "");
  const Node::Object& members = *document.root.object();
  ASSERT_EQ(members.size(), 7u);
  EXPECT_EQ(members[0].key, "z");
  EXPECT_EQ(*members[0].value.number(), 1);
  EXPECT_EQ(*members[1].value.number(), -2.5);
  EXPECT_EQ(*members[2].value.text(), "x");
  EXPECT_TRUE(*members[3].value.boolean());
  EXPECT_EQ(members[4].value.array()->size(), 2u);
  EXPECT_EQ(*members[5].value.find("k")->value.number(), 16);
  EXPECT_EQ(*members[6].value.find("q")->value.text(), "r");
}

std::string place(const Document& document, std::string_view path) {
  return place_of(document, find(document, path).at);
}

TEST(Toml, ValuesKnowLineAndColumnInCharacters) {
  const Document document = parse_toml(
      "title = \"\xC3\xA9\xE2\x82\xAC\" # x\n\n[[body]]\n  mass = [1, 22]\n[[body]]\nname = \"b\"\n"
      "[materials.steel]\ne = 1\n[parameters]\nR = {a = 1, \"\xE2\x82\xAC\".b = 2}\n",
      "s.toml");
  EXPECT_EQ(place(document, ""), "s.toml:1:1");
  EXPECT_EQ(place(document, "title"), "s.toml:1:9");
  EXPECT_EQ(place(document, "body[0]"), "s.toml:3:1");
  EXPECT_EQ(place(document, "body[0].mass[1]"), "s.toml:4:14");
  EXPECT_EQ(place(document, "body[1].name"), "s.toml:6:8");
  EXPECT_EQ(place(document, "materials.steel"), "s.toml:7:1");
  EXPECT_EQ(place(document, "materials.steel.e"), "s.toml:8:5");
  EXPECT_EQ(place(document, "parameters.R"), "s.toml:10:5");
  EXPECT_EQ(place(document, "parameters.R.\"\xE2\x82\xAC\".b"), "s.toml:10:21");
}

struct TomlRefusal {
  std::string_view text, message;
};

void PrintTo(const TomlRefusal& rule, std::ostream* out) {
  *out << rule.text;
}

class TomlRule : public ::testing::TestWithParam<TomlRefusal> {};

TEST_P(TomlRule, IsAnErrorAtItsPlace) {
  const std::string error = error_of([] { parse_toml(GetParam().text, "s.toml"); });
  EXPECT_EQ(error, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Toml, TomlRule,
    ::testing::Values(
        TomlRefusal{"a = nan", "s.toml:1:5: nan is not a finite number"},
        TomlRefusal{"a = [1,\n -inf]", "s.toml:2:2: -inf is not a finite number"},
        TomlRefusal{"a = 1e999", "s.toml:1:10: floating-point: '1e999' could not be interpreted as a value"},
        TomlRefusal{"\nday = 1979-05-27",
                    "s.toml:2:7: a date or time; expected a number, a string, true or false, "
                    "a list or a table"},
        TomlRefusal{"a = 07:32:00",
                    "s.toml:1:5: a date or time; expected a number, a string, true or false, a list or a table"},
        TomlRefusal{"a = 1\na = 2", "s.toml:2:5: key-value pair: cannot redefine existing integer 'a'"},
        TomlRefusal{"a = ", "s.toml:1:5: key-value pair: encountered end-of-file"},
        TomlRefusal{"a = [1, 2", "s.toml:1:10: array: encountered end-of-file"},
        TomlRefusal{"= 1", "s.toml:1:1: root table: expected keys, tables, whitespace or comments, saw '='"},
        TomlRefusal{"a = \"x", "s.toml:1:7: string: encountered end-of-file"},
        TomlRefusal{"[a", "s.toml:1:3: table header: encountered end-of-file"},
        TomlRefusal{"a = \"\xFF\"", "s.toml:1:6: the byte \\xFF is not UTF-8; the input must be UTF-8"},
        TomlRefusal{"a = 1\n# \xC3\xA9\xC0", "s.toml:2:4: the byte \\xC0 is not UTF-8; the input must be UTF-8"},
        TomlRefusal{"a = 99999999999999999999",
                    "s.toml:1:25: decimal integer: '99999999999999999999' is not representable in 64 bits"},
        TomlRefusal{"a b = 1", "s.toml:1:3: key-value pair: expected '=', saw 'b'"}));

TEST(Toml, KeysOfManyPartsAndDeepListsAreRefused) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  for (const std::string& text : {key + " = 1", "[" + key + "]", "x = {" + key + " = 1}", "\n[[" + key + "]]"}) {
    const std::string error = error_of([&] { parse_toml(text, "s.toml"); });
    EXPECT_NE(error.find("a key of more than 64 parts"), std::string::npos) << error;
  }
  EXPECT_NE(error_of([] { parse_toml("a = " + std::string(100'000, '['), "s.toml"); }), "");
  EXPECT_EQ(error_of([] {
              parse_toml("a = \"" + std::string(100, '.') + "\" # " + std::string(100, '.') + "\nb = '''" +
                             std::string(90, '.') + "\n''' \nc = [1.5, 2.5]\n",
                         "s.toml");
            }),
            "");
}

}  // namespace
}  // namespace carom::scene
