#pragma once

#include <optional>
#include <vector>

#include "carom/record/json.h"
#include "carom/record/run_summary.h"

namespace carom::record {

/// The bodies that are not always at the same place: free ones, and those that are moved.
std::vector<int> moving_bodies(const Model& model);

/// The radius of a shape that looks the same from all sides, in the plane from all sides of the plane; nothing if it
/// does not.
std::optional<double> ball_radius(const geometry::Shape& shape, Dimension dimension);

/// What there is to see in a scene: "shapes" (each different one once, as a ball or as a surface), "bodies" (names,
/// parts, places at the start), "links" (joints and springs with their anchors), "centre" and "size" of all of it
/// [m]. Half-spaces become patches that reach beyond the scene.
Json scene_to_see(const Model& model, const State& start);

}  // namespace carom::record
