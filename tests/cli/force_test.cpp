// carom force, and contact forces in problem files, as scripts see them.

#include "tool_in_a_folder.h"

namespace carom::testing {
namespace {

class Force : public ToolInAFolder {};

TEST_F(Force, TellsWhatAHertzContactDoesAndWhatDampingReturns) {
  ASSERT_EQ(carom("force power --k 1000 --m 1 --v 0.5 --json"), 0);
  const Json hertz = Json::parse(text("out"));
  EXPECT_EQ(hertz["format"], "carom-force/1");
  EXPECT_NEAR(hertz["deepest"], 0.03962232981152783, 1e-9);
  EXPECT_NEAR(hertz["peak_force"], 7.8869668060024125, 1e-8);
  EXPECT_NEAR(hertz["duration"], 0.23323884015879762, 1e-9);
  EXPECT_TRUE(hertz["e_asked"].is_null());
  ASSERT_EQ(carom("force lee-wang --e 0.8 --k 1e6 --json"), 0);
  const Json damped = Json::parse(text("out"));
  EXPECT_EQ(damped["e_asked"], 0.8);
  EXPECT_NEAR(damped["e_obtained"], 0.9090157413492023, 1e-9);
  EXPECT_NEAR(damped["restitution"]["e"][0], 0.9090157413492023, 1e-9);
  EXPECT_EQ(damped["course"]["time"].size(), damped["course"]["force"].size());
}

TEST_F(Force, ListsDrawsAndRefuses) {
  EXPECT_EQ(carom("force"), 0);
  for (const char* name : {"bi-stiffness", "hysteretic", "mindlin"})
    EXPECT_NE(text("out").find(name), std::string::npos);
  EXPECT_EQ(carom("force hysteretic --e 0.5 --svg --quiet --out made"), 0);
  EXPECT_EQ(text("out"), "");
  EXPECT_TRUE(text("made/force.svg").starts_with("<svg"));
  EXPECT_TRUE(Json::parse(text("made/force.json")).is_object());
  EXPECT_EQ(carom("force spring-dashpot --end indentation --k 4 --c 4"), 2);
  EXPECT_NE(text("err").find("--c: 4 is not below 2 sqrt(k m) = 4"), std::string::npos);
  EXPECT_EQ(carom("force exact --c -1"), 2);
  EXPECT_EQ(carom("force exact --v 0"), 2);
  EXPECT_EQ(carom("force exact --end never"), 2);
}

TEST_F(Force, ContactsInFilesHaveDampingStaticFrictionAndBristles) {
  const std::string start =
      R"({"mass": [1, 1], "u": [1, -1], "contacts": [{"normal": [0, 1], "tangents": [[1, 0]], "mu": 0.3, )";
  const std::string end =
      R"("k": 1e4}], "law": {"name": "compliant", "force": "hunt-crossley", "friction": "bristle"}})";
  write("good.json", start + R"("c": 2e3, "mu_s": 0.5, "k_t": 5e3, )" + end);
  ASSERT_EQ(carom("impact good.json --json --path"), 0) << text("err");
  const Json document = Json::parse(text("out"));
  EXPECT_TRUE(document["e_asked"][0].is_null());
  EXPECT_EQ(document["path"]["indentation"].size(), document["path"]["time"].size());
  EXPECT_NEAR(document["losses"]["damping"][0].get<double>() + document["losses"]["friction"][0].get<double>(),
              document["energy"]["dissipated"][0], 1e-8);
  const auto refused = [&](const std::string& keys, const std::string& message) {
    write("bad.json", start + keys + end);
    EXPECT_EQ(carom("impact bad.json"), 2);
    EXPECT_NE(text("err").find(message), std::string::npos) << text("err");
    EXPECT_EQ(text("out"), "");
  };
  refused(R"("c": -1, "k_t": 1, )", "c = -1 is negative; damping is >= 0");
  refused(R"("c": 1, "k_t": 0, )", "k_t = 0 is not positive");
  refused(R"("c": 1, "k_t": 1, "mu_s": 0.2, )", "mu_s = 0.2 is below mu = 0.3");
  refused(R"("c": 1, )", "bristle friction needs a tangential stiffness k_t > 0");
}

}  // namespace
}  // namespace carom::testing
