#pragma once

#include <limits>

namespace carom::geometry {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace carom::geometry
