#pragma once

#include <optional>
#include <vector>

#include "carom/geometry/contact_point.h"
#include "carom/geometry/plane/outline.h"
#include "carom/geometry/shape.h"

namespace carom::geometry::plane {

/// None for smooth and unbounded shapes.
std::optional<Outline> outline(const Shape& shape, const Pose& pose);

/// contact_points of two outlines, in the plane z = 0.
void outline_contacts(const Outline& a, const Outline& b, double margin, std::vector<ContactPoint>& points);

}  // namespace carom::geometry::plane
