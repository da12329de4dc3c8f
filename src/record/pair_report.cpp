#include "carom/record/pair_report.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "carom/model/contact_pair.h"
#include "carom/record/json.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using geometry::Curvature;
using geometry::Dimension;
using geometry::Element;

constexpr double kTouching = 1e-12;  // of the size: a gap this small is none

Json coordinates_of(const Vector3& v, Dimension dimension) {
  Json result = Json::array();
  for (Index i = 0; i < static_cast<Index>(dimension); ++i) result.push_back(v[i]);
  return result;
}

std::vector<std::string> vector_row(std::string what, const Vector3& v, Dimension dimension, double scale) {
  std::vector<std::string> row = {std::move(what)};
  for (Index i = 0; i < static_cast<Index>(dimension); ++i) row.push_back(number(v[i], scale));
  return row;
}

const char* element_word(const Element& element, Dimension dimension) {
  switch (element.kind) {
    case Element::Kind::corner:
      return dimension == Dimension::line ? "end" : "corner";
    case Element::Kind::ball:
      return "ball";
    case Element::Kind::edge:
      return "edge";
    case Element::Kind::tube:
      return "tube";
    case Element::Kind::rim:
      return "rim";
    case Element::Kind::face:
      return dimension == Dimension::space ? "face" : "side";
    case Element::Kind::curved:
      return "curved surface";
    default:
      return "inside";
  }
}

double radius_of_curvature(double curvature) {
  return curvature > 0 ? 1 / curvature : std::numeric_limits<double>::infinity();
}

/// A radius for people: flat surfaces have none, edges 0.
std::string radius_words(double curvature) {
  if (curvature == std::numeric_limits<double>::infinity()) return "0 (edge)";
  return curvature > 0 ? number(1 / curvature) : "flat";
}

Json curvature_json(const Curvature& curvature) {
  return {{"most", curvature.most},
          {"least", curvature.least},
          {"radii", {radius_of_curvature(curvature.most), radius_of_curvature(curvature.least)}},
          {"direction", {curvature.direction.x(), curvature.direction.y(), curvature.direction.z()}}};
}

Json point_json(const geometry::ContactPoint& point, Dimension dimension) {
  return {{"a", coordinates_of(point.point_a, dimension)},
          {"b", coordinates_of(point.point_b, dimension)},
          {"gap", point.gap}};
}

std::optional<geometry::HertzImpact> hertz_impact_of(const PairReport& report) {
  const auto k = report.stiffness();
  if (!k || !report.mass || !(report.pair.gap_rate < 0)) return std::nullopt;
  return geometry::hertz_impact(*k, 1.5, *report.mass, -report.pair.gap_rate);
}

Json hertz_json(const PairReport& report) {
  const auto k = report.stiffness();
  if (!k) return nullptr;
  Json result = {{"modulus", *report.modulus}, {"k", *k}, {"eta", 1.5}};
  if (const auto impact = hertz_impact_of(report))
    result["impact"] = Json{{"speed", -report.pair.gap_rate},
                            {"mass", *report.mass},
                            {"depth", impact->depth},
                            {"force", impact->force},
                            {"duration", impact->duration}};
  return result;
}

bool is_moving(const PairReport& report) {
  for (const geometry::MovingBody& body : report.bodies)
    for (const Vector3* v : {&body.velocity, &body.angular_velocity, &body.acceleration, &body.angular_acceleration})
      if (v->squaredNorm() > 0) return true;
  return false;
}

std::string gap_words(const PairReport& report) {
  const double gap = report.pair.point.gap;
  if (report.touches()) return "they touch";
  return gap > 0 ? fmt::format("apart, distance {} m", number(gap))
                 : fmt::format("overlapping, depth {} m", number(-gap));
}

std::string uniqueness_words(const PairReport& report) {
  const auto count = report.pair.as_near.size();
  if (count == 1) return "";
  return fmt::format("The pair is not unique: {} pairs of points are as near, corners of what {}.\n", count,
                     count == 2 ? "two lines have in common" : "two faces have in common");
}

std::string hertz_text(const PairReport& report) {
  const auto k = report.stiffness();
  if (!k) return "";
  std::string text = fmt::format("\nHertz: E* = {} Pa, force = k depth^1.5 with k = {} N/m^1.5\n",
                                 number(*report.modulus), number(*k));
  if (const auto impact = hertz_impact_of(report))
    text += fmt::format("an impact at {} m/s of {} kg: depth {} m, force {} N, {} s\n", number(-report.pair.gap_rate),
                        number(*report.mass), number(impact->depth), number(impact->force), number(impact->duration));
  return text;
}

}  // namespace

std::string shape_word(const geometry::Shape& shape, Dimension dimension) {
  return std::visit(
      [&](const auto& own) {
        for (const geometry::Form& form : own.forms)
          if (form.is_for(dimension)) return std::string(form.name);
        return std::string(own.forms[0].name);
      },
      shape);
}

bool PairReport::touches() const {
  return std::abs(pair.point.gap) <= kTouching * pair.size;
}

