#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "carom/scene/quantities.h"
#include "carom/scene/shape_of_body.h"

namespace carom::scene {

/// A shape that scenes write as one and that is made of convex ones: a clump of balls, a thin rod.
struct CompoundType {
  std::string_view name, example;
  std::span<const std::string_view> keys;  // of its own
  std::vector<ShapeOfBody> (*read)(const Field& table, Dimension dimension) = nullptr;
};
std::span<const CompoundType> compound_types();

/// The one that a field names; nullptr if it names none. They are for the plane and for space.
const CompoundType* compound_named(const Field& name, Dimension dimension);

/// Mass properties of a shape that has this pose in the body, in the frame of the body.
geometry::MassProperties seen_from_body(const geometry::MassProperties& own, const Pose& pose);

}  // namespace carom::scene
