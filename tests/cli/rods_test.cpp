// carom rods as scripts see it.

#include "tool_in_a_folder.h"

namespace carom::testing {
namespace {

class Rods : public ToolInAFolder {
 protected:
  const std::string examples = "'" + std::string(CAROM_SOURCE_DIR) + "/examples/rods/";
};

TEST_F(Rods, PrintsTheDocumentOfTheContract) {
  ASSERT_EQ(carom("rods " + examples + "two_rods.json' --json"), 0) << text("err");
  const Json document = Json::parse(text("out"));
  EXPECT_EQ(document["format"], "carom-rods-outcome/1");
  EXPECT_EQ(document["status"], "solved");
  ASSERT_EQ(document["rods"].size(), 2U);
  EXPECT_EQ(document["rods"][1]["name"], "long");
  EXPECT_NEAR(document["rods"][1]["velocity"], 0.5, 1e-12);
  EXPECT_NEAR(document["rods"][1]["momentum"], 1, 1e-12);
  EXPECT_NEAR(document["rods"][1]["kinetic"], 0.25, 1e-12);
  EXPECT_NEAR(document["rods"][1]["vibration"], 0.25, 1e-12);
  ASSERT_EQ(document["contacts"].size(), 1U);
  EXPECT_EQ(document["contacts"][0]["between"], Json({"short", "long"}));
  EXPECT_NEAR(document["contacts"][0]["intervals"][0][1], 4, 1e-12);
  EXPECT_NEAR(document["contacts"][0]["peak_force"], 0.5, 1e-12);
  EXPECT_NEAR(document["contacts"][0]["impulse"], 1, 1e-12);
  EXPECT_NEAR(document["restitution"], 0.5, 1e-12);
  EXPECT_LT(document["energy_error"], 1e-12);
  EXPECT_FALSE(document.contains("history"));
  EXPECT_EQ(text("err"), "");
}

TEST_F(Rods, FollowsElementsToo) {
  ASSERT_EQ(carom("rods " + examples + "two_rods.json' --json --method finite-element --elements 300 --path"), 0);
  const Json document = Json::parse(text("out"));
  EXPECT_EQ(document["method"], "finite-element");
  EXPECT_NEAR(document["restitution"], 0.5, 0.01);
  EXPECT_NEAR(document["contacts"][0]["intervals"].back()[1], 4, 0.02);
  EXPECT_EQ(document["history"]["t"].size(), 201U);
  EXPECT_NEAR(document["history"]["strain"][25][0], 0.125, 0.01) << "of the short rod at t = 1";
}

TEST_F(Rods, TellsFieldsAndHistory) {
  ASSERT_EQ(carom("rods " + examples + "two_rods.json' --json --fields 0.5,3.5 --path --samples 16"), 0) << text("err");
  const Json document = Json::parse(text("out"));
  ASSERT_EQ(document["fields"].size(), 2U);
  const Json& pieces = document["fields"][0]["rods"][0]["pieces"];
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_NEAR(pieces[0]["to"], 0.5, 1e-12);
  EXPECT_NEAR(pieces[1]["stress"], -0.5, 1e-12);
  ASSERT_EQ(document["history"]["t"].size(), 17U);
  EXPECT_NEAR(document["history"]["kinetic"][5][1], 0.375, 1e-12) << "of the long rod at t = 2.5";
  ASSERT_EQ(carom("rods " + examples + "two_rods.json' --fields 0.5"), 0);
  for (const char* part : {"restitution of the mean velocities: 0.5", "short - long", "at 0.5 s", "stress [Pa]"})
    EXPECT_NE(text("out").find(part), std::string::npos) << part;
}

TEST_F(Rods, DrawsEveryExample) {
  int seen = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(CAROM_SOURCE_DIR) / "examples/rods")) {
    const std::string file = "'" + entry.path().string() + "'";
    SCOPED_TRACE(file);
    ++seen;
    std::ifstream stream(entry.path());
    EXPECT_GT(Json::parse(stream).at("about").get<std::string>().size(), 40U) << "says what it shows";
    ASSERT_EQ(carom("rods " + file + " --quiet --out made --svg made/x.svg"), 0) << text("err");
    EXPECT_EQ(text("out"), "");
    const std::string picture = text("made/x.svg");
    EXPECT_EQ(picture.find("<svg "), 0U);
    EXPECT_NE(picture.find("</svg>"), std::string::npos);
    EXPECT_EQ(picture.find("nan"), std::string::npos);
    EXPECT_EQ(picture.find("inf"), std::string::npos);
    EXPECT_EQ(Json::parse(text("made/rods.json"))["status"], "solved");
  }
  EXPECT_GE(seen, 5);
}

