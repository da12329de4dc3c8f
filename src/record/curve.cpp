#include "carom/record/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom::record {
namespace {

using Point = Svg::Point;

constexpr double kPiece = 1.5;    // pixels that a straight piece of a smooth line may be wide
constexpr double kUnseen = 0.08;  // pixels by which a line may miss its points

/// Slopes of the parabolas through three points each, held back where the line would leave the range of its points but
/// for the rounding of a peak.
std::vector<double> slopes(const std::vector<Point>& points) {
  constexpr double kMonotone = 3;  // times the flatter of the slopes beside
  constexpr double kRounding = 4;  // pixels: four times what a peak may rise above its points
  const auto secant = [&](std::size_t i) {
    const Point d = points[i + 1] - points[i];
    return d.x() > 0 ? d.y() / d.x() : 0;
  };
  std::vector<double> result(points.size(), 0.0);
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const double left = secant(i - 1), right = secant(i);
    const double before = points[i].x() - points[i - 1].x(), after = points[i + 1].x() - points[i].x();
    const double flatter = std::min(std::abs(left), std::abs(right));
    const double most = std::max(kMonotone * flatter, kRounding / std::max(before, after));
    if (flatter > 0) result[i] = std::clamp((left * after + right * before) / (before + after), -most, most);
  }
  if (points.size() > 1) {
    result.front() = secant(0);
    result.back() = secant(points.size() - 2);
  }
  return result;
}

std::vector<Point> smooth(const std::vector<Point>& points) {
  const std::vector<double> slope = slopes(points);
  std::vector<Point> result;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point &a = points[i], d = points[i + 1] - a;
    const bool straight = d.y() == 0 && slope[i] == 0 && slope[i + 1] == 0;
    const int pieces = straight ? 1 : std::clamp(static_cast<int>(std::ceil(d.x() / kPiece)), 1, 64);
    for (int p = 0; p < pieces; ++p) {
      const double x = static_cast<double>(p) / pieces, rest = 1 - x;
      result.emplace_back(a.x() + x * d.x(), a.y() + x * x * (3 - 2 * x) * d.y() +
                                                 d.x() * x * rest * (rest * slope[i] - x * slope[i + 1]));
    }
  }
  if (!points.empty()) result.push_back(points.back());
  return result;
}

double distance(const Point& p, const Point& a, const Point& b) {
  const Point along = b - a;
  const double length = along.squaredNorm();
  const double at = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0;
  return (p - a - at * along).norm();
}

/// Without the points that lie on the line between others.   [Douglas, Peucker 1973]
std::vector<Point> thinned(const std::vector<Point>& points) {
  if (points.size() < 3) return points;
  std::vector<char> keeps(points.size(), 0);
  keeps.front() = keeps.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, points.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    double worst = kUnseen;
    std::size_t at = 0;
    for (std::size_t i = first + 1; i < last; ++i)
      if (const double miss = distance(points[i], points[first], points[last]); miss > worst) {
        worst = miss;
        at = i;
      }
    if (at == 0) continue;
    keeps[at] = 1;
    open.emplace_back(first, at);
    open.emplace_back(at, last);
  }
  std::vector<Point> result;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (keeps[i]) result.push_back(points[i]);
  return result;
}

}  // namespace

Axis::Axis(double end_, std::string_view si_unit, int intervals)
    : end(end_ > 0 ? end_ : 1), unit(readable_unit(end, si_unit)) {
  const double rough = end / intervals, power = std::pow(10.0, std::floor(std::log10(rough)));
  step = power * (rough > 7 * power ? 10 : rough > 3.2 * power ? 5 : rough > 1.5 * power ? 2 : 1);
}

std::string Axis::label(double value) const {
  return fmt::format("{:.6g}", std::abs(value) < 1e-9 * end ? 0 : value / unit.factor);
}

std::vector<Point> curve(const std::vector<double>& times, const std::vector<double>& values, const Point& origin,
                         const Point& scale) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < times.size(); ++i)
    points.emplace_back(origin + scale.cwiseProduct(Point(times[i], values[i])));
  points = smooth(points);
  for (Point& point : points) point.y() = std::min(point.y(), origin.y());  // values are not negative
  return thinned(points);
}

}  // namespace carom::record
