#include "carom/record/scene_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/error.h"
#include "carom/geometry/hertz.h"
#include "carom/model/contact_rules.h"
#include "carom/model/joint_rows.h"
#include "carom/numerics/decompositions.h"
#include "carom/record/outcome_text.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

constexpr Index kMostEquations = 1500;  // whose rank is computed
constexpr double kDependentRows = 1e-9;
constexpr double kSoftest = 1e4;  // [Pa] softer than anything that keeps its shape

SceneCheck::Kind kind_of(const Model& model, const State& start, const ContactRules& rules, const PartPair& parts) {
  const PairProperties known = rules.properties(parts);
  SceneCheck::Kind kind;
  kind.body_a = parts.is_stop() ? model.description().joints[parts.joint()].name : model.body_name(parts.body_a);
  kind.body_b = parts.is_stop() ? "" : model.body_name(parts.body_b);
  kind.e = known.e;
  if (known.e_of) kind.e_of = known.e_of->text();
  kind.mu = known.mu;
  kind.mu_2 = known.mu_2;
  kind.e_t = known.e_t;
  kind.e_t_2 = known.e_t_2;
  kind.eta = known.eta;
  kind.stiffness = known.k                              ? "given"
                   : rules.pressure_stiffness_of(parts) ? "pressure"
                   : rules.knows_stiffness(parts)       ? "Hertz"
                                                        : "not given";
  if (kind.stiffness == "not given") return kind;
  std::vector<ContactPair> pairs;
  find_contact_pairs(model, start, parts, std::numeric_limits<double>::infinity(), pairs);
  if (pairs.empty()) return kind;
  try {
    kind.k = rules.contact(start, pairs.front()).k;
    const double m = contact_masses(model, start, pairs.front()).normal;
    if (!(m > 0)) return kind;
    const geometry::HertzImpact impact = geometry::hertz_impact(*kind.k, kind.eta, m, 1);
    kind.depth = impact.depth;
    kind.force = impact.force;
    kind.duration = impact.duration;
  } catch (const InputError&) {  // bodies that are nowhere near each other may have no point of contact as yet
    kind.k.reset();
  }
  return kind;
}

std::optional<Index> rank_of(const Model& model, const JointRows& rows) {
  if (rows.J.cols() == 0) return 0;
  if (rows.J.cols() > kMostEquations) return std::nullopt;
  const Matrix S = Matrix(SparseMatrix(rows.J.transpose() * model.M().solve(rows.J)));
  const Vector scale = S.diagonal().cwiseSqrt().cwiseInverse();
  return numerics::CompleteOrthogonal(scale.asDiagonal() * S * scale.asDiagonal(), kDependentRows).rank();
}

}  // namespace

namespace {

Json by_direction(double along, const std::optional<double>& across) {
  return across ? Json::array({Json(along), Json(*across)}) : Json(along);
}

}  // namespace

SceneCheck check_scene(const Model& model, const State& start, std::vector<std::string> hints) {
  SceneCheck check;
  check.hints = std::move(hints);
  const ContactRules rules(model);
  std::vector<PartPair> kinds = rules.kinds();
  const auto same = [](const PartPair& a, const PartPair& b) { return a.body_a == b.body_a && a.body_b == b.body_b; };
  kinds.erase(std::unique(kinds.begin(), kinds.end(), same), kinds.end());
  const std::vector<PartPair> stops = stops_of(model);
  kinds.insert(kinds.end(), stops.begin(), stops.end());
  for (const PartPair& parts : kinds) check.kinds.push_back(kind_of(model, start, rules, parts));
  const JointRows rows = joint_rows(model, start);
  check.velocities = model.velocities();
  check.equations = rows.J.cols();
  check.rank = rank_of(model, rows);
  for (const Material& material : model.description().materials)
    if (material.elasticity && material.elasticity->E < kSoftest)
      check.hints.push_back(fmt::format("material {}: E = {:.6g} Pa is softer than jelly; steel has 2.1e11 Pa",
                                        material.name, material.elasticity->E));
  return check;
}

std::string check_text(const SceneCheck& check) {
  std::string text;
  if (check.kinds.empty()) {
    text = "nothing may touch\n";
  } else {
    Table table({"contact", "e", "mu", "stiffness", "at 1 m/s: force [N]", "depth [m]", "time [s]"});
    add_rows(table, check.kinds.size(), [&](std::size_t i) {
      const SceneCheck::Kind& kind = check.kinds[i];
      const auto shown = [](const std::optional<double>& value) { return value ? fmt::format("{:.3g}", *value) : ""; };
      const std::string stiffness =
          kind.k ? fmt::format("{} {:.4g} N/m^{:.3g}", kind.stiffness, *kind.k, kind.eta) : kind.stiffness;
      table.add({kind.body_b.empty() ? kind.body_a + " (stop)" : kind.body_a + " - " + kind.body_b,
                 kind.e_of.empty() ? number(kind.e) : kind.e_of,
                 kind.mu_2 ? fmt::format("{} / {}", number(kind.mu), number(*kind.mu_2)) : number(kind.mu), stiffness,
                 shown(kind.force), shown(kind.depth), shown(kind.duration)});
    });
    text = table.text();
  }
  if (check.equations > 0 && check.rank) {
    text += fmt::format("\n{} velocities, {} equations of joints: {} to move", check.velocities, check.equations,
                        *check.mobility() == 1 ? "1 way" : fmt::format("{} ways", *check.mobility()));
    if (const Index redundant = check.equations - *check.rank; redundant > 0)
      text += fmt::format("; {} {} redundant, so the joints' forces are not unique", redundant,
                          redundant == 1 ? "equation is" : "equations are");
    text += "\n";
  }
  for (const std::string& hint : check.hints) text += "hint: " + hint + "\n";
  return text;
}

Json check_json(const std::string& scene, const SceneCheck& check) {
  Json contacts = Json::array();
  for (const SceneCheck::Kind& kind : check.kinds) {
    Json bodies = Json::array({Json(kind.body_a)});
    if (!kind.body_b.empty()) bodies.push_back(kind.body_b);
    contacts.push_back(
        {{"bodies", bodies},
         {"stop", kind.body_b.empty()},
         {"e", kind.e_of.empty() ? Json(kind.e) : Json(kind.e_of)},
         {"mu", by_direction(kind.mu, kind.mu_2)},
         {"e_t", by_direction(kind.e_t, kind.e_t_2)},
         {"stiffness", kind.stiffness},
         {"k", or_null(kind.k)},
         {"eta", kind.eta},
         {"at_1_m_per_s",
          {{"force", or_null(kind.force)}, {"depth", or_null(kind.depth)}, {"duration", or_null(kind.duration)}}}});
  }
  return {{"format", "carom-check/1"},
          {"scene", scene},
          {"contacts", contacts},
          {"velocities", check.velocities},
          {"joint_equations", check.equations},
          {"mobility", or_null(check.mobility())},
          {"redundant", check.rank ? Json(check.equations - *check.rank) : Json(nullptr)},
          {"hints", check.hints}};
}

}  // namespace carom::record
