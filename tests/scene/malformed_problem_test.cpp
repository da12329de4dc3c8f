#include <gtest/gtest.h>

#include <ostream>

#include "scene/reading.h"

namespace carom::scene {
namespace {

/// A file that is no problem, where its error stands, and what the message says: the value and the rule.
struct Malformed {
  std::string_view text, place, value, rule;
};

void PrintTo(const Malformed& malformed, std::ostream* out) {
  *out << malformed.text;
}

class MalformedProblem : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedProblem, IsRefusedWithPlaceValueAndRule) {
  const Malformed& malformed = GetParam();
  const std::string error = problem_error(malformed.text);
  EXPECT_TRUE(error.starts_with("p.json:" + std::string(malformed.place) + ": ")) << error;
  EXPECT_NE(error.find(malformed.value), std::string::npos) << error << "\nlacks " << malformed.value;
  EXPECT_NE(error.find(malformed.rule), std::string::npos) << error << "\nlacks " << malformed.rule;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, MalformedProblem,
    ::testing::Values(Malformed{R"([1, 2])", "1:1", "a list of 2", "expected an object"},
                      Malformed{R"("mass")", "1:1", "the string \"mass\"", "expected an object"},
                      Malformed{R"({"mass": [1,
  "u": [1]})",
                                "2:6", "\":\"", "expected ',' or ']'"},
                      Malformed{R"({"mass": [1, NaN]})", "1:14", "NaN", "every number must be finite"},
                      Malformed{R"({"mass": [1],
 "u": [1e400]})",
                                "2:8", "1e400", "too large"},
                      Malformed{R"({"mass": [1], "mass": [2]})", "1:15", "\"mass\"", "keys of an object are distinct"},
                      Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}]} x)", "1:56", "\"x\"",
                                "nothing may follow"},
                      Malformed{R"({"mass": [1],})", "1:14", "'}'", "no trailing commas"}));

INSTANTIATE_TEST_SUITE_P(
    Keys, MalformedProblem,
    ::testing::Values(
        Malformed{R"({"masss": [1], "u": [0]})", "1:2", "unknown key \"masss\"", "did you mean \"mass\"?"},
        Malformed{R"({"mass": [1],
  "velocity": [0]})",
                  "2:3", "unknown key \"velocity\"", R"(known keys are "format", "about", "mass", "M", "u")"},
        Malformed{R"({"mass": [1], "u": [0],
  "contacts": [{"normal": [1], "muu": 0.1}]})",
                  "2:32", "unknown key \"muu\" in contacts[0]", "did you mean \"mu\"?"},
        Malformed{R"({"mass": [1], "u": [0],
  "contacts": [{"normal": [1], "restitution": 0.1}]})",
                  "2:32", "unknown key \"restitution\"", "\"eta\", \"E0\", \"e_t\""},
        Malformed{R"({"format": "carom-problem/2"})", "1:12", "\"carom-problem/2\"", "expected \"carom-problem/1\""},
        Malformed{R"({"format": 1})", "1:12", "the number 1", "expected a string"},
        Malformed{R"({"about": ["two"]})", "1:11", "a list of 1", "expected a string"},
        Malformed{R"({"about": "two\nlines"})", "1:11", R"("two\x0Alines")", "one line of text"}));

