#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace carom::record {

/// A picture (SVG) being written, in pixels from its upper left corner. `style` is text of SVG attributes.
class Svg {
 public:
  using Point = Eigen::Vector2d;

  static constexpr double kWidth = 860, kHeight = 640;  // of a usual picture

  explicit Svg(double width = kWidth, double height = kHeight);

  void line(const Point& a, const Point& b, std::string_view style);
  void circle(const Point& centre, double radius, std::string_view style);
  void polyline(const std::vector<Point>& points, std::string_view style);
  void polygon(const std::vector<Point>& points, std::string_view style);
  void text(const Point& at, std::string_view text, std::string_view style);  // with a white halo
  void raw(std::string_view svg) { text_ += svg; }

  std::string finish() const { return text_ + "</svg>\n"; }

 private:
  void path(const std::vector<Point>& points, std::string_view end, std::string_view style);

  std::string text_;
};

}  // namespace carom::record
