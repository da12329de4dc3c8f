#pragma once

#include <optional>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/scene/quantities.h"

namespace carom::scene {

/// A shape of a body, in the frame in which its author wrote it.
struct ShapeOfBody {
  geometry::Part part;
  bool assumed_thickness = false;   // it was not given
  std::optional<double> thickness;  // [m] of a plate; none: a solid, also where it moves in a plane
  std::optional<double> density;    // [kg/m^3] its own
  /// What it weighs with density 1, in the author's frame, if that is not what the shape says: shapes that overlap, of
  /// which one weighs for all.
  std::optional<geometry::MassProperties> weight;
};

/// The keys `shape` (one) or `shapes` (a list); none if neither is given. Planes have no volume and stand in walls
/// only.
enum class Planes { allowed, refused };
std::vector<ShapeOfBody> read_shapes(const Given& given, Dimension dimension, Planes planes);

/// The same shapes of other size; plates keep their thickness.
std::vector<ShapeOfBody> scaled(std::vector<ShapeOfBody> shapes, double factor);

/// Volume [m^3], centre and inertia about it for density 1, in the author's frame.
geometry::MassProperties solid_properties(const ShapeOfBody& shape);

}  // namespace carom::scene