INSTANTIATE_TEST_SUITE_P(
    Mass, MalformedProblem,
    ::testing::Values(Malformed{R"({"u": [0], "contacts": []})", "1:1", "no \"mass\"",
                                "the masses of its degrees of freedom, or \"M\""},
                      Malformed{R"({"mass": [1],
  "M": [[1]]})",
                                "2:8", "mass at p.json:1:10", "not both"},
                      Malformed{R"({"mass": []})", "1:10", "is empty", "at least one mass"},
                      Malformed{R"({"M": []})", "1:7", "is empty", "at least one mass"},
                      Malformed{R"({"mass": 3})", "1:10", "the number 3", "expected a list of numbers"},
                      Malformed{R"({"mass": null})", "1:10", "null", "expected a list of numbers"},
                      Malformed{R"({"mass": [1, "2"]})", "1:14", "mass[1] is the string \"2\"", "expected a number"},
                      Malformed{R"({"mass": [1, [2]]})", "1:14", "mass[1] is a list of 1", "expected a number"},
                      Malformed{R"({"mass": [1, 0]})", "1:14", "mass[1] = 0", "not a positive finite mass"},
                      Malformed{R"({"mass": [1, 2,
  -3]})",
                                "2:3", "mass[2] = -3", "not a positive finite mass"},
                      Malformed{R"({"M": 2})", "1:7", "the number 2", "expected a list of rows"},
                      Malformed{R"({"M": [1, 2]})", "1:8", "M[0] is the number 1", "a list of numbers"},
                      Malformed{R"({"M": [[1, 0],
  [0]]})",
                                "2:3", "M[1] has 1 entries, M[0] has 2", "rows are of equal length"},
                      Malformed{R"({"M": [[1, 0], [0, 1], [0, 0]]})", "1:7", "3 x 2", "as many columns as rows"},
                      Malformed{R"({"M": [[1, 0], [true, 1]]})", "1:17", "M[1][0] is true", "expected a number"},
                      Malformed{R"({"M": [[2, 1],
  [0.9, 2]]})",
                                "2:4", "M[1][0] = 0.9 differs from M[0][1] = 1", "must be symmetric"},
                      Malformed{R"({"M": [[1, 0],
  [0, -1]]})",
                                "2:7", "M[1][1] = -1", "positive definite"},
                      Malformed{R"({"M": [[1, 2], [2, 1]]})", "1:7", "not positive definite", "no inertia"}));

INSTANTIATE_TEST_SUITE_P(
    Velocity, MalformedProblem,
    ::testing::Values(Malformed{R"({"mass": [1]})", "1:1", "no \"u\"", "the velocity before the impact"},
                      Malformed{R"({"mass": [1], "u": 0})", "1:20", "the number 0", "expected a list of numbers"},
                      Malformed{R"({"mass": [1], "u": {"0": 1}})", "1:20", "an object", "expected a list of numbers"},
                      Malformed{R"({"mass": [1, 1], "u": [0, null]})", "1:27", "u[1] is null", "expected a number"},
                      Malformed{R"({"mass": [1, 1],
  "u": [0],
  "contacts": [{"normal": [1, 0]}]})",
                                "2:8", "u has 1 entries", "the system has 2"},
                      Malformed{R"({"mass": [1], "u": [0], "p": [1, 2],
  "contacts": [{"normal": [1]}]})",
                                "1:30", "p has 2 entries", "the system has 1"},
                      Malformed{R"({"mass": [1], "u": [0], "p": []})", "1:30", "p is empty",
                                "leave it out, or give 1 numbers"},
                      Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}],
  "candidates": [[1], [1, 2]]})",
                                "2:23", "candidates[1] has 2 entries", "as long as u"},
                      Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}],
  "candidates": [1]})",
                                "2:18", "candidates[0] is the number 1", "expected a list of numbers"},
                      Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}], "candidates": true})", "1:70",
                                "true", "expected a list of velocities"}));

