#pragma once

#include <optional>
#include <vector>

#include "carom/geometry/contact_point.h"
#include "carom/geometry/shape.h"
#include "carom/geometry/space/solid.h"

namespace carom::geometry::space {

/// None for shapes that are curved otherwise, or unbounded. The solid refers to the shape.
std::optional<Solid> solid(const Shape& shape, const Pose& pose);

/// contact_points of two solids.
void solid_contacts(const Solid& a, const Solid& b, double margin, std::vector<ContactPoint>& points);

}  // namespace carom::geometry::space
