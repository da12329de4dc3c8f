#include "carom/scene/overrides.h"

#include <gtest/gtest.h>

#include "carom/scene/law_reader.h"
#include "scene/reading.h"

namespace carom::scene {
namespace {

constexpr std::string_view kChain = R"({"mass": [1, 1, 1], "u": [1, 0, 0],
  "contacts": [{"name": "12", "normal": {"0": -1, "1": 1}, "e": 0.5}, {"normal": [0, -1, 1]}],
  "law": {"name": "moreau", "e": 0.1}})";

ProblemFile with(std::vector<std::string> settings, std::string_view text = kChain) {
  return read_text(text, {.law = {}, .settings = std::move(settings)});
}
std::string set_error(const std::string& setting, std::string_view text = kChain) {
  return problem_error(text, {.law = {}, .settings = {setting}});
}
ProblemFile under(const std::string& law, std::vector<std::string> settings = {}, std::string_view text = kChain) {
  return read_text(text, {.law = law, .settings = std::move(settings)});
}
double law_e(const ProblemFile& file) {
  return std::get<Moreau>(*file.law).e.value_or(-1);
}

TEST(Set, OneValue) {
  EXPECT_EQ(with({"u[0]=2"}).problem.u_minus[0], 2);
  EXPECT_EQ(with({"mass[2]=5"}).problem.M.to_dense()(2, 2), 5);
  EXPECT_EQ(with({"contacts[1].e=0.7"}).problem.contacts[1].e, 0.7);
  EXPECT_EQ(with({"contacts[0].normal[1]=3"}).problem.W.coeff(1, 0), 3);
  EXPECT_EQ(with({"contacts[0].normal.2=4"}).problem.W.coeff(2, 0), 4);
}

TEST(Set, AContactByItsNameOrNumber) {
  EXPECT_EQ(with({"contacts.12.e=0.7"}).problem.contacts[0].e, 0.7);
  EXPECT_EQ(with({"contacts.2.e=0.7"}).problem.contacts[1].e, 0.7);
  EXPECT_EQ(with({"contacts[0].name=a.b", "contacts.\"a.b\".e=0.3"}).problem.contacts[0].e, 0.3);
}

TEST(Set, AllContacts) {
  for (const char* setting : {"contacts[*].e=0.9", "e=0.9"})
    for (const Contact& contact : with({setting}).problem.contacts) EXPECT_EQ(contact.e, 0.9);
  for (const Contact& contact :
       with({"contacts[*].tangents=[[1,0,0]]", "mu=0.2", "k=3", "eta=1", "E0=4", "e_t=0.6", "drift=0.5"})
           .problem.contacts) {
    EXPECT_EQ(contact.mu, 0.2);
    EXPECT_EQ(contact.k, 3);
    EXPECT_EQ(contact.eta, 1);
    EXPECT_EQ(contact.E0, 4);
    EXPECT_EQ(contact.e_t, 0.6);
  }
  EXPECT_EQ(with({"drift=0.5"}).problem.drift, Vector(Eigen::Vector2d(0.5, 0.5)));
  EXPECT_EQ(Matrix(with({"contacts[*].tangents=[[1,0,0]]"}).problem.W).row(0), Eigen::RowVector4d(-1, 1, 0, 1));
}

TEST(Set, LaterSettingsWin) {
  EXPECT_EQ(with({"e=0.9", "contacts[0].e=0.3", "contacts[0].e=0.4"}).problem.contacts[0].e, 0.4);
}

TEST(Set, TheLaw) {
  EXPECT_EQ(law_e(with({"law.e=0.5"})), 0.5);
  EXPECT_EQ(name_of(*with({"law=poisson"}).law), "poisson");
  EXPECT_EQ(name_of(*with({"law={\"name\": \"newton\"}"}).law), "newton");
  constexpr std::string_view named = R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}], "law": "moreau"})";
  EXPECT_EQ(law_e(with({"law.e=0.5"}, named)), 0.5);
  EXPECT_EQ(name_of(*with({"law.name=poisson"}, named).law), "poisson");
  constexpr std::string_view open = R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}]})";
  EXPECT_EQ(name_of(*with({"law.name=poisson"}, open).law), "poisson");
}

TEST(Set, ValuesAreJsonOrElseStrings) {
  EXPECT_EQ(with({"about=\"quoted\""}).about, "quoted");
  EXPECT_EQ(with({"about=not quoted, = sign"}).about, "not quoted, = sign");
  EXPECT_EQ(with({"about="}).about, "");
  EXPECT_EQ(with({"u=[3, 4, 5]"}).problem.u_minus[2], 5);
  EXPECT_EQ(with({"u=[3,\n 4, 5]"}).problem.u_minus[2], 5);
}

