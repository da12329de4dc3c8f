#pragma once

#include <vector>

#include "carom/waves/junctions.h"
#include "carom/waves/outcome.h"
#include "carom/waves/rods.h"

namespace carom::waves {

/// A wave as its source sends it out: `value` [N] from t [s] on, until the next step.
struct Step {
  double t = 0, value = 0;
};
using Signal = std::vector<Step>;

/// d'Alembert's solution in one rod. With the pressure p = -A sigma,
///   p = a + b,   Z v = a - b,   a(x, t) = rightward(t - x/c),   b(x, t) = leftward(t - (l - x)/c),
/// x from the left end. Steps of these signals are the fronts; they cross the rod and do not change on their way.
struct RodWaves {
  Signal rightward;  // sent out by the left end
  Signal leftward;   // sent out by the right end
};

/// A junction from t on, until the next step.
struct JunctionStep {
  double t = 0;
  double force = 0;                // [N] pressure between the two
  double v_left = 0, v_right = 0;  // [m/s] of the ends that meet here; of what does not move 0
  double u_left = 0, u_right = 0;  // [m] their displacements at t
  bool closed = false;             // the gap is zero
};

/// All that has happened: every front, and every change at the ends. Piecewise constant, so this is the solution.
struct WaveHistory {
  RodsProblem problem;
  std::vector<Junction> junctions;
  std::vector<RodEnds> ends;                   // one a rod
  std::vector<RodWaves> waves;                 // one a rod
  std::vector<std::vector<JunctionStep>> met;  // one a junction
  double reached = 0;                          // [s] the solution is known up to here
  bool finished = false;                       // that is the duration
  bool too_late = false;                       // if not: a rod is crossed within the rounding of the time
  bool cancelled = false;                      // or it was told to stop
  long fronts = 0;
};

/// The fields of a rod at a time from 0 to `reached`: pieces from left to right. At the instant of an event, what is
/// after it.
std::vector<Piece> fields_at(const WaveHistory& history, int rod, double t);

/// The displacement of an end at a time [m].
double displacement(const WaveHistory& history, int rod, End end, double t);

/// Where the point of a rod that is x from its left end, unstressed, has come to at a time [m].
double position_of(const WaveHistory& history, int rod, double x, double t);

/// What holds at a junction at a time: the ends' own velocities, where fields_at has what is beside them.
const JunctionStep& junction_at(const WaveHistory& history, int junction, double t);

/// The force between the two sides of a junction at a time [N].
double force_at(const WaveHistory& history, int junction, double t);

RodState state_at(const WaveHistory& history, int rod, double t);

/// States at `count` + 1 times, evenly from 0 to `reached`.
std::vector<Sample> samples_of(const WaveHistory& history, int count);

/// A part of the x-t diagram of a rod where stress and velocity are the same: a convex polygon of (x [m], t [s]), x
/// from the left end of the unstressed rod.
struct Cell {
  struct Corner {
    double x = 0, t = 0;
  };
  std::vector<Corner> corners;
  double velocity = 0;  // [m/s]
  double stress = 0;    // [Pa]
};

/// The cells of a rod, without those that are narrower than rounding, up to `most` of them: none if there are more.
std::vector<Cell> cells_of(const WaveHistory& history, int rod, std::size_t most);

RodsOutcome outcome_of(const WaveHistory& history);

}  // namespace carom::waves
