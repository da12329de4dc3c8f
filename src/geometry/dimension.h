#pragma once

namespace carom::geometry {

/// Where bodies live: on the x axis, in the x-y plane, in space.
enum class Dimension { line = 1, plane = 2, space = 3 };

}  // namespace carom::geometry