TEST_F(Rods, ExamplesDoWhatTheySay) {
  ASSERT_EQ(carom("rods " + examples + "bar_on_wall.json' --json --fields 5e-4"), 0);
  const Json bar = Json::parse(text("out"));
  EXPECT_NEAR(bar["restitution"], 1, 1e-12);
  EXPECT_NEAR(bar["fields"][0]["rods"][0]["pieces"][1]["stress"], -203e6, 1e5);
  ASSERT_EQ(carom("rods " + examples + "pushed_rods.json' --json"), 0);
  const Json pushed = Json::parse(text("out"));
  EXPECT_EQ(pushed["contacts"][0]["intervals"].size(), 2U) << "they meet, part and meet again";
  EXPECT_LT(pushed["energy_error"], 1e-12);
  ASSERT_EQ(carom("rods " + examples + "hopkinson_bar.json' --json"), 0);
  const Json bars = Json::parse(text("out"));
  const double first = bars["contacts"][0]["peak_force"], specimen = bars["contacts"][1]["peak_force"];
  EXPECT_LT(specimen, first) << "part of the wave goes back";
}

TEST_F(Rods, SaysHowFarItCame) {
  write("long.json", R"({"duration": 1e9, "rods": [{"length": 1, "E": 1, "rho": 1, "position": 0, "velocity": 1},
    {"length": 1.37, "E": 2, "rho": 1.3, "position": 1}], "walls": [{"position": -1}, {"position": 4}]})");
  EXPECT_EQ(carom("rods long.json --json --svg long.svg"), 1);
  const Json document = Json::parse(text("out"));
  EXPECT_EQ(document["status"], "not-finished");
  EXPECT_NE(document["message"].get<std::string>().find("fronts"), std::string::npos);
  EXPECT_GT(document["reached"], 10);
  EXPECT_LT(document["energy_error"], 1e-9);
  EXPECT_LT(text("long.svg").size(), 6'000'000U) << "a picture that a browser can show";
}

TEST_F(Rods, WritesNamesThatPicturesMustEscape) {
  write("names.json",
        R"({"duration": 3, "rods": [{"name": "a <b> & \"c\"", "length": 1, "E": 1, "rho": 1, "position": 0,
    "velocity": 1}, {"name": "ü", "length": 1, "E": 1, "rho": 1, "position": 1}]})");
  ASSERT_EQ(carom("rods names.json --svg names.svg --json"), 0) << text("err");
  EXPECT_EQ(Json::parse(text("out"))["contacts"][0]["between"], Json({"a <b> & \"c\"", "ü"}));
  EXPECT_NE(text("names.svg").find("a &lt;b&gt; &amp; &quot;c&quot;"), std::string::npos);
}

TEST_F(Rods, TellsTheCurveOfABeam) {
  ASSERT_EQ(carom("rods " + examples + "beam_on_stop.json' --json"), 0);
  const Json document = Json::parse(text("out"));
  EXPECT_EQ(document["format"], "carom-beam-outcome/1");
  ASSERT_EQ(document["impacts"].size(), 101U);
  EXPECT_NEAR(document["impacts"][0]["restitution"], 0, 1e-12);
  EXPECT_NEAR(document["impacts"][50]["restitution"], -0.19282956611794722, 1e-9);
  EXPECT_EQ(carom("rods " + examples + "beam_on_stop.json' --set modes=3 --set positions=[0.5]"), 0);
  EXPECT_NE(text("out").find("3 bending modes"), std::string::npos);
  EXPECT_EQ(carom("rods " + examples + "beam_on_stop.json' --fields 1"), 2);
}

TEST_F(Rods, EndAfterTheirTimeWithWhatThereIs) {
  const std::string slow = "rods " + examples + "two_rods.json' --method finite-element --elements 20000 --json ";
  EXPECT_EQ(carom(slow + "--timeout 0.05"), 1) << text("err");
  const Json document = Json::parse(text("out"));
  EXPECT_EQ(document["status"], "not-finished");
  EXPECT_NE(document["message"].get<std::string>().find("told to stop"), std::string::npos);
}

TEST_F(Rods, RefusesBadInputAndWritesNothing) {
  const std::string file = "rods " + examples + "two_rods.json' --out made --svg made/x.svg ";
  for (const auto& [options, message] : std::vector<std::pair<std::string, std::string>>{
           {"--set rods[0].E=-1", "--set rods[0].E=-1:1:11: rods[0].E = -1 is not positive"},
           {"--set rods[1].position=0.5", "rods[1].position = 0.5 lies left of 1"},
           {"--method fem", "--method: \"fem\" is no method"},
           {"--method finite-element", "--svg: the picture shows fronts"},
           {"--fields 9", "--fields: 9 is no time of this problem, from 0 to 8 s"},
           {"--fields -1", "--fields: -1 is no time"},
           {"--path --samples 0", "--samples: 0 samples; expected"},
           {"--path --samples 1000000000", "--samples: 1000000000 samples"}}) {
    EXPECT_EQ(carom(file + options), 2) << options;
    EXPECT_NE(text("err").find(message), std::string::npos) << options << "\n" << text("err");
    EXPECT_EQ(text("out"), "");
    EXPECT_FALSE(fs::exists(folder_ / "made"));
  }
  EXPECT_EQ(carom("rods " + examples + "two_rods.json' --method finite-element --elements 0"), 2);
  EXPECT_NE(text("err").find("--elements: 0 elements"), std::string::npos) << text("err");
  EXPECT_EQ(carom("rods missing.json"), 2);
}

}  // namespace
}  // namespace carom::testing
