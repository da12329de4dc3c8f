#pragma once

#include <vector>

#include "carom/numerics/friction_cone.h"

namespace carom {

/// Closed contacts on the level of accelerations, a = G lambda + b, one cone per contact (its `slide` is the direction
/// of slip; none: at rest):
///   0 <= a_N _|_ lambda_N >= 0,    |lambda_T| <= mu lambda_N,
///   sliding: lambda_T = -mu lambda_N slide;   at rest: a_T = 0 or lambda_T = -mu lambda_N a_T / |a_T|.
struct ForceProblem {
  SparseMatrix G;  // (rows x rows)
  Vector b;        // (rows) accelerations without contact forces
  Vector terms;    // (rows) size of the terms that b is summed from
  std::vector<numerics::FrictionCone> cones;
};

/// Forces that solve it.
struct LastingForces {
  Vector lambda;         // (rows)
  bool unique = true;    // no other forces give the same accelerations
  bool isolated = true;  // no other accelerations arbitrarily near solve it as well
};

/// All solutions, by trying every combination of modes. Each combination is a system K v = c, v >= 0 in the rays of its
/// cones. Of forces that give the same accelerations those of least norm (in unknowns of unit diagonal) are returned.
/// Needs `enumerable`.
std::vector<LastingForces> solve_by_modes(const ForceProblem& problem);

/// One solution, by iteration from `guess` (empty: from nothing), and where that fails by modes if they are few.
struct FoundForces {
  enum class Kind {
    found,
    none,    // proved: Painleve's paradox, or contacts that contradict each other
    unknown  // no iteration converged, and there are too many modes to look through
  };
  Kind kind = Kind::unknown;
  Vector lambda, acceleration;  // (rows) acceleration = G lambda + b; the best found where it is unknown
  double residual = 0;          // [-] relative
};
FoundForces find_forces(const ForceProblem& problem, const Vector& guess = {});

/// No more than kMostCombinations, and no contact at rest in space.
bool enumerable(const ForceProblem& problem);
constexpr double kMostCombinations = 65536;  // eight planar contacts at rest, sixteen that slide

}  // namespace carom
