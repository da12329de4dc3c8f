#pragma once

#include <vector>

#include "carom/geometry/pose.h"

namespace carom::geometry::plane {

using Vector2 = Eigen::Vector2d;

/// A planar shape with straight sides or round ends in the world: all points within `radius` of the convex hull of its
/// corners, counter-clockwise. One corner is a disc, two are a capsule.
struct Outline {
  std::vector<Vector2> corners;
  double radius = 0;

  Outline(const std::vector<Vector2>& local, double radius, const Pose& pose);  // with corners of a shape's frame

  std::size_t sides() const { return corners.size() > 1 ? corners.size() : 0; }  // a segment has two, back to back
  const Vector2& corner(std::size_t i) const { return corners[i % corners.size()]; }
  Vector2 normal(std::size_t side) const;  // outward, from corner(side) to corner(side + 1) it stands on the right
};

/// |x| <= a, |y| <= b.
Outline rectangle_outline(double a, double b, const Pose& pose);

}  // namespace carom::geometry::plane
