#include <nlohmann/json.hpp>

#include "analysis/admissible_set.h"
#include "record/admissible_report.h"
#include "record/admissible_svg.h"
#include "record/laws_text.h"
#include "record/outcome_json.h"
#include "record/outcome_text.h"
#include "record/table.h"
#include "support.h"

namespace carom::testing {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(OutcomeJson, HasTheKeysOfTheContract) {
  const ImpactProblem given = chain(Vector::Ones(3), Vector::Unit(3, 0), 1);
  const record::Json json = record::to_json(solve(given, Newton{}));
  for (const char* key :
       {"format", "law", "status", "message", "u_plus", "gamma_minus", "gamma_plus", "impulse", "tangential_impulse",
        "unique", "energy", "certificate", "duration", "peak_force", "events", "cost"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["format"], "carom-outcome/1");
  EXPECT_EQ(json["status"], "solved");
  EXPECT_EQ(json["u_plus"].size(), 3U);
  EXPECT_EQ(json["tangential_impulse"], (record::Json::array({record::Json::array(), record::Json::array()})));
  for (const char* key :
       {"before", "after", "stored_before", "wall_work", "dissipated", "dissipated_normal", "dissipated_friction"})
    EXPECT_TRUE(json["energy"].contains(key)) << key;
  for (const char* key : {"dynamics", "kinematic", "kinetic", "complementarity", "energetic", "ledger", "consistent"})
    EXPECT_TRUE(json["certificate"].contains(key)) << key;
  EXPECT_TRUE(json["duration"].is_null());
}

TEST(OutcomeJson, HasNullWhereThereIsNoAnswer) {
  const ImpactProblem given =
      problem(MassMatrix::diagonal(vector({1})), vector({1, -1}).transpose(), vector({-1}), vector({1, 0}));
  const record::Json json = record::to_json(solve(given, Newton{}));
  EXPECT_EQ(json["status"], "no-solution");
  EXPECT_FALSE(json["message"].get<std::string>().empty());
  EXPECT_TRUE(json["u_plus"].is_null());
  EXPECT_EQ(json["gamma_minus"].size(), 2U);
  EXPECT_FALSE(json["certificate"]["consistent"].get<bool>());
}

TEST(OutcomeText, NamesTheLawOfMechanicsThatIsViolated) {
  Matrix W(2, 2);
  W << 1, 1, -0.5, 0.5;
  const auto rod = [&](const Vector& e) {
    return problem(MassMatrix::diagonal(vector({1, 1.0 / 12})), W, vector({-0.25, 1.5}), e);
  };
  const ImpactProblem gain = rod(vector({1, 0})), depth = rod(vector({1, 1}));
  const ImpactOutcome gained = solve(gain, Newton{}), penetrating = solve(depth, Newton{});
  EXPECT_EQ(record::verdict(gained), "creates energy");
  EXPECT_TRUE(contains(record::outcome_text(gain, gained), "creates energy: 0.0416667 J from nowhere, 33.3 %"));
  EXPECT_EQ(record::verdict(penetrating), "penetrates");
  EXPECT_TRUE(contains(record::outcome_text(depth, penetrating), "contact '2' still closes at 0.5 m/s"));
  Matrix E(2, 2);
  E << 1, 0, 0, 0;
  const ImpactProblem pull =
      problem(MassMatrix::diagonal(vector({1, 0.75})), Matrix(W * Eigen::DiagonalMatrix<double, 2>(1, 1)),
              vector({-0.8660254037844386, 0.5773502691896257}), Vector::Zero(2));
  const ImpactOutcome pulling = solve(pull, GeneralizedKinematic{.E_n = E, .E_tan = {}});
  EXPECT_TRUE(contains(record::outcome_text(pull, pulling), "pulls: contact")) << record::outcome_text(pull, pulling);
}

TEST(OutcomeText, CutsLongTables) {
  const ImpactProblem given = chain(Vector::Ones(200), Vector::Unit(200, 0), 1);
  const std::string text = record::outcome_text(given, solve(given, Newton{}));
  EXPECT_TRUE(contains(text, "... 175 more (--json shows all)"));
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 70);
}

TEST(ComparisonText, HasAColumnALaw) {
  const ImpactProblem given = chain(Vector::Ones(3), Vector::Unit(3, 0), 1);
  const std::string text = record::comparison_text(given, {solve(given, Newton{}), solve(given, Poisson{})});
  EXPECT_TRUE(contains(text, "newton") && contains(text, "poisson") && contains(text, "velocity u[2]"));
}

TEST(Table, AlignsUtf8) {
  record::Table table({"γ", "x"});
  table.add({"ab", "1"});
  EXPECT_EQ(table.text(), "  γ   x\n  -----\n  ab  1\n");
  EXPECT_EQ(record::number(-0.0), "0");
  EXPECT_EQ(record::number(1e-14, 1), "0");
}

TEST(LawsText, TellsEverythingFromTheLawsThemselves) {
  const std::string text = record::laws_text();
  for_each_law([&]<class L>(const L&) {
    EXPECT_TRUE(contains(text, std::string(L::name)));
    EXPECT_TRUE(contains(record::laws_text(L::name), std::string(L::source)));
    const auto json = nlohmann::json::parse(record::laws_json(L::name));
    ASSERT_EQ(json["laws"].size(), 1U);
    EXPECT_EQ(json["laws"][0]["name"], std::string(L::name));
    std::size_t count = 0;
    const L law;
    L::fields(law, [&](auto, const auto&, auto) { ++count; });
    EXPECT_EQ(json["laws"][0]["parameters"].size(), count);
  });
}

TEST(AdmissibleSvg, DrawsTwoContactsAndRefusesOthers) {
  const ImpactProblem three = chain(Vector::Ones(3), Vector::Unit(3, 0), 0),
                      four = chain(Vector::Ones(4), Vector::Unit(4, 0), 0);
  const AdmissibleSet set(three);
  const std::string svg =
      record::admissible_svg(set, {{"a < b", vector({0, 0, 1})}, {"same", vector({0, 0, 1})}}, set.samples(10));
  EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
  EXPECT_TRUE(contains(svg, "1: a &lt; b, same"));
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_THROW(record::admissible_svg(AdmissibleSet(four), {}, {}), InputError);
  const ImpactProblem parallel =
      problem(MassMatrix::diagonal(vector({1})), vector({1, -1}).transpose(), vector({-1}), vector({0, 0}));
  EXPECT_THROW(record::admissible_svg(AdmissibleSet(parallel), {}, {}), InputError);
}

TEST(AdmissibleReport, HasTheKeysOfTheContract) {
  const ImpactProblem given = chain(Vector::Ones(3), Vector::Unit(3, 0), 0);
  const AdmissibleSet set(given);
  const record::AdmissibleReport report{set, {vector({0, 0, 1})}, set.samples(3), Matrix(), 1e-9};
  const auto json = nlohmann::json::parse(report.json());
  EXPECT_EQ(json["format"], "carom-admissible/1");
  EXPECT_EQ(json["order"], 2);
  EXPECT_EQ(json["kinetic_angles"].size(), 2U);
  EXPECT_EQ(json["max_dissipation"].size(), 3U);
  EXPECT_EQ(json["samples"].size(), 3U);
  const auto& candidate = json["candidates"][0];
  EXPECT_TRUE(candidate["kinematic"].get<bool>() && candidate["kinetic"].get<bool>() &&
              candidate["energetic"].get<bool>());
  EXPECT_NEAR(candidate["dissipation_level"], 1, 1e-9);
  EXPECT_EQ(candidate["impulse"].size(), 2U);
  EXPECT_EQ(candidate["E_n"].size(), 2U);
  EXPECT_TRUE(contains(report.text(), "admissible"));
}

}  // namespace
}  // namespace carom::testing
