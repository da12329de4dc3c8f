#include <nlohmann/json.hpp>

#include "carom/analysis/admissible_set.h"
#include "carom/record/admissible_report.h"
#include "carom/record/admissible_svg.h"
#include "carom/record/impact_comparison.h"
#include "carom/record/laws_text.h"
#include "carom/record/outcome_json.h"
#include "carom/record/outcome_text.h"
#include "carom/record/path_svg.h"
#include "carom/record/path_table.h"
#include "carom/record/table.h"
#include "support.h"

namespace carom::testing {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Table, StandsInBlocksWhereItIsTooWide) {
  record::Table table({"", "first", "second", "third"});
  table.add_to_header({"kind", "a", "b", "c"});
  table.add({"row", "1", "2", "3"});
  table.add_rule();
  table.add({"other"});
  EXPECT_EQ(table.text_within(100), table.text());
  EXPECT_EQ(table.text_within(24),
            "         first  second\n  kind       a       b\n  --------------------\n  row        1       2\n"
            "  --------------------\n  other\n"
            "\n         third\n  kind       c\n  ------------\n  row        3\n  ------------\n  other\n");
  EXPECT_EQ(table.text_within(1).find("second"), table.text_within(1).rfind("second")) << "one column at least";
}

TEST(Table, SentencesAreWrappedBetweenWords) {
  EXPECT_EQ(record::wrapped("one two three four", 100), "one two three four");
  EXPECT_EQ(record::wrapped("one two three four", 9), "one two\n  three\n  four");
  EXPECT_EQ(record::wrapped("unbreakable", 3), "unbreakable");
  EXPECT_EQ(record::wrapped("", 3), "");
}

TEST(OutcomeJson, HasTheKeysOfTheContract) {
  const ImpactProblem given = chain(Vector::Ones(3), Vector::Unit(3, 0), 1);
  const auto json = nlohmann::json::parse(record::to_json(solve(given, Newton{})).dump());
  for (const char* key :
       {"format", "law", "status", "message", "u_plus", "gamma_minus", "gamma_plus", "impulse", "tangential_impulse",
        "unique", "energy", "certificate", "duration", "peak_force", "events", "cost"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["format"], "carom-outcome/1");
  EXPECT_EQ(json["status"], "solved");
  EXPECT_EQ(json["u_plus"].size(), 3U);
  EXPECT_EQ(json["tangential_impulse"], nlohmann::json::parse("[[], []]"));
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
  const auto json = nlohmann::json::parse(record::to_json(solve(given, Newton{})).dump());
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

/// A chain that dissipates, and the states inside its impact.
struct Followed {
  explicit Followed(Index balls, double e = 0.9)
      : problem(chain(Vector::Ones(balls), Vector::Unit(balls, 0), e)), outcome(solve(problem, Lzb{}, &path)) {}
  ImpactProblem problem;
  Path path;
  ImpactOutcome outcome;
};

TEST(PathJson, HasAListAQuantityAndAnEntryAState) {
  const Followed chain(3);
  const auto json = nlohmann::json::parse(record::to_json_with_path(chain.outcome, chain.path));
  EXPECT_EQ(json["format"], "carom-outcome/1");
  const auto& path = json.at("path");
  const std::size_t states = chain.path.states.size();
  for (const char* key : {"time", "u", "gamma", "Lambda", "force", "stored", "kinetic", "primary"})
    EXPECT_EQ(path.at(key).size(), states) << key;
  EXPECT_EQ(path["u"][0].size(), 3U);
  EXPECT_EQ(path["force"][0].size(), 2U);
  EXPECT_EQ(path["u"].back(), json["u_plus"]);
  EXPECT_EQ(path["Lambda"].back(), json["impulse"]);
  EXPECT_TRUE(path["primary"][0].is_null()) << "nothing is compressed at the first touch";
  EXPECT_EQ(path["primary"][1], 0) << "the contact that is hit";
  EXPECT_EQ(path["primary"][states - 2], 1) << "the contact that lets go last";
  EXPECT_EQ(chain.path.states.size() * 14, record::numbers_of_path(chain.problem, static_cast<double>(states)));
}

TEST(PathJson, OfFrictionlessContactsWithTangents) {
  ImpactProblem given;
  given.M = MassMatrix::diagonal(vector({1, 1}));
  given.W = Matrix{{0, 1}, {1, 0}}.sparseView();
  given.u_minus = vector({0.5, -1});
  given.contacts = {{.name = "floor", .tangents = 1, .e = 1}};
  Path path;
  const ImpactOutcome outcome = solve(given, Lzb{}, &path);
  EXPECT_VECTOR_NEAR(path.states.back().u, vector({0.5, 1}), 1e-8);
  EXPECT_EQ(nlohmann::json::parse(record::to_json_with_path(outcome, path))["path"]["gamma"][0].size(), 1U);
}

TEST(PathCsv, HasNamesAndUnitsAndClosesTheLedger) {
  Followed chain(3);
  chain.problem.contacts[1].name = "a, \"b\"";
  const std::string csv = record::path_csv(chain.problem, chain.outcome, chain.path);
  EXPECT_TRUE(csv.starts_with("time [s],u[0] [m/s or rad/s],")) << csv.substr(0, 100);
  EXPECT_TRUE(contains(csv, ",force 1 [N],\"force a, \"\"b\"\" [N]\",")) << csv.substr(0, 400);
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), chain.path.states.size() + 1);
  const Vector lost = record::dissipated(chain.problem, chain.outcome, chain.path);
  EXPECT_NEAR(lost[0], 0, 1e-15);
  EXPECT_NEAR(lost[lost.size() - 1], chain.outcome.energy.dissipated(), 1e-12);
}

