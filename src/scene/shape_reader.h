#pragma once

#include <vector>

#include "carom/scene/quantities.h"
#include "carom/scene/shape_of_body.h"

namespace carom::scene {

/// The keys `shape` (one) or `shapes` (a list); none if neither is given. Planes have no volume and stand in walls
/// only.
enum class Planes { allowed, refused };
std::vector<ShapeOfBody> read_shapes(const Given& given, Dimension dimension, Planes planes);

/// The same shapes of other size; plates keep their thickness.
std::vector<ShapeOfBody> scaled(std::vector<ShapeOfBody> shapes, double factor);

/// Volume [m^3], centre and inertia about it for density 1, in the author's frame.
geometry::MassProperties solid_properties(const ShapeOfBody& shape);

/// What a key that only this type of shape has means; empty if it is none.
std::string_view meaning_of_shape_key(std::string_view type, std::string_view key);

}  // namespace carom::scene
