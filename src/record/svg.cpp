#include "carom/record/svg.h"

#include <fmt/format.h>

namespace carom::record {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

}  // namespace

Svg::Svg(double width, double height)
    : text_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
          "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\">\n<rect width=\"{0}\" height=\"{1}\" "
          "fill=\"#ffffff\"/>\n",
          width, height)) {}

void Svg::line(const Point& a, const Point& b, std::string_view style) {
  text_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", a.x(), a.y(), b.x(),
                       b.y(), style);
}

void Svg::circle(const Point& centre, double radius, std::string_view style) {
  text_ +=
      fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.4g}\" {}/>\n", centre.x(), centre.y(), radius, style);
}

void Svg::path(const std::vector<Point>& points, std::string_view end, std::string_view style) {
  text_ += "<path d=\"";
  for (std::size_t i = 0; i < points.size(); ++i)
    text_ += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : " L", points[i].x(), points[i].y());
  text_ += fmt::format("{}\" {}/>\n", end, style);
}

void Svg::polyline(const std::vector<Point>& points, std::string_view style) {
  path(points, "", style);
}

void Svg::polygon(const std::vector<Point>& points, std::string_view style) {
  path(points, " Z", style);
}

void Svg::text(const Point& at, std::string_view text, std::string_view style) {
  text_ += fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" {} stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\" "
      "stroke-linejoin=\"round\">{}</text>\n",
      at.x(), at.y(), style, escaped(text));
}

}  // namespace carom::record
