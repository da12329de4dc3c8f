#pragma once

#include <string_view>

#include "geometry/shapes/polytope.h"

namespace carom::geometry {

/// The convex solid of an OBJ text: `v x y z` are points, `f i j k ...` faces (i, i/t, i/t/n or i//n; negative numbers
/// count from the last point); everything else is ignored. Throws InputError, with the number of the line, on what
/// cannot be read, and where the faces do not make a convex surface: what stands back from the convex hull by more than
/// a thousandth of the extent. Without faces it is the hull of the points.
Polytope read_obj(std::string_view text);

}  // namespace carom::geometry
