#pragma once

#include <cmath>

#include "carom/model/description.h"

namespace carom {

/// Space that repeats itself: with the periods L (0: none along this axis), a body that leaves the box 0 <= x < L on
/// one side comes back on the other, and touches what is near it across the border. Bodies are smaller than half of L,
/// so that of all images of two bodies at most one pair touches: that whose centres are nearest. Motion is followed
/// without going back: q counts the boxes that a body has passed through. What is told of a run is inside the box.

/// From a place to the nearest image of another, `d` from it.
inline Vector3 nearest_image(const Vector3& periods, Vector3 d) {
  for (Eigen::Index k = 0; k < 3; ++k)
    if (periods[k] > 0) d[k] -= periods[k] * std::round(d[k] / periods[k]);
  return d;
}

/// The image of a place in the box.
Vector3 inside_box(const Vector3& periods, Vector3 x);

/// Throws InputError at periodic[k] or at a body: a period that is no length, a body of half of it or larger, a flat
/// wall across it.
void require_periodic(const Description& description);

}  // namespace carom
