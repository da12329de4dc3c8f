// carom forces and carom block as scripts see them.

#include "tool_in_a_folder.h"

namespace carom::testing {
namespace {

class Forces : public ToolInAFolder {
 protected:
  const std::string examples = "'" + std::string(CAROM_SOURCE_DIR) + "/examples/";
};

TEST_F(Forces, SaysBothSolutionsOfPainlevesRod) {
  ASSERT_EQ(carom("forces " + examples + "painleve_rod.json' --json"), 0);
  const Json document = Json::parse(text("out"));
  EXPECT_EQ(document["format"], "carom-forces/1");
  EXPECT_EQ(document["status"], "solved");
  EXPECT_EQ(document["unique"], false);
  EXPECT_EQ(document["enumerated"], true);
  EXPECT_NE(document["message"].get<std::string>().find("Painleve"), std::string::npos);
  ASSERT_EQ(document["solutions"].size(), 2U);
  EXPECT_EQ(document["solutions"][0]["modes"], Json({"open"}));
  EXPECT_EQ(document["solutions"][1]["modes"], Json({"slip"}));
  EXPECT_NEAR(document["solutions"][1]["normal"][0], 15.735339059327384, 1e-9);
  EXPECT_NEAR(document["solutions"][1]["tangential"][0][0], 31.470678118654768, 1e-9);
  EXPECT_EQ(document["solutions"][1]["acceleration"].size(), 3U);
}

TEST_F(Forces, SaysNoWithExitCodeOneAndADocument) {
  const std::string slow = "forces " + examples + "painleve_rod.json' --set u=[-1,0,0] --set contacts[0].bias=0 ";
  EXPECT_EQ(carom(slow + "--json"), 1);
  const Json document = Json::parse(text("out"));
  EXPECT_EQ(document["status"], "no-solution");
  EXPECT_TRUE(document["solutions"].empty());
  EXPECT_EQ(document["unique"], false);
  EXPECT_EQ(carom(slow), 1);
  EXPECT_NE(text("out").find("an impact without collision"), std::string::npos);
  EXPECT_EQ(carom(slow + "--quiet --out made"), 1);
  EXPECT_EQ(text("out"), "");
  EXPECT_EQ(Json::parse(text("made/forces.json")), document);
}

TEST_F(Forces, PrintsATableForPeople) {
  ASSERT_EQ(carom("forces " + examples + "block_on_slope.json'"), 0);
  for (const char* part : {"A block rests", "normal force [N]", "upper", "stick", "13.2446", "redundant"})
    EXPECT_NE(text("out").find(part), std::string::npos) << part;
}

TEST_F(Forces, RefusesBadInputWithItsPlace) {
  EXPECT_EQ(carom("forces " + examples + "rocking_block.json'"), 2);
  EXPECT_NE(text("err").find("rocking_block.json:1:1: "), std::string::npos) << text("err");
  EXPECT_NE(text("err").find("generalized forces, a list as long as u"), std::string::npos);
  EXPECT_EQ(carom("forces " + examples + "block_on_slope.json' --set u=[0,-1,0] --json"), 2);
  EXPECT_NE(text("err").find("contacts[0] is upper, which closes with -1 m/s"), std::string::npos) << text("err");
  EXPECT_EQ(text("out"), "");
  EXPECT_EQ(carom("forces " + examples + "block_on_slope.json' --set h=[0,1] --json"), 2);
  EXPECT_NE(text("err").find("h has 2 entries"), std::string::npos) << text("err");
}

using Block = ToolInAFolder;

TEST_F(Block, PrintsAnglesAndCoefficients) {
  ASSERT_EQ(carom("block --height 2 --width 1 --mu 0.3,0.5 --json"), 0);
  const Json document = Json::parse(text("out"));
  EXPECT_EQ(document["format"], "carom-block/1");
  EXPECT_NEAR(document["r_housner"], -0.7, 1e-15);
  EXPECT_NEAR(document["e21_sliding"][0], 0.25, 1e-15);
  EXPECT_TRUE(document["e1_half_rocking"].is_null());
  ASSERT_EQ(document["friction"].size(), 2U);
  EXPECT_NEAR(document["friction"][0]["e21_slip_right"][0], 0.6129032258064515, 1e-12);
  EXPECT_TRUE(document["friction"][1]["e21_slip_right"].is_null()) << "empty";
  ASSERT_EQ(carom("block --height 2 --width 1 --mu 0.3"), 0);
  for (const char* part : {"A slender block", "kinetic angle", "104.478", "mu = 0.3", "0.612903", "none"})
    EXPECT_NE(text("out").find(part), std::string::npos) << part;
}

TEST_F(Block, RefusesWhatIsNoBlock) {
  EXPECT_EQ(carom("block --height -2 --width 1"), 2);
  EXPECT_EQ(text("err").find("--height: -2 is not positive"), 0U) << text("err");
  EXPECT_EQ(carom("block --height 2 --width 1 --mu -0.1 --out made"), 2);
  EXPECT_FALSE(fs::exists(folder_ / "made"));
  EXPECT_EQ(carom("block --height 2"), 2);
}

}  // namespace
}  // namespace carom::testing
