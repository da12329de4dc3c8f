
#include "carom/record/impulse_plane_report.h"
#include "carom/record/impulse_plane_svg.h"
#include "carom/record/outcome_json.h"
#include "carom/record/outcome_text.h"
#include "carom/record/path_svg.h"
#include "carom/record/path_table.h"
#include "json.h"
#include "laws/one_contact_support.h"
#include "random_share.h"

namespace carom::testing {
namespace {

bool shows(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

ImpactProblem rod(double slip, double mu) {
  Matrix B(2, 2);
  B << 2.5, -1.5, -1.5, 2.5;
  return contact_alone(B, vector({-1, slip}), mu, 0.5);
}

TEST(ImpulsePlaneReport, HasItsKeysAndTellsTheRegion) {
  const analysis::ImpulsePlane plane = analysis::impulse_plane(rod(0.2, 0.3));
  const Json json = Json::parse(record::impulse_plane_json(plane));
  for (const char* key : {"format", "contact", "class", "B", "c_minus", "e", "mu", "lines", "points", "region",
                          "sticking_ratio", "impulse_ratio", "paths"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["paths"].size(), 3U);
  EXPECT_EQ(json["paths"][2]["mode"], "C-reversed");
  EXPECT_EQ(json["region"], 3);
  const std::string text = record::impulse_plane_text(plane);
  EXPECT_TRUE(shows(text, "an eccentric, oblique impact") && shows(text, "stops in compression and reverses"));
}

TEST(ImpulsePlaneSvg, DrawsAnyImpact) {
  const std::string svg = record::impulse_plane_svg(analysis::impulse_plane(rod(0.2, 0.3)));
  EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
  EXPECT_TRUE(shows(svg, "C-reversed"));
  Random random(6);
  for (int i = 0; i < share_of(500); ++i) {
    const std::string any = record::impulse_plane_svg(analysis::impulse_plane(random_friction(random, 1)));
    ASSERT_FALSE(shows(any, "nan") || shows(any, "\"inf") || shows(any, "-inf")) << i;
  }
}

TEST(OutcomeOfOneContact, TellsItsModeAndPhases) {
  const ImpactProblem given = rod(0.2, 0.3);
  Path path;
  const ImpactOutcome outcome = solve(given, Keller{}, &path);
  EXPECT_TRUE(shows(record::outcome_text(given, outcome), "mode: C-reversed; compression takes 0.209995 J"));
  const Json json = Json::parse(record::to_json(outcome).dump());
  EXPECT_EQ(json["mode"], "C-reversed");
  EXPECT_NEAR(json["restitution"]["work"], -0.25 * json["compression"]["work"].get<double>(), 1e-15);
  const Json with_path = Json::parse(record::to_json_with_path(outcome, path));
  EXPECT_EQ(with_path["path"]["parameter"], "impulse");
  EXPECT_EQ(with_path["path"]["time"].back(), outcome.Lambda[0]);
  EXPECT_TRUE(record::path_csv(given, outcome, path).starts_with("normal impulse [kg m/s],"));
  EXPECT_TRUE(shows(record::path_svg(given, outcome, path), "Normal impulse [mN s]") ||
              shows(record::path_svg(given, outcome, path), "Normal impulse [N s]"));
}

}  // namespace
}  // namespace carom::testing