std::optional<double> PairReport::stiffness() const {
  const geometry::RelativeCurvature& relative = pair.relative;
  const bool point = relative.B > 0 && std::isfinite(relative.A);
  if (!modulus || !point) return std::nullopt;
  return geometry::hertz_stiffness(relative, *modulus);
}

std::string PairReport::json() const {
  const geometry::ContactPoint& point = pair.point;
  Json shapes = Json::array(), tangents = Json::array(), as_near = Json::array(), w = Json::array();
  shapes.push_back(shape_word(bodies[0].parts[pair.part_a].shape, dimension));
  shapes.push_back(shape_word(bodies[1].parts[pair.part_b].shape, dimension));
  const Eigen::Matrix3Xd along = tangents_of(point.normal, dimension);
  for (Index i = 0; i < along.cols(); ++i) tangents.push_back(coordinates_of(along.col(i), dimension));
  for (const geometry::ContactPoint& one : pair.as_near) as_near.push_back(point_json(one, dimension));
  for (const double entry : pair.w) w.push_back(entry);
  Json result = {{"format", "carom-distance/1"},
                 {"bodies", names},
                 {"shapes", shapes},
                 {"parts", {pair.part_a, pair.part_b}},
                 {"dimension", static_cast<int>(dimension)},
                 {"t", or_null(t)},
                 {"gap", point.gap},
                 {"distance", std::max(0.0, point.gap)},
                 {"depth", std::max(0.0, -point.gap)},
                 {"touches", touches()},
                 {"points", point_json(point, dimension)},
                 {"normal", coordinates_of(point.normal, dimension)},
                 {"tangents", tangents},
                 {"features", {element_word(point.feature.a, dimension), element_word(point.feature.b, dimension)}},
                 {"unique", pair.is_unique()},
                 {"as_near", as_near},
                 {"curvature", {{"a", curvature_json(pair.curvature_a)}, {"b", curvature_json(pair.curvature_b)}}},
                 {"relative_curvature", {{"A", pair.relative.A}, {"B", pair.relative.B}}},
                 {"effective_radius", geometry::effective_radius(pair.relative)},
                 {"interference", or_null(pair.interference)},
                 {"gap_rate", pair.gap_rate},
                 {"gap_acceleration", pair.gap_acceleration},
                 {"slip", coordinates_of(pair.slip, dimension)},
                 {"w", w},
                 {"mass", or_null(mass)},
                 {"hertz", hertz_json(*this)}};
  return result.dump(2) + "\n";
}

std::string PairReport::text() const {
  const geometry::ContactPoint& point = pair.point;
  const double scale = std::max({point.point_a.cwiseAbs().maxCoeff(), point.point_b.cwiseAbs().maxCoeff(), pair.size});
  const auto named = [&](std::size_t i) {
    const Index part = i == 0 ? pair.part_a : pair.part_b;
    return fmt::format("{} ({})", names[i], shape_word(bodies[i].parts[part].shape, dimension));
  };
  std::string text = fmt::format("{} and {}{}: {}\n\n", named(0), named(1),
                                 t ? fmt::format(" at t = {} s", number(*t)) : "", gap_words(*this));
  std::vector<std::string> header = {"", "x", "y", "z"};
  header.resize(1 + static_cast<std::size_t>(dimension));
  Table where(header);
  where.add(vector_row(fmt::format("point of {} [m]", names[0]), point.point_a, dimension, scale));
  where.add(vector_row(fmt::format("point of {} [m]", names[1]), point.point_b, dimension, scale));
  where.add(vector_row(fmt::format("normal, from {} to {}", names[0], names[1]), point.normal, dimension, 1));
  const Eigen::Matrix3Xd along = tangents_of(point.normal, dimension);
  for (Index i = 0; i < along.cols(); ++i) where.add(vector_row("tangent", along.col(i), dimension, 1));
  text += where.text() + "\n" + uniqueness_words(*this);

  Table surfaces({"surface", "feature", "radius: least [m]", "largest [m]"});
  surfaces.add({names[0], element_word(point.feature.a, dimension), radius_words(pair.curvature_a.most),
                radius_words(pair.curvature_a.least)});
  surfaces.add({names[1], element_word(point.feature.b, dimension), radius_words(pair.curvature_b.most),
                radius_words(pair.curvature_b.least)});
  surfaces.add({"relative", "", radius_words(pair.relative.A), radius_words(pair.relative.B)});
  text += surfaces.text();
  const double effective = geometry::effective_radius(pair.relative);
  if (effective > 0 && std::isfinite(effective))
    text += fmt::format("effective radius {} m, as a ball on a plane\n", number(effective));
  if (pair.interference && point.gap < 0 && std::isfinite(*pair.interference))
    text += fmt::format("a common point lies {} m inside both\n", number(*pair.interference / 2));
  if (is_moving(*this))
    text += fmt::format("\ngap velocity {} m/s ({}), gap acceleration {} m/s^2 (but for forces), slip {} m/s\n",
                        number(pair.gap_rate), pair.gap_rate < 0 ? "closing" : "opening", number(pair.gap_acceleration),
                        number(pair.slip.norm(), std::abs(pair.gap_rate)));
  return text + hertz_text(*this);
}

}  // namespace carom::record
