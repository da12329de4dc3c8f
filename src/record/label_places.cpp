#include "carom/record/label_places.h"

#include <algorithm>
#include <array>
#include <limits>

#include "carom/record/table.h"

namespace carom::record {
namespace {

constexpr double kTall = 11;  // a letter [pixels]

}  // namespace

void LabelPlaces::avoid(const Svg::Point& centre, double radius) {
  taken_.push_back({centre.array() - radius, centre.array() + radius});
}

LabelPlaces::Place LabelPlaces::beside(const Svg::Point& point, const std::string& text, double letter, double away,
                                       bool left_first) {
  const double wide = letter * static_cast<double>(width(text)), below = away - 1 + kTall;
  constexpr std::array<double, 2> right_left = {1, -1}, left_right = {-1, 1};
  double least = std::numeric_limits<double>::infinity();
  Place best{};
  Area box{};
  for (const double down : {1 - away, below, 0.5 * kTall})  // above, below, and beside it
    for (const double side : left_first ? left_right : right_left) {
      const Svg::Point at = point + Svg::Point(side * (down == 0.5 * kTall ? away + 3 : away), down);
      const Area here = {{side > 0 ? at.x() : at.x() - wide, at.y() - kTall},
                         {side > 0 ? at.x() + wide : at.x(), at.y()}};
      double covered = 0;
      for (const Area& other : taken_) covered += overlap(here, other);
      if (covered >= least) continue;
      least = covered;
      best = {at, side < 0};
      box = here;
    }
  taken_.push_back(box);
  return best;
}

double LabelPlaces::overlap(const Area& a, const Area& b) {
  const Svg::Point shared = a.high.cwiseMin(b.high) - a.low.cwiseMax(b.low);
  return std::max(shared.x(), 0.0) * std::max(shared.y(), 0.0);
}

}  // namespace carom::record
