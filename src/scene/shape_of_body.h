#pragma once

#include <optional>

#include "carom/geometry/shape.h"

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

}  // namespace carom::scene
