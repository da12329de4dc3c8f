#pragma once

#include <string>
#include <vector>

#include "carom/record/svg.h"

namespace carom::record {

/// Finds places for the labels of points, so that they cover neither each other nor what else is drawn [pixels].
class LabelPlaces {
 public:
  struct Place {
    Svg::Point at;       // of the text's line, at its beginning or its end
    bool ends_at_point;  // the text is left of it
  };

  /// Something that is drawn there.
  void avoid(const Svg::Point& centre, double radius);
  /// The place around a point, `away` from it, where a text with letters so wide covers least; upper right if it can
  /// be.
  Place beside(const Svg::Point& point, const std::string& text, double letter, double away, bool left_first = false);

 private:
  struct Area {
    Svg::Point low, high;
  };
  static double overlap(const Area& a, const Area& b);

  std::vector<Area> taken_;
};

}  // namespace carom::record
