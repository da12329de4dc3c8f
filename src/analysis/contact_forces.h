#pragma once

#include <string>
#include <vector>

#include "carom/base/contact_mode.h"
#include "carom/impact/force_problem.h"
#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"

namespace carom::analysis {

/// Forces at the contacts and the acceleration they lead to.
struct ForceSolution {
  Vector lambda;                   // (rows) [N] normal, tangents | normal, tangents | ...
  Vector acceleration;             // (n) u'
  Vector contact_acceleration;     // (rows) [m/s^2] W'u' + bias, in the directions of the contacts
  std::vector<ContactMode> modes;  // (m)
  bool unique_forces = true;       // false: redundant contacts can share these forces in other ways
};

/// What lasting contact allows. More than one solution, or none, is Painleve's paradox.
struct ContactForces {
  Status status = Status::no_solution;
  std::string message;                   // empty if there is nothing to say
  std::vector<ForceSolution> solutions;  // those of least contact forces (in kinetic norm) first
  bool enumerated = true;  // all solutions there are; false: those that an iteration found from several starts
  bool isolated = true;    // false: some of them belongs to a family with other accelerations

  bool solved() const { return status == Status::solved; }
  bool unique() const { return solutions.size() == 1 && isolated; }
};

/// The contact forces under generalized forces h, with Coulomb friction:
///   M u' = h + W lambda + J lambda_J,   J'u' = 0,   a = W'u' + bias,
/// over the contacts with gamma_N = 0, which may open, and stay closed otherwise:
///   0 <= a_N _|_ lambda_N >= 0;   lambda_T = -mu lambda_N gamma_T/|gamma_T| where the contact slips (gamma_T != 0),
///   else |lambda_T| <= mu lambda_N with a_T = 0 or lambda_T = -mu lambda_N a_T/|a_T|.
/// u_minus and drift of the problem give gamma; contacts that open (gamma_N > 0) take no part. `bias` (rows, empty = 0)
/// is the acceleration of the contacts where u' = 0: centripetal terms, accelerated walls. `p`, e and the like are not
/// read. All solutions are found by trying every combination of modes, up to kMostCombinations of them; beyond, and for
/// spatial contacts at rest, solutions are searched from several starts.
/// Throws InputError, also for a contact that closes: then there is an impact first.      [Gilardi, Sharf 2002,
/// (32)-(34)]
ContactForces contact_forces(const ImpactProblem& problem, const Vector& h, const Vector& bias = {});

}  // namespace carom::analysis