TEST(Set, ErrorsPointAtTheOption) {
  EXPECT_EQ(set_error("mu=-1"), "--set mu=-1:1:4: contacts[0].mu = -1 is negative; friction coefficients are >= 0");
  EXPECT_EQ(set_error("u=[1, \"a\", 0]"), "--set u=[1, \"a\", 0]:1:7: u[1] is the string \"a\"; expected a number");
  EXPECT_EQ(set_error("e=NaN"), "--set e=NaN:1:3: contacts[0].e is the string \"NaN\"; expected a number");
  EXPECT_EQ(set_error("masss=[1]"), "--set masss=[1]:1:1: unknown key \"masss\"; did you mean \"mass\"?");
  EXPECT_EQ(set_error("contacts[0].muu=1"),
            "--set contacts[0].muu=1:1:13: unknown key \"muu\" in contacts[0]; did you mean \"mu\"?");
  EXPECT_EQ(set_error("law.ee=1"), "--set law.ee=1:1:5: unknown key \"ee\" in law; did you mean \"e\"?");
  EXPECT_EQ(set_error("lax.e=1"), "--set lax.e=1:1:1: unknown key \"lax\"; did you mean \"law\"?");
  const std::string unknown = set_error("law.name=newtonn");
  EXPECT_TRUE(unknown.starts_with("--set law.name=newtonn:1:10: unknown law \"newtonn\"; did you mean \"newton\"?"))
      << unknown;
}

TEST(Set, PathsThatLeadNowhere) {
  EXPECT_EQ(set_error("e"), "--set e:1:1: no '=' in \"e\"; write key=value");
  EXPECT_EQ(set_error("=1").substr(0, 33), "--set =1:1:1: \"\" is not a path; p");
  EXPECT_EQ(set_error("law..e=1").substr(0, 42), "--set law..e=1:1:5: \"law..e\" is not a path");
  EXPECT_EQ(set_error("contacts[2].e=1"),
            "--set contacts[2].e=1:1:9: contacts has 2 entries, counted from 0; there is no [2]");
  EXPECT_EQ(set_error("contacts.13.e=1"),
            "--set contacts.13.e=1:1:10: contacts has no entry named \"13\"; did you mean \"12\"?");
  EXPECT_EQ(set_error("u[0].x=1"), "--set u[0].x=1:1:6: u[0] is the number 1; it has no \"x\"");
  EXPECT_EQ(set_error("law[*]=1"), "--set law[*]=1:1:4: law is an object; it has no \"*\"");
  EXPECT_EQ(set_error("u.x=1"), "--set u.x=1:1:3: u has no entry named \"x\"; its names are \"1\", \"2\", \"3\"");
  EXPECT_NE(set_error("a" + std::string(200'000, '.') + "=1"), "");
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += ".a";
  EXPECT_NE(set_error(deep + "=1").find("a path of more than 64 steps"), std::string::npos);
}

TEST(Set, AConflictWithTheFileNamesBothPlaces) {
  EXPECT_EQ(set_error("M=[[1]]"),
            "--set M=[[1]]:1:3: M is given, and mass at p.json:1:10; expected one of them, not both");
}

TEST(LawOption, KeepsTheParametersOfTheSameLawAndTakesTheDefaultsOfAnother) {
  EXPECT_EQ(law_e(under("moreau")), 0.1);
  EXPECT_EQ(name_of(*under("newton").law), "newton");
  constexpr std::string_view other = R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}], "law": "newton"})";
  EXPECT_EQ(law_e(under("moreau", {}, other)), -1);
  constexpr std::string_view open = R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}]})";
  EXPECT_EQ(law_e(under("moreau", {}, open)), -1);
}

TEST(LawOption, ComesBeforeTheSettings) {
  constexpr std::string_view other = R"({"mass": [1], "u": [0], "contacts": [{"normal": [1]}], "law": "newton"})";
  EXPECT_EQ(law_e(under("moreau", {"law.e=0.7"}, other)), 0.7);
}

TEST(LawOption, UnknownLawPointsAtTheOption) {
  const std::string error = problem_error(kChain, {.law = "possion", .settings = {}});
  EXPECT_TRUE(error.starts_with("--law possion:1:1: unknown law \"possion\"; did you mean \"poisson\"? ")) << error;
}

TEST(LawOption, OfAFileThatIsRead) {
  const ProblemFile file = read_text(kChain);
  EXPECT_EQ(std::get<Moreau>(law_for(file.law, "moreau")).e, 0.1);
  EXPECT_EQ(name_of(law_for(file.law, "poisson")), "poisson");
  const std::string error = error_of([&] { law_for(file.law, "x"); });
  EXPECT_TRUE(error.starts_with("--laws x:1:1: unknown law \"x\"; the laws are \"")) << error;
}

}  // namespace
}  // namespace carom::scene
