#pragma once

#include <string>
#include <vector>

#include "carom/waves/rods.h"

namespace carom::waves {

constexpr int kNone = -1;

/// A place of the line where rods end: two neighbours, a rod and a wall, or an end that meets nothing.
struct Junction {
  int left = kNone, right = kNone;  // the rods that end here: the left one with its right end, and the other way round
  std::string left_name, right_name;
  bool contact = false;  // these two may touch, and one of them can move
  double gap = 0;        // [m] at t = 0
};

/// From left to right; those with a contact are the contacts of the problem.
std::vector<Junction> junctions_of(const RodsProblem& problem);

/// The number of the junction at each end of a rod, in the list above.
struct RodEnds {
  int left = 0, right = 0;
};
std::vector<RodEnds> ends_of(const RodsProblem& problem, const std::vector<Junction>& junctions);

}  // namespace carom::waves
