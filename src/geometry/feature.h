#pragma once

#include <cstdint>

namespace carom::geometry {

/// What meets at a contact point. Names read a first: a corner of a on a face of b (an edge, in the plane).
enum class Meeting { smooth, corner_face, face_corner, corner_corner, corner_edge, edge_corner, edge_edge };

/// A number for the parts i of a and j of b that meet; the same parts give the same number.
inline int feature(Meeting meeting, std::int64_t i, std::int64_t j) {
  std::uint64_t hash = 1469598103934665603ULL;
  for (const std::int64_t value : {static_cast<std::int64_t>(meeting), i, j}) {
    hash ^= static_cast<std::uint64_t>(value);
    hash *= 1099511628211ULL;
    hash ^= hash >> 29;
  }
  return static_cast<int>(hash & 0x7fffffffU);
}

}  // namespace carom::geometry
