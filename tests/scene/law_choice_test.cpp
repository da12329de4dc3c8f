// Laws with their parameters on the command line.

#include "carom/scene/law_choice.h"

#include <gtest/gtest.h>

#include "carom/scene/error.h"
#include "carom/scene/json.h"
#include "carom/scene/problem_reader.h"

namespace carom::scene {
namespace {

Document a_document(Document::Subject subject) {
  Document document;
  document.file = "a file";
  document.subject = subject;
  return document;
}

LawChoice chosen(const std::string& word, const std::optional<ImpactLaw>& own = {}) {
  return choose_law(word, own, a_document(Document::Subject::problem));
}

std::string refusal(const std::string& word, Document::Subject subject = Document::Subject::problem) {
  try {
    choose_law(word, {}, a_document(subject));
  } catch (const ReadError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LawChoice, CommasDivideOnlyOutsideOfBraces) {
  EXPECT_EQ(split_at_commas("lzb, compliant{force=power, end=force},newton"),
            (std::vector<std::string>{"lzb", "compliant{force=power, end=force}", "newton"}));
  EXPECT_EQ(split_at_commas("generalized-kinematic{E_n=[[1,0],[0,1]]},lzb").size(), 2U);
  EXPECT_EQ(split_at_commas("a,,b").size(), 3U);
}

TEST(LawChoice, ReadsANameAndItsParameters) {
  const LawChoice choice = chosen("compliant{force=hunt-crossley, tolerance=1e-6}");
  const auto& law = std::get<Compliant>(choice.law);
  EXPECT_EQ(law.force, Compliant::Force::hunt_crossley);
  EXPECT_EQ(law.tolerance, 1e-6);
  EXPECT_EQ(choice.label(), "compliant{force=hunt-crossley,tolerance=1e-6}");
  EXPECT_EQ(choice.file_name(), "compliant-hunt-crossley-1e-6");
  EXPECT_EQ(std::get<GeneralizedKinematic>(chosen("generalized-kinematic{E_n=[[1,0],[0,0.5]]}").law).E_n(1, 1), 0.5);
}

TEST(LawChoice, StartsFromTheParametersOfTheFile) {
  const LawChoice choice = chosen("lzb{tolerance=1e-6}", Lzb{.stiffness = Lzb::Stiffness::mono});
  EXPECT_EQ(std::get<Lzb>(choice.law).stiffness, Lzb::Stiffness::mono);
  EXPECT_EQ(std::get<Lzb>(choice.law).tolerance, 1e-6);
  EXPECT_EQ(std::get<Lzb>(chosen("lzb{}").law).tolerance, Lzb{}.tolerance);
}

TEST(LawChoice, ASceneMayChooseTheScheme) {
  const Document scene = a_document(Document::Subject::scene);
  EXPECT_EQ(name_of(*choose_law("newton{scheme=time-stepping}", {}, scene).scheme), "time-stepping");
  const Scheme own = TimeStepping{.step = 0.5};
  EXPECT_EQ(std::get<TimeStepping>(*choose_law("newton{scheme=time-stepping}", {}, scene, own).scheme).step, 0.5);
  const LawChoice fine = choose_law(R"(newton{scheme={"name": "time-stepping", "step": 0.25}})", {}, scene, own);
  EXPECT_EQ(std::get<TimeStepping>(*fine.scheme).step, 0.25);
  EXPECT_FALSE(choose_law("newton", {}, scene).scheme);
}

TEST(LawChoice, NamesPlaceValueAndRule) {
  EXPECT_EQ(refusal("compliant{force=hunt}").rfind("--laws compliant{force=hunt}:1:17: ", 0), 0U)
      << refusal("compliant{force=hunt}");
  for (const auto& [word, part] : {std::pair("newtom", "did you mean \"newton\"?"),
                                   {"", "unknown law \"\""},
                                   {"{force=power}", "unknown law \"\""},
                                   {"lzb{tolerance=1e-6", "no '}' at its end"},
                                   {"lzb{tolerance}", "no '=' in \"tolerance\""},
                                   {"lzb{,}", "no '=' in \"\""},
                                   {"lzb{tolerence=1}", "tolerance"},
                                   {"lzb{tolerance=1e-6,tolerance=1e-7}", "comes twice"},
                                   {"lzb{tolerance=small}", "expected a number"},
                                   {"newton{scheme=time-stepping}", "scheme"}})
    EXPECT_NE(refusal(word).find(part), std::string::npos) << word << ": " << refusal(word);
  EXPECT_NE(refusal("newton{scheme=steps}", Document::Subject::scene).find("is no scheme"), std::string::npos);
}

TEST(LawChoice, TheOptionOfOneLawReadsTheSameWords) {
  const auto law = [](const std::string& word) {
    return *read_problem(parse_json(R"({"mass": [1], "u": [-1], "contacts": [{"normal": [1]}],
                                        "law": {"name": "lzb", "stiffness": "mono"}})",
                                    "ball.json"),
                         {.law = word, .settings = {}})
                .law;
  };
  EXPECT_EQ(std::get<Lzb>(law("lzb{tolerance=1e-5}")).tolerance, 1e-5);
  EXPECT_EQ(std::get<Lzb>(law("lzb{tolerance=1e-5}")).stiffness, Lzb::Stiffness::mono);
  EXPECT_EQ(std::get<Compliant>(law("compliant{force=exact}")).force, Compliant::Force::exact);
}

}  // namespace
}  // namespace carom::scene
