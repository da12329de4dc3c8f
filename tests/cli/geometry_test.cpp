// carom distance, carom geodesic and the pictures of carom block, as scripts see them.

#include "tool_in_a_folder.h"

namespace carom::testing {
namespace {

class Geometry : public ToolInAFolder {
 protected:
  const std::string examples = "'" + std::string(CAROM_SOURCE_DIR) + "/examples/";
};

TEST_F(Geometry, MeasuresTwoShapesOfTheCommandLine) {
  ASSERT_EQ(carom("distance --json --a '{type=\"disc\", radius=1}' "
                  "--b '{type=\"rectangle\", size=[1, 2], position=[3, 0]}'"),
            0);
  const Json found = Json::parse(text("out"));
  EXPECT_EQ(found["format"], "carom-distance/1");
  EXPECT_NEAR(found["distance"], 1.5, 1e-12);
  EXPECT_NEAR(found["normal"][0], 1, 1e-12);
  EXPECT_EQ(found["unique"], true);
  EXPECT_NEAR(found["effective_radius"], 1, 1e-12);
  EXPECT_EQ(carom("distance --a '{type=\"disc\", radius=-1}' --b '{type=\"disc\", radius=1}'"), 2);
  EXPECT_NE(text("err").find("is not positive"), std::string::npos);
  EXPECT_EQ(carom("distance --a '{type=\"disc\", radius=1}'"), 2);
  EXPECT_EQ(carom("distance --a '\"plane\"' --b '\"plane\"'"), 2);
  EXPECT_NE(text("err").find("two planes"), std::string::npos);
}

TEST_F(Geometry, MeasuresAFileOfTwoBodiesAndDrawsIt) {
  ASSERT_EQ(carom("distance " + examples + "pairs/egg_over_table.toml' --json --svg egg.svg"), 0);
  const Json found = Json::parse(text("out"));
  EXPECT_GT(found["hertz"]["k"], 0);
  EXPECT_LT(found["gap_rate"], 0);
  EXPECT_TRUE(text("egg.svg").starts_with("<svg"));
  write("pair.toml",
        "[a]\nshape = {type = \"disc\", radius = 1}\nspeed = 2\n[b]\nshape = {type = \"disc\", radius = 1}\n");
  EXPECT_EQ(carom("distance pair.toml --svg none.svg"), 2);
  EXPECT_NE(text("err").find("pair.toml:3:1"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "none.svg"));
}

/// A falling ball: after t the gap is h - g t^2 / 2, its velocity -g t, its acceleration that of the body with u' = 0.
TEST_F(Geometry, MeasuresTwoBodiesOfASceneAtATime) {
  write(
      "ball.toml",
      "gravity = 10\nduration = 1\nlaw = \"newton\"\n[[body]]\nname = \"ball\"\nmass = 1\n"
      "shape = {type = \"disc\", radius = 0.5}\nposition = [0, 2.5]\n[[wall]]\nname = \"floor\"\nshape = \"plane\"\n");
  ASSERT_EQ(carom("distance ball.toml ball floor --json"), 0);
  EXPECT_NEAR(Json::parse(text("out"))["distance"], 2, 1e-12);
  ASSERT_EQ(carom("distance ball.toml floor ball --at 0.3 --json"), 0);
  const Json later = Json::parse(text("out"));
  EXPECT_NEAR(later["t"], 0.3, 1e-12);
  EXPECT_NEAR(later["distance"], 2 - 0.45, 1e-9);
  EXPECT_NEAR(later["gap_rate"], -3, 1e-9);
  EXPECT_NEAR(later["mass"], 1, 1e-12);
  EXPECT_EQ(carom("distance ball.toml ball flor"), 2);
  EXPECT_NE(text("err").find("did you mean \"floor\"?"), std::string::npos);
  EXPECT_EQ(carom("distance ball.toml ball"), 2);
  EXPECT_EQ(carom("distance ball.toml ball floor --at -1"), 2);
  EXPECT_EQ(carom("distance ball.toml ball floor --at soon"), 2);
  EXPECT_EQ(carom("distance ball.toml ball ball"), 2);
}

TEST_F(Geometry, CountsTheDigitsOfPi) {
  ASSERT_EQ(carom("geodesic " + examples + "pi_by_collisions.json' --json --svg pi.svg"), 0);
  const Json found = Json::parse(text("out"));
  EXPECT_EQ(found["ways"][0]["count"], 31);
  EXPECT_EQ(found["ways"][0]["reflections"], 31);
  EXPECT_TRUE(text("pi.svg").starts_with("<svg"));
  ASSERT_EQ(carom("geodesic " + examples + "pi_by_collisions.json' --set mass=[1,10000] --json"), 0);
  EXPECT_EQ(Json::parse(text("out"))["ways"][0]["count"], 314);
  ASSERT_EQ(carom("geodesic " + examples + "dumbbell.json' --json --svg edge.svg"), 0);
  EXPECT_EQ(Json::parse(text("out"))["ways"][0]["count"], 1);
  EXPECT_NE(text("edge.svg").find("bent over by 180"), std::string::npos);
  EXPECT_EQ(carom("geodesic " + examples + "newtons_cradle.json'"), 2);
}

TEST_F(Geometry, DrawsTheDomainsOfTheRockingBlock) {
  ASSERT_EQ(carom("block --height 2 --width 1 --mu 0.3 --svg block.svg"), 0);
  EXPECT_NE(text("block.svg").find("half-rocks"), std::string::npos);
  EXPECT_EQ(carom("block --height -2 --width 1 --svg none.svg"), 2);
  EXPECT_FALSE(fs::exists(folder_ / "none.svg"));
}

TEST_F(Geometry, SaysWhatARestitutionMatrixDoesToEveryApproach) {
  ASSERT_EQ(carom("admissible " + examples + "symmetric_matrix.json' --json"), 0);
  const Json found = Json::parse(text("out"))["approaching"];
  EXPECT_EQ(found["energetic"], false);
  EXPECT_NEAR(found["energy_ratio"], 1.42154, 1e-4);
  ASSERT_EQ(carom("admissible " + examples + "energy_gain.json'"), 0);
  EXPECT_NE(text("out").find("never gains energy"), std::string::npos);
  EXPECT_NE(text("out").find("where a contact opens beforehand"), std::string::npos);
}

}  // namespace
}  // namespace carom::testing