TEST(PathSvg, ListsFewContactsAndShowsManyByARamp) {
  const Followed few(5), many(40, 1);
  const std::string listed = record::path_svg(few.problem, few.outcome, few.path);
  EXPECT_TRUE(listed.starts_with("<svg") && listed.ends_with("</svg>\n"));
  EXPECT_TRUE(contains(listed, "dissipated") && contains(listed, "4 contacts;") && !contains(listed, "Gradient"));
  const std::string ramp = record::path_svg(many.problem, many.outcome, many.path);
  EXPECT_TRUE(contains(ramp, "linearGradient") && !contains(ramp, "dissipated"));
  for (const std::string& svg : {listed, ramp}) EXPECT_FALSE(contains(svg, "nan") || contains(svg, "inf"));
  const ImpactProblem parting = chain(Vector::Ones(2), Vector::Unit(2, 1), 1);
  Path path;
  const ImpactOutcome outcome = solve(parting, Lzb{}, &path);
  EXPECT_TRUE(contains(record::path_svg(parting, outcome, path), "nothing is compressed"));
}

TEST(OutcomeText, TellsWhatEachContactWentThroughWhereTheLawKnows) {
  ImpactProblem given = chain(Vector::Ones(3), Vector::Unit(3, 0), 1);
  EXPECT_FALSE(contains(record::outcome_text(given, solve(given, Newton{})), "compressions"));
  const std::string relative = record::outcome_text(given, solve(given, Lzb{}));
  EXPECT_TRUE(contains(relative, "forces and times are relative")) << relative;
  EXPECT_TRUE(contains(relative, " 0 dissipated (100 % kept)"))
      << "the error of the integration is no loss: " << relative;
  for (Contact& contact : given.contacts) contact.k = 1e10;
  const std::string text = record::outcome_text(given, solve(given, Lzb{}));
  for (const char* part : {"peak force [kN]", "at [µs]", "compressions", "re-impacts", "duration [µs]: "})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  EXPECT_FALSE(contains(text, "relative"));
}

TEST(OutcomeText, SaysThatAnImpactCollapsed) {
  ImpactProblem given = problem(MassMatrix::diagonal(vector({0.58, 0.058})), Matrix{{1, 0}, {-1, 1}}, vector({-1, -1}),
                                vector({0.326, 0.55}));
  for (Contact& contact : given.contacts) contact.eta = 1;
  Path path;
  const ImpactOutcome outcome = solve(given, Lzb{.stiffness = Lzb::Stiffness::mono}, &path);
  const std::string text = record::outcome_text(given, outcome);
  EXPECT_TRUE(contains(text, "collapsed: ") && contains(text, "(0 % kept)")) << text;
  EXPECT_EQ(path.states.back().u, outcome.u_plus) << "the path has the end that was taken at once";
  EXPECT_TRUE(contains(record::path_svg(given, outcome, path), "collapses"));
}

