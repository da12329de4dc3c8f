#include "carom/record/beam_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/record/json.h"
#include "carom/record/table.h"
#include "carom/record/xy_panel.h"

namespace carom::record {

std::string BeamReport::json() const {
  Json list = Json::array();
  for (const waves::BeamImpact& impact : impacts)
    list.push_back({{"x", impact.x},
                    {"G_rigid", impact.G_rigid},
                    {"G_flexible", impact.G_flexible},
                    {"restitution", impact.e_rigid}});
  const Json result = {{"format", "carom-beam-outcome/1"},
                       {"status", "solved"},
                       {"e", beam.e},
                       {"modes", beam.modes},
                       {"impacts", list}};
  return result.dump(2) + "\n";
}

std::string BeamReport::text() const {
  Table table({"hit at x [m]", "G rigid [1/kg]", "G flexible [1/kg]", "restitution of the rigid body"});
  const std::size_t stride = std::max<std::size_t>(1, (impacts.size() - 1) / 20);
  for (std::size_t i = 0; i < impacts.size(); i += stride)
    table.add({number(impacts[i].x), number(impacts[i].G_rigid), number(impacts[i].G_flexible, impacts[i].G_rigid),
               number(impacts[i].e_rigid, 1)});
  std::string result = table.text();
  if (stride > 1) result += fmt::format("one position of {} is shown; --json shows all\n", stride);
  return result +
         fmt::format("e = {} where it is hit, {} bending mode{}\n", beam.e, beam.modes, beam.modes == 1 ? "" : "s");
}

std::string BeamReport::svg() const {
  Svg picture;
  picture.text({32, 40}, "A flexible beam hits a stop", "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  picture.text(
      {32, 62},
      fmt::format("e = {:.4g} where it is hit, {} bending mode{}", beam.e, beam.modes, beam.modes == 1 ? "" : "s"),
      "fill=\"#555555\"");
  double least = -0.1;
  for (const waves::BeamImpact& impact : impacts) least = std::min(least, impact.e_rigid - 0.05);
  const XyPanel panel({76, 112}, {820, 570}, ValueRange(0, beam.length, "m", 8), ValueRange(least, 1.1, "", 8));
  panel.draw_grid(picture);
  picture.line(panel.at(0, 0), panel.at(beam.length, 0), "stroke=\"#999999\" stroke-width=\"1\"");
  picture.line(panel.at(0, beam.e), panel.at(beam.length, beam.e),
               "stroke=\"#d9561c\" stroke-width=\"1.5\" stroke-dasharray=\"6 5\"");
  picture.text(panel.at(beam.length, beam.e) + Svg::Point(-8, -7), "e where it is hit",
               "fill=\"#d9561c\" font-size=\"13\" text-anchor=\"end\"");
  std::vector<waves::BeamImpact> in_order = impacts;
  std::sort(in_order.begin(), in_order.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  std::vector<Svg::Point> points;
  points.reserve(in_order.size());
  for (const waves::BeamImpact& impact : in_order) points.push_back(panel.at(impact.x, impact.e_rigid));
  picture.polyline(points, "fill=\"none\" stroke=\"#1b4f8f\" stroke-width=\"2.5\" stroke-linejoin=\"round\"");
  if (points.size() <= 40)
    for (const Svg::Point& point : points) picture.circle(point, 4, "fill=\"#1b4f8f\"");
  panel.draw_axes(picture, "Hit at", "Restitution of the rigid body");
  return picture.finish();
}

}  // namespace carom::record
