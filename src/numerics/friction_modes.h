#pragma once

#include <vector>

#include "carom/base/contact_mode.h"
#include "carom/numerics/mode_problem.h"

namespace carom::numerics {

/// All solutions of one combination of modes: a polyhedron.
struct ModeSet {
  std::vector<ContactMode> modes;  // (cones) in the last phase
  Vector x;                        // (rows) x1 + x2: of least energy, and of these of least norm in unit diagonal
  Vector first;                    // (rows) x1
  double energy = 0;               // of x
  bool one_velocity = true;        // the same w for all of them
  bool one_normal = true, one_tangential = true;  // the same x
  std::vector<Vector> vertices;                   // (rows) x of its corners, if asked for and not too many
  bool bounded = true;                            // false: it goes on beyond its corners
};

/// Found by setting unknowns to zero one complementarity after the other; what is left is asked by the simplex method
/// whether it is empty, so that no more combinations are looked at than have solutions, but for some.
struct FrictionModes {
  bool complete = true;       // false: more than `most_work` numbers would be looked at; there may be others
  std::vector<ModeSet> sets;  // different ones, that of least energy first; none, and complete: no solution
  bool one_velocity = true, one_normal = true, one_tangential = true;
};
/// Contacts with friction in space slip within `sectors` of a circle (even), with linearised cones that contain
/// Coulomb's: where none of these combinations has a solution, there is none; the first ones that have are given as
/// points near which there may be one, with nothing else said of them.
FrictionModes friction_modes(const ModeProblem& problem, double most_work, bool with_vertices = false, int sectors = 8);

/// No contact with friction at rest in space, and at most twelve, or `most`.
bool has_few_modes(const std::vector<FrictionCone>& cones, std::size_t most = 12);

}  // namespace carom::numerics