TEST(ComparisonText, ShowsForcesAndTimesWhereALawHasThem) {
  const ImpactProblem given = chain(Vector::Ones(3), Vector::Unit(3, 0), 1);
  const std::string text = record::comparison_text(given, {solve(given, Newton{}), solve(given, Lzb{})});
  EXPECT_TRUE(contains(text, "duration [s]") && contains(text, "largest force [N]") && contains(text, "re-impacts"));
  EXPECT_FALSE(contains(record::comparison_text(given, {solve(given, Newton{})}), "duration"));
}

TEST(Units, AreEasyToRead) {
  EXPECT_EQ(record::readable_unit(3e-5, "s").name, "µs");
  EXPECT_EQ(record::readable_unit(1e-3, "s").name, "ms");
  EXPECT_EQ(record::readable_unit(0.5, "J").name, "J");
  EXPECT_EQ(record::readable_unit(2e4, "N").name, "kN");
  EXPECT_EQ(record::readable_unit(2e4, "s").name, "s");
  EXPECT_EQ(record::readable_unit(1e-30, "s").factor, 1);
  EXPECT_EQ(record::readable_unit(0, "s").factor, 1);
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
  const analysis::AdmissibleSet set(three);
  const std::string svg =
      record::admissible_svg(set, {{"a < b", vector({0, 0, 1})}, {"same", vector({0, 0, 1})}}, set.samples(10));
  EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
  EXPECT_TRUE(contains(svg, "1: a &lt; b, same"));
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_THROW(record::admissible_svg(analysis::AdmissibleSet(four), {}, {}), InputError);
  const ImpactProblem parallel =
      problem(MassMatrix::diagonal(vector({1})), vector({1, -1}).transpose(), vector({-1}), vector({0, 0}));
  EXPECT_THROW(record::admissible_svg(analysis::AdmissibleSet(parallel), {}, {}), InputError);
}

TEST(AdmissibleSvg, CandidatesWithTooMuchEnergyStayBelowTheTitleOrAreSaidToBeFarOutside) {
  const ImpactProblem three = chain(Vector::Ones(3), Vector::Unit(3, 0), 0);
  const std::string svg = record::admissible_svg(analysis::AdmissibleSet(three),
                                                 {{"twice", vector({-1, 0, 2})}, {"much", vector({-30, 0, 60})}}, {});
  EXPECT_TRUE(contains(svg, "1: twice<"));
  EXPECT_TRUE(contains(svg, "2: much, far outside<"));
  for (std::size_t at = svg.find("<circle cx"); at != std::string::npos; at = svg.find("<circle cx", at + 1)) {
    double x = 0, y = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + at, "<circle cx=\"%lf\" cy=\"%lf\"", &x, &y), 2);
    EXPECT_GT(x, 20);
    EXPECT_LT(x, 590) << "beside the key";
    EXPECT_GT(y, 70) << "below the title";
  }
}

TEST(AdmissibleSvg, LongNamesStayWithinThePicture) {
  const ImpactProblem three = chain(Vector::Ones(3), Vector::Unit(3, 0), 0);
  const analysis::AdmissibleSet set(three);
  std::vector<record::Mark> marks;
  for (int i = 0; i < 10; ++i)  // ten at one spot, and ten at spots of their own
    for (const double apart : {0.0, 0.05})
      marks.push_back(
          {"compliant{force=hunt-crossley,friction=bristle}" + std::to_string(i), vector({0, apart * i, 1})});
  const std::string svg = record::admissible_svg(set, marks, {});
  double height = 0, lowest = 0;
  ASSERT_EQ(std::sscanf(svg.substr(svg.find("viewBox")).c_str(), "viewBox=\"0 0 860 %lf", &height), 1);
  for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1)) {
    double x = 0, y = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + at, "<text x=\"%lf\" y=\"%lf\"", &x, &y), 2);
    const std::size_t begin = svg.find('>', at) + 1;
    const std::string text = svg.substr(begin, svg.find('<', begin) - begin);
    if (x > 600) {
      EXPECT_LE(x + 7.0 * static_cast<double>(record::width(text)), 860) << text;
    }
    lowest = std::max(lowest, y);
  }
  EXPECT_LT(lowest, height);
  EXPECT_TRUE(contains(svg, "bristle}9"));
}

TEST(AdmissibleReport, HasTheKeysOfTheContract) {
  const ImpactProblem given = chain(Vector::Ones(3), Vector::Unit(3, 0), 0);
  const analysis::AdmissibleSet set(given);
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
