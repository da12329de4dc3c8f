#include "carom/record/impact_report.h"

#include <fmt/format.h>

#include "carom/record/impact_comparison.h"
#include "carom/record/outcome_text.h"
#include "carom/record/packed.h"
#include "carom/record/report_path.h"

namespace carom::record {
namespace {

constexpr std::size_t kRowsOfU = 300;       // velocities that a page plots, evenly taken from more
constexpr std::size_t kArrowsShown = 2000;  // impulses, the same

Json seen_head(const Vector3& v, Dimension dimension) {
  Json list = Json::array();
  for (Index axis = 0; axis < static_cast<Index>(dimension); ++axis) list.push_back(six_digits(v[axis]));
  return list;
}

Vector3 touch_point(const ContactPair& pair) {
  return 0.5 * (pair.point.point_a + pair.point.point_b);
}

/// The impulses on the second bodies of the contacts shown; null where the law has no answer.
Json impulse_vectors(const ImpactScene& scene, const ImpactOutcome& outcome, const std::vector<Index>& contacts) {
  if (outcome.u_plus.size() == 0) return {};
  Json list = Json::array();
  for (const Index i : contacts) {
    const Vector3& normal = scene.pairs[i].point.normal;
    const Vector along = outcome.tangential(outcome.Lambda, static_cast<std::size_t>(i));
    Vector3 whole = outcome.Lambda[outcome.row[i]] * normal;
    const Eigen::Matrix3Xd tangents = tangents_of(scene.pairs[i], scene.dimension);
    if (along.size() == tangents.cols()) whole += tangents * along;
    list.push_back(seen_head(whole, scene.dimension));
  }
  return list;
}

Json inside_of(const ImpactsToSee& impacts, std::size_t column) {
  if (column >= impacts.paths.size()) return {};
  const ImpactProblem& problem = *impacts.problem;
  const std::vector<Index> rows = spread(static_cast<std::size_t>(problem.M.size()), kRowsOfU);
  Json seen = path_to_see(problem, impacts.paths[column], rows);
  if (seen == Json()) return seen;
  seen["rows"] = rows;
  if (impacts.scene == nullptr) return seen;
  Json points = Json::array();
  for (const Index contact : contacts_to_see(problem.contacts.size()))
    points.push_back(seen_head(touch_point(impacts.scene->pairs[contact]), impacts.scene->dimension));
  seen["points"] = std::move(points);
  return seen;
}

Json outcome_to_see(const ImpactsToSee& impacts, std::size_t column, const std::vector<Index>& arrows) {
  const ImpactOutcome& outcome = impacts.outcomes[column];
  const Vector impulse = outcome.u_plus.size() > 0 ? outcome.normal(outcome.Lambda) : Vector();
  Json json = {
      {"label", impacts.columns[column].label()},
      {"law", outcome.law},
      {"status", to_string(outcome.status)},
      {"message", outcome.message},
      {"consistent", outcome.certificate.consistent},
      {"certificate", certificate_words(*impacts.problem, outcome)},
      {"largest_impulse", impulse.size() > 0 ? six_digits(impulse.maxCoeff()) : Json()},
      {"energy", Json{{"before", six_digits(outcome.energy.before)}, {"after", six_digits(outcome.energy.after)}}},
      {"duration", or_null(outcome.duration)}};
  json["inside"] = inside_of(impacts, column);
  if (impacts.scene != nullptr) json["vectors"] = impulse_vectors(*impacts.scene, outcome, arrows);
  return json;
}

}  // namespace

Json impact_report(const ImpactsToSee& impacts) {
  const ImpactProblem& problem = *impacts.problem;
  const ImpactScene* scene = impacts.scene;
  Json json = {{"format", "carom-impact-report/1"},
               {"title", impacts.title},
               {"about", impacts.about},
               {"contact_count", problem.contacts.size()},
               {"velocities", scene != nullptr ? scene->velocities : std::vector<std::string>()},
               {"table", comparison_table(problem, impacts.outcomes, impacts.columns).json()},
               {"sentences", impacts.sentences}};
  const std::vector<Index> arrows = spread(problem.contacts.size(), kArrowsShown);
  json["outcomes"] = Json::array();
  for (std::size_t i = 0; i < impacts.outcomes.size(); ++i)
    json["outcomes"].push_back(outcome_to_see(impacts, i, arrows));
  json["picture"] = scene != nullptr ? scene->picture : Json();
  json["bodies"] = scene != nullptr ? Json(scene->bodies) : Json();
  json["points"] = Json();
  if (scene == nullptr) return json;
  json["points"] = Json::array();
  for (const Index i : arrows) json["points"].push_back(seen_head(touch_point(scene->pairs[i]), scene->dimension));
  return json;
}

}  // namespace carom::record
