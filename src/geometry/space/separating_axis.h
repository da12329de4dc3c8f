#pragma once

#include "carom/geometry/space/solid.h"

namespace carom::geometry::space {

/// The direction along which two overlapping solids (their corners' hulls) are separated most, that is overlap least:
/// a face's normal, or one across two edges. Exact: the largest of min n . b - max n . a over all unit n.
struct SeparatingAxis {
  double separation = 0;
  Vector3 normal;                // from a to b
  int edge_a = -1, edge_b = -1;  // the two edges, or none
};
SeparatingAxis separating_axis(const Solid& a, const Solid& b);

}  // namespace carom::geometry::space
