#include "carom/record/label_places.h"

#include <gtest/gtest.h>

namespace carom::record {
namespace {

using Point = Svg::Point;

TEST(LabelPlaces, AFreePointHasItsLabelUpperRight) {
  LabelPlaces places;
  const LabelPlaces::Place place = places.beside(Point(100, 100), "1", 9, 9);
  EXPECT_FALSE(place.ends_at_point);
  EXPECT_GT(place.at.x(), 100);
  EXPECT_LT(place.at.y(), 100);
}

TEST(LabelPlaces, AMarkIsNotCovered) {
  LabelPlaces places;
  places.avoid(Point(114, 86), 7);  // where the label would stand
  const LabelPlaces::Place place = places.beside(Point(100, 100), "1", 9, 9);
  EXPECT_TRUE(place.ends_at_point || place.at.y() > 100);
}

TEST(LabelPlaces, LabelsOfOnePlaceStandAroundIt) {
  LabelPlaces places;
  std::vector<LabelPlaces::Place> found;
  for (const char* text : {"1", "2", "3", "4"}) found.push_back(places.beside(Point(100, 100), text, 9, 9));
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_TRUE((found[i].at - found[j].at).norm() > 10 || found[i].ends_at_point != found[j].ends_at_point);
}

}  // namespace
}  // namespace carom::record
