#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/waves/junctions.h"
#include "carom/waves/rods.h"

namespace carom::waves {

/// A rod at one time.
struct RodState {
  double velocity = 0;  // [m/s] mean over its mass
  double kinetic = 0;   // [J] all of it, of the mean motion and of vibration
  double strain = 0;    // [J]
};

/// All rods and contacts at one time.
struct Sample {
  double t = 0;                // [s]
  std::vector<RodState> rods;  // one a rod
  std::vector<double> forces;  // [N] one a contact
};

/// A part of a rod where stress and velocity are the same, in coordinates of the unstressed rod.
struct Piece {
  double begin = 0, end = 0;  // [m] from the left end
  double velocity = 0;        // [m/s]
  double stress = 0;          // [Pa], tension is positive
};

struct RodResult {
  std::string name;
  double velocity = 0;   // [m/s] mean
  double momentum = 0;   // [kg m/s]
  double kinetic = 0;    // [J] of the mean motion
  double vibration = 0;  // [J] all other energy
};

struct Interval {
  double begin = 0, end = 0;  // [s]
};

struct ContactResult {
  std::string left, right;          // names of rods or walls
  std::vector<Interval> intervals;  // where the gap is zero; the force may be
  double peak_force = 0;            // [N]
  double impulse = 0;               // [N s]
};

/// What the rods have come to at `reached`.
struct RodsOutcome {
  bool finished = true;  // false: a budget was spent before the duration was over
  std::string message;
  double reached = 0;  // [s]
  std::vector<RodResult> rods;
  std::vector<ContactResult> contacts;  // from left to right
  std::optional<double> restitution;    // of mean velocities: two rods, or a rod and a wall, that have touched
  double energy_before = 0;             // [J]
  double energy_after = 0;              // [J]
  double work = 0;                      // [J] of the end forces
  double energy_error = 0;              // |after - before - work| over the largest energy of the problem
  long fronts = 0;                      // exact: that were followed
  long steps = 0;                       // finite elements: of time

  std::string_view status() const { return finished ? "solved" : "not-finished"; }
};

RodResult result_of(const Rod& rod, const RodState& state);

/// -(v2+ - v1+)/(v2- - v1-), where two bodies have met and nothing else is there.
std::optional<double> restitution_of(const RodsProblem& problem, const RodsOutcome& outcome);

/// Sets the energies of an outcome whose rods and work are known; `states` are at the end.
void balance(const RodsProblem& problem, const std::vector<RodState>& states, double exchanged, RodsOutcome& outcome);

}  // namespace carom::waves
