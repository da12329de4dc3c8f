#pragma once

#include <optional>
#include <vector>

#include "geometry/contact_points.h"

namespace carom::geometry::plane {

using Vector2 = Eigen::Vector2d;

/// A planar shape with straight sides or round ends in the world: all points within `radius` of the convex hull of its
/// corners, counter-clockwise. One corner is a disc, two are a capsule.
struct Outline {
  std::vector<Vector2> corners;
  double radius = 0;

  std::size_t sides() const { return corners.size() > 1 ? corners.size() : 0; }  // a segment has two, back to back
  const Vector2& corner(std::size_t i) const { return corners[i % corners.size()]; }
  Vector2 normal(std::size_t side) const;  // outward, from corner(side) to corner(side + 1) it stands on the right
};

/// None for smooth and unbounded shapes.
std::optional<Outline> outline(const Shape& shape, const Pose& pose);

/// contact_points of two outlines, in the plane z = 0.
void outline_contacts(const Outline& a, const Outline& b, double margin, std::vector<ContactPoint>& points);

ContactPoint lifted(double gap, const Vector2& point_a, const Vector2& point_b, const Vector2& normal,
                    const Feature& feature);

}  // namespace carom::geometry::plane
