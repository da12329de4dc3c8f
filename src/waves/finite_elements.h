#pragma once

#include <vector>

#include "carom/base/watch.h"
#include "carom/waves/outcome.h"
#include "carom/waves/rods.h"

namespace carom::waves {

struct ElementsOptions {
  int elements = 200;      // of the rod that waves cross slowest; others have elements that are crossed as fast
  int samples = 0;         // states to record beside the first, evenly over the duration
  double most_work = 3e8;  // elements times steps; then it ends with what it has
  Watch* watch = nullptr;  // who waits
};

struct ElementsRun {
  RodsOutcome outcome;
  std::vector<Sample> samples;
  std::vector<std::vector<Piece>> fields;  // one a rod, at the time reached
};

/// Rods in space by linear finite elements, in time by the implicit midpoint rule, at contacts impenetrability after
/// every step by multipliers f:
///   M (v+ - v)/h = -K (u + u+)/2 + F + W f,   u+ = u + h (v + v+)/2,   0 <= gap(u+, f) _|_ f >= 0.
/// The mass is consistent, but that of the half element at each end belongs to its inner node: an end without mass has
/// no velocity to jump, so contacts do not chatter. Energy never grows, whatever the step, and is lost only where a
/// contact's compression changes, less with every refinement. The step is 1/sqrt(2) of the time in which an element is
/// crossed, where the errors of mass and midpoint rule cancel in the wave speed. With n elements a front is n^-4/5 of
/// the rod wide and followed by ripples, by which forces overshoot; impulses and mean velocities converge with about
/// that order. Times of contacts are known to a step.
///                     [Gilardi, Sharf 2002, 3.3.3; the massless ends: Khenous, Laborde, Renard 2008]
ElementsRun follow_elements(const RodsProblem& problem, const ElementsOptions& options = {});

}  // namespace carom::waves