INSTANTIATE_TEST_SUITE_P(
    Directions, MalformedProblem,
    ::testing::Values(
        Malformed{R"({"mass": [1], "u": [0], "contacts": [
  {"e": 1}]})",
                  "2:3", "contacts[0] has no \"normal\"", "the direction in which the contact opens"},
        Malformed{R"({"mass": [1, 1], "u": [0, 0], "contacts": [
  {"normal": [1, 0, 0]}]})",
                  "2:14", "contacts[0].normal has 3 entries", "as long as u"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": "x"}]})", "1:49", "the string \"x\"",
                  "as long as u, or an object"},
        Malformed{R"({"mass": [1, 1], "u": [0, 0], "contacts": [{"normal": [0, 0]}]})", "1:55",
                  "contacts[0].normal is zero", "must not vanish"},
        Malformed{R"({"mass": [1, 1], "u": [0, 0], "contacts": [{"normal": {}}]})", "1:55",
                  "contacts[0].normal is zero", "must not vanish"},
        Malformed{R"({"mass": [1, 1], "u": [0, 0], "contacts": [{"normal": [1, false]}]})", "1:59",
                  "contacts[0].normal[1] is false", "expected a number"},
        Malformed{R"({"mass": [1, 1], "u": [0, 0], "contacts": [
  {"normal": {"0": 1, "2": -1}}]})",
                  "2:23", "contacts[0].normal has the key \"2\"", "indices 0 to 1"},
        Malformed{R"({"mass": [1, 1], "u": [0, 0], "contacts": [{"normal": {"01": 1}}]})", "1:56", "\"01\"",
                  "without sign or leading zeros"},
        Malformed{R"({"mass": [1, 1], "u": [0, 0], "contacts": [{"normal": {"-1": 1}}]})", "1:56", "\"-1\"",
                  "without sign or leading zeros"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": {"18446744073709551616": 1}}]})", "1:50",
                  "\"18446744073709551616\"", "indices 0 to 0"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": {"x": 1}}]})", "1:50", "\"x\"", "indices 0 to 0"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": {"0": "1"}}]})", "1:55",
                  "contacts[0].normal.0 is the string \"1\"", "expected a number"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "tangents": {"0": 1}}]})", "1:66",
                  "an object", "a list of 0, 1 or 2 directions"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "tangents": [[1], [1], [1]]}]})", "1:66",
                  "has 3 entries", "0, 1 or 2 tangents"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "tangents": [[1], [0]]}]})", "1:72",
                  "contacts[0].tangents[1] is zero", "must not vanish"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "tangents": [1]}]})", "1:67",
                  "contacts[0].tangents[0] is the number 1", "as long as u, or an object"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}],
  "joints": [[0]]})",
                  "2:14", "joints[0] is zero", "must not vanish"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}],
  "joints": [[1, 2]]})",
                  "2:14", "joints[0] has 2 entries", "as long as u"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}], "joints": {}})", "1:66", "an object",
                  "a list of directions"}));

INSTANTIATE_TEST_SUITE_P(
    Contacts, MalformedProblem,
    ::testing::Values(
        Malformed{R"({"mass": [1], "u": [0]})", "1:1", "no \"contacts\"", "the list of contacts"},
        Malformed{R"({"mass": [1], "u": [0],
  "contacts": []})",
                  "2:15", "contacts is empty", "at least one contact"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": {}})", "1:37", "an object", "a list of contacts"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [[1]]})", "1:38", "contacts[0] is a list of 1",
                  "expected an object"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [
  {"normal": [1], "mu": -0.1}]})",
                  "2:25", "contacts[0].mu = -0.1", "friction coefficients are >= 0"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [
  {"normal": [1]},
  {"normal": [1], "k": 0}]})",
                  "3:24", "contacts[1].k = 0", "stiffnesses are > 0"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "eta": -1.5}]})", "1:61",
                  "contacts[0].eta = -1.5", "exponents are > 0"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "eta": 0}]})", "1:61", "contacts[0].eta = 0",
                  "exponents are > 0"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "E0": -2}]})", "1:60", "contacts[0].E0 = -2",
                  "stored energies are >= 0"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "gap_rate": -2}]})", "1:66",
                  "contacts[0].gap_rate = -2", "gap_rate >= 0"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "e": "high"}]})", "1:59",
                  "contacts[0].e is the string \"high\"", "expected a number"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "e_t": [1]}]})", "1:61",
                  "contacts[0].e_t is a list of 1", "expected a number"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "drift": [1, 2]}]})", "1:63",
                  "contacts[0].drift has 2 entries", "the normal and 0 tangents make 1"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "tangents": [[1]], "drift": [1]}]})", "1:82",
                  "contacts[0].drift has 1 entries", "the normal and 1 tangents make 2"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "bias": [1, 2]}]})", "1:62",
                  "contacts[0].bias has 2 entries", "the normal and 0 tangents make 1"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "bias": "x"}]})", "1:62",
                  "contacts[0].bias is the string \"x\"", "expected a number, or a list"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}], "h": [1, 2]})", "1:61",
                  "h has 2 entries, the system 1 degrees of freedom", "as long as u"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}], "h": 1})", "1:61", "h is the number 1",
                  "expected a list of numbers"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "drift": "x"}]})", "1:63", "the string \"x\"",
                  "a number, or a list"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "name": 12}]})", "1:62",
                  "contacts[0].name is the number 12", "expected a string"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "name": ""}]})", "1:62",
                  "contacts[0].name is empty", "give the contact a name"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "name": "a\u0000b"}]})", "1:62",
                  R"("a\x00b")", "one line of text"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [
  {"normal": [1], "name": "a"},
  {"normal": [1], "name": "a"}]})",
                  "3:27", "contacts[1].name = \"a\" is also the name of contacts[0] at p.json:2:27",
                  "names are distinct"},
        Malformed{R"({"mass": [1], "u": [0], "contacts": [
  {"normal": [1], "name": "2"},
  {"normal": [1]}]})",
                  "3:3", "contacts[1].name = \"2\" is also the name of contacts[0] at p.json:2:27",
                  "names are distinct"}));

