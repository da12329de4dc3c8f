#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom::geometry {

/// Pairs (i, j), i < j, in ascending order, of boxes that overlap, also infinite ones. Cost: about n log n and the
/// number of pairs.
std::vector<std::pair<std::uint32_t, std::uint32_t>> overlapping_pairs(const std::vector<Bounds>& boxes);

/// The same where space repeats itself after `periods` [m] along x, y, z (0: it does not): of boxes that overlap, or
/// some of their images do.
std::vector<std::pair<std::uint32_t, std::uint32_t>> overlapping_images(const std::vector<Bounds>& boxes,
                                                                        const Vector3& periods);

}  // namespace carom::geometry
