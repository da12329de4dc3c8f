#pragma once

#include "carom/base/watch.h"
#include "carom/waves/history.h"

namespace carom::waves {

struct ExactOptions {
  long most_fronts = 1'000'000;  // then it ends with what it has
  Watch* watch = nullptr;        // who waits
};

/// Rods by characteristics, without an error but rounding. A front that arrives at an end is answered there at once:
///   free v_L = (2 a + F_L)/Z_L,   free v_R = (F_R - 2 b)/Z_R,   held or a wall: v = 0 and 1/Z = 0,
///   open:       force = 0;
///   gap zero:   force = (v_L - v_R)/(1/Z_L + 1/Z_R) if that presses, else 0, and the ends part;
/// so that between two rods velocity is reflected by (Z_L - Z_R)/(Z_L + Z_R). Waves need time from end to end, so that
/// junctions that change at one instant do not know of each other.
/// Fronts that arrive together are one. Between impedances that differ each front becomes two, and crossing times
/// without a common measure never bring them together again: then their number grows with a power of the duration, and
/// the budget may end the work.                                                        [Glocker 2004, section 3]
WaveHistory follow(const RodsProblem& problem, const ExactOptions& options = {});

}  // namespace carom::waves