constexpr std::string_view kUnit = R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}], "law": )";

/// The unit problem with that law, which starts at 2:1.
std::string law_error(std::string_view law) {
  return problem_error(std::string(kUnit) + "\n" + std::string(law) + "}");
}

TEST(MalformedLaw, UnknownLawNamesTheNearestAndAll) {
  const std::string error = law_error(R"({"name": "newtonn"})");
  EXPECT_TRUE(error.starts_with(R"(p.json:2:10: unknown law "newtonn"; did you mean "newton"? the laws are ")"))
      << error;
  for_each_law([&](const auto& law) { EXPECT_NE(error.find(law.name), std::string::npos) << error; });
  EXPECT_TRUE(law_error(R"("zzz")").starts_with(R"(p.json:2:1: unknown law "zzz"; the laws are ")"));
}

TEST(MalformedLaw, WithoutNameOrOfTheWrongType) {
  EXPECT_TRUE(law_error(R"({"e": 1})").starts_with(R"(p.json:2:1: law has no "name": which law; the laws are ")"));
  EXPECT_EQ(law_error("7"), R"(p.json:2:1: law is the number 7; expected a name, or an object such as {"name": ...})");
  EXPECT_EQ(law_error(R"({"name": 7})"), "p.json:2:10: law.name is the number 7; expected a string");
}

TEST(MalformedLaw, Parameters) {
  EXPECT_EQ(law_error(R"({"name": "newton", "matrx": 1})"),
            R"(p.json:2:20: unknown key "matrx" in law; did you mean "matrix"?)");
  EXPECT_EQ(law_error(R"({"name": "poisson", "e": 1})"),
            R"(p.json:2:21: unknown key "e" in law; known keys are "name")");
  EXPECT_EQ(law_error(R"({"name": "newton", "matrix": [[1, 2], [3]]})"),
            "p.json:2:39: law.matrix[1] has 1 entries, law.matrix[0] has 2; rows are of equal length");
  EXPECT_EQ(law_error(R"({"name": "newton", "matrix": [1, 2]})"),
            "p.json:2:31: law.matrix[0] is the number 1; expected a row: a list of numbers");
  EXPECT_EQ(law_error(R"({"name": "newton", "matrix": "I"})"),
            "p.json:2:30: law.matrix is the string \"I\"; expected a list of rows, or one number");
  EXPECT_EQ(law_error(R"({"name": "moreau", "e": "1"})"), "p.json:2:25: law.e is the string \"1\"; expected a number");
}

TEST(MalformedLaw, WordsAndTolerances) {
  EXPECT_EQ(law_error(R"({"name": "lzb", "stiffness": "tri"})"),
            R"(p.json:2:30: law.stiffness = "tri" is not one of "bi", "mono")");
  EXPECT_EQ(law_error(R"({"name": "lzb", "stiffness": 2})"),
            "p.json:2:30: law.stiffness is the number 2; expected a string");
  EXPECT_EQ(law_error(R"({"name": "lzb", "tolerance": "NaN"})"),
            "p.json:2:30: law.tolerance is the string \"NaN\"; expected a number");
  EXPECT_EQ(law_error(R"({"name": "compliant", "force": "spring"})"),
            R"(p.json:2:32: law.force = "spring" is not one of "power", "spring-dashpot", "hunt-crossley", )"
            R"("lankarani-nikravesh", "lee-wang", "exact", "hysteretic", "bi-stiffness")");
}

}  // namespace
}  // namespace carom::scene
