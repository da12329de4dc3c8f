#pragma once

#include "geometry/shape.h"

namespace carom::geometry::plane {

/// The section z = 0 of a polytope. Throws InputError if the plane misses it.
Polygon section(const Polytope& shape);

}  // namespace carom::geometry::plane
