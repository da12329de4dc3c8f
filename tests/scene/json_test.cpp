#include "carom/scene/json.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

#include "scene/reading.h"

namespace carom::scene {
namespace {

double number_in(std::string_view text) {
  return *parse_json(text, "p.json").root.number();
}
std::string text_in(std::string_view text) {
  return *parse_json(text, "p.json").root.text();
}
std::string json_error(std::string_view text) {
  return error_of([&] { parse_json(text, "p.json"); });
}

TEST(Json, ValuesOfEveryKind) {
  const Document document =
      parse_json(R"({"a": null, "b": true, "c": false, "d": -1.5e2, "e": "x", "f": [], "g": {}})", "");
  const Node::Object& members = *document.root.object();
  ASSERT_EQ(members.size(), 7u);
  EXPECT_TRUE(members[0].value.is_null());
  EXPECT_TRUE(*members[1].value.boolean());
  EXPECT_FALSE(*members[2].value.boolean());
  EXPECT_EQ(*members[3].value.number(), -150);
  EXPECT_EQ(*members[4].value.text(), "x");
  EXPECT_TRUE(members[5].value.array()->empty());
  EXPECT_TRUE(members[6].value.object()->empty());
  EXPECT_EQ(members[6].value.number(), nullptr);
}

TEST(Json, ANodeIs24Bytes) {
  EXPECT_EQ(sizeof(Node), 24u);
}

TEST(Json, KeysAndValuesKnowLineAndColumnInCharacters) {
  const Document document =
      parse_json("{\n  \"a\" : [1,\r\n 22],\t\"\xC3\xA9\xE2\x82\xAC\": \"\xF0\x9F\x8E\xB1\", \"z\": 1}", "");
  const auto at = [](Position position) { return std::pair(position.line, position.column); };
  const Node::Object& members = *document.root.object();
  EXPECT_EQ(at(document.root.at), std::pair(1u, 1u));
  EXPECT_EQ(at(members[0].key_at), std::pair(2u, 3u));
  EXPECT_EQ(at(members[0].value.at), std::pair(2u, 9u));
  EXPECT_EQ(at((*members[0].value.array())[0].at), std::pair(2u, 10u));
  EXPECT_EQ(at((*members[0].value.array())[1].at), std::pair(3u, 2u));
  EXPECT_EQ(at(members[1].key_at), std::pair(3u, 7u));
  EXPECT_EQ(at(members[1].value.at), std::pair(3u, 13u));
  EXPECT_EQ(at(members[2].key_at), std::pair(3u, 18u));
}

TEST(Json, NumbersAreTheNearestDoubles) {
  EXPECT_EQ(number_in("0.1"), 0.1);
  EXPECT_EQ(number_in("-0"), 0.0);
  EXPECT_TRUE(std::signbit(number_in("-0")));
  EXPECT_EQ(number_in("1E+2"), 100);
  EXPECT_EQ(number_in("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(number_in("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(number_in("1e-400"), 0.0);
  EXPECT_EQ(number_in("0e400"), 0.0);
  EXPECT_EQ(number_in("0." + std::string(400, '0') + "1e5"), 0.0);
  EXPECT_EQ(number_in("1" + std::string(400, '0') + "e-400"), 1.0);
  EXPECT_EQ(number_in("1e-99999999999999999999"), 0.0);
}

TEST(Json, NumbersDoNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* comma_locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"}) std::setlocale(LC_ALL, comma_locale);
  EXPECT_EQ(number_in("0.5"), 0.5);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Json, Escapes) {
  EXPECT_EQ(text_in(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(text_in(R"("\u0041\u00e9\u20AC\uD83C\uDFB1")"), "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\xB1");
  EXPECT_EQ(text_in(R"("\u0000")"), std::string(1, '\0'));
}

struct Rule {
  std::string_view text, place, message;
};

class JsonRule : public ::testing::TestWithParam<Rule> {};

TEST_P(JsonRule, IsAnErrorAtItsPlace) {
  const std::string error = json_error(GetParam().text);
  EXPECT_TRUE(error.starts_with("p.json:" + std::string(GetParam().place) + ": ")) << error;
  EXPECT_NE(error.find(GetParam().message), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Rfc8259, JsonRule,
    ::testing::Values(
        Rule{"", "1:1", "nothing here"}, Rule{"  \n ", "2:2", "nothing here"},
        Rule{"[1, 2", "1:6", "the input ends inside the list opened at 1:1; expected ']'"},
        Rule{"{\"a\": 1", "1:8", "the input ends inside the object opened at 1:1"},
        Rule{"{\"a\":", "1:6", "the input ends where a value is expected"},
        Rule{"{\"a\"", "1:5", "the end of the input after the key \"a\"; expected ':'"},
        Rule{"{\"a\" 1}", "1:6", "\"1\" after the key \"a\"; expected ':'"},
        Rule{"{\"a\": 1,", "1:9", "the input ends where a key is expected"},
        Rule{"{\"a\": 1 \"b\": 2}", "1:9", "in the object opened at 1:1; expected ',' or '}'"},
        Rule{"[1 2]", "1:4", "\"2\" in the list opened at 1:1; expected ',' or ']'"},
        Rule{"{a: 1}", "1:2", "\"a\" where a key is expected; keys are in double quotes"},
        Rule{"{'a': 1}", "1:2", "keys are in double quotes"}, Rule{"[1,]", "1:4", "JSON has no trailing commas"},
        Rule{"{\"a\":1,\n}", "2:1", "JSON has no trailing commas"}, Rule{"[,1]", "1:2", "\",\" is not a value"},
        Rule{"[1}", "1:3", "expected ',' or ']'"}, Rule{"[1] // done", "1:5", "JSON has no comments"},
        Rule{"{ /* a */ }", "1:3", "JSON has no comments"}, Rule{"{} # no", "1:4", "JSON has no comments"},
        Rule{"{} {}", "1:4", "\"{\" after the end of the document"},
        Rule{"1 2", "1:3", "\"2\" after the end of the document"},
        Rule{"NaN", "1:1", "NaN is not a number of JSON; every number must be finite"},
        Rule{"[nan]", "1:2", "nan is not a number"}, Rule{"[-Infinity]", "1:2", "-Infinity is not a number"},
        Rule{"[1e400]", "1:2", "1e400 is too large; numbers are at most 1.7976931348623157e308"},
        Rule{"[0.001e400]", "1:2", "0.001e400 is too large"}, Rule{"[-1e999999999999999999999]", "1:2", "is too large"},
        Rule{"[01]", "1:2", "01 is not a number of JSON; numbers have no leading zeros"},
        Rule{"[-012.5]", "1:2", "no leading zeros"}, Rule{"[+1]", "1:2", "numbers have no plus sign"},
        Rule{"[.5]", "1:2", "a digit must precede the decimal point"},
        Rule{"[-.5]", "1:2", "a digit must precede the decimal point"},
        Rule{"[1.]", "1:2", "digits must follow the decimal point"},
        Rule{"[1.e5]", "1:2", "digits must follow the decimal point"},
        Rule{"[2e]", "1:2", "digits must follow the exponent sign"},
        Rule{"[2e+]", "1:2", "digits must follow the exponent sign"}, Rule{"[-]", "1:2", "\"-\" is not a value"},
        Rule{"[0x10]", "1:2", "0x10 is not a number of JSON"}, Rule{"[1_000]", "1:2", "1_000 is not a number of JSON"},
        Rule{"[True]", "1:2", "\"True\" is not a value; it is written true in JSON"},
        Rule{"[nul]", "1:2", "\"nul\" is not a value"}, Rule{"[truely]", "1:2", "\"truely\" is not a value"},
        Rule{"['x']", "1:2", "strings are in double quotes"}, Rule{"[x]", "1:2", "\"x\" is not a value"}));

INSTANTIATE_TEST_SUITE_P(
    Strings, JsonRule,
    ::testing::Values(
        Rule{"[\"ab", "1:5", "the input ends inside the string opened at column 2"},
        Rule{"[\"ab\\", "1:5", "the input ends inside a string"},
        Rule{"[\"a\nb\"]", "1:4", "a line break inside a string"},
        Rule{"[\"a\tb\"]", "1:4", "the control character \\x09 inside a string; write it as \\u0009"},
        Rule{"[\"\\x41\"]", "1:3", "\"\\x\" is not an escape"},
        Rule{"[\"\\u12G4\"]", "1:3", "\"\\u12G4\" is not an escape; four hexadecimal digits follow \\u"},
        Rule{"[\"\\u12", "1:3", "is not an escape"},
        Rule{"[\"\\uD83C\"]", "1:3", "\"\\uD83C\" is half of a surrogate pair"},
        Rule{"[\"\\uDFB1\\uD83C\"]", "1:3", "\"\\uDFB1\" is half of a surrogate pair"},
        Rule{"[\"\\uD83C\\u0041\"]", "1:3", "half of a surrogate pair"},
        Rule{"[\"\xFF\"]", "1:3", "the byte \\xFF is not UTF-8"}, Rule{"[\"\xC0\xAF\"]", "1:3", "is not UTF-8"},
        Rule{"[\"\xED\xA0\x80\"]", "1:3", "is not UTF-8"}, Rule{"[\"\xE0\x80\x80\"]", "1:3", "is not UTF-8"},
        Rule{"[\"\xF4\x90\x80\x80\"]", "1:3", "is not UTF-8"}, Rule{"[\"\xF0\x8F\xBF\xBF\"]", "1:3", "is not UTF-8"},
        Rule{"[\"\xC3\"]", "1:3", "is not UTF-8"}, Rule{"[\"\xE2\x82", "1:3", "is not UTF-8"},
        Rule{"[\"\xC3\xA9\", \xC3\xA9]", "1:7", "is not a value"}, Rule{"\xEF\xBB\xBF{}", "1:1", "is not a value"},
        Rule{std::string_view("[\0]", 3), "1:2", "\"\\x00\" is not a value"},
        Rule{std::string_view("[\"\0\"]", 5), "1:3", "the control character \\x00"}));

INSTANTIATE_TEST_SUITE_P(Keys, JsonRule,
                         ::testing::Values(Rule{"{\"a\": 1,\n \"a\": 2}", "2:2",
                                                "the key \"a\" is here for the second time, first at 1:2"},
                                           Rule{"{\"\": 1, \"\\u0061\": 2, \"a\": 3}", "1:22",
                                                "the key \"a\" is here for the second time"}));

TEST(Json, DuplicateKeysAreFoundAmongMany) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  EXPECT_EQ(json_error(text + "\"1000\":0}"), "");
  EXPECT_NE(
      json_error(text + "\n\"7\":0}").find("p.json:2:1: the key \"7\" is here for the second time, first at 1:44"),
      std::string::npos);
}

TEST(Json, NestingIsLimited) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(json_error(nested(64)), "");
  EXPECT_EQ(json_error(nested(65)), "p.json:1:65: lists and objects nested deeper than 64, the most that is read");
  EXPECT_NE(json_error(std::string(10'000'000, '[')), "");
}

TEST(Json, LongWordsAndFileNamesAreShownOnOneShortLine) {
  const std::string error = json_error("[" + std::string(1'000'000, 'x') + "]");
  EXPECT_LT(error.size(), 300u);
  const std::string renamed = error_of([] { parse_json("[", "a\nb.json"); });
  EXPECT_TRUE(renamed.starts_with("a\\x0Ab.json:1:2: ")) << renamed;
}

}  // namespace
}  // namespace carom::scene
