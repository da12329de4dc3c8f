#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carom/analysis/admissible_set.h"
#include "carom/analysis/contact_forces.h"
#include "carom/analysis/impulse_plane.h"
#include "carom/analysis/matrix_verdict.h"
#include "carom/impact/path.h"
#include "carom/scene/error.h"
#include "carom/scene/problem_reader.h"

namespace carom::app {

/// Does something with the problem of a file; what it refuses gets its place in the file.
template <class Act>
auto with_places(const scene::ProblemFile& file, Act&& act) {
  try {
    return act();
  } catch (const InputError& error) {
    throw scene::located(error, file.document);
  }
}

struct ImpactOptions {
  bool path = false;  // the states inside the impact, for laws that follow it
  bool all = false;   // all solutions that friction allows
  Watch* watch = nullptr;
};

/// One impact under the law of its file.
struct SolvedImpact {
  ImpactOutcome outcome;
  std::optional<Path> path;  // if asked for
};

/// Throws ReadError if the file names no law, if the law does not apply, and if it has no path, or too long a one.
SolvedImpact solve_impact(const scene::ProblemFile& file, const ImpactOptions& options = {});

/// How many states of a path are worth keeping: further ones would make it too long to be written.
std::size_t longest_path(const ImpactProblem& problem);

/// Forces and accelerations of contacts that last. Throws ReadError, also if the file has no "h".
analysis::ContactForces forces_of(const scene::ProblemFile& file);

/// The impulse plane of a contact with friction. Throws ReadError unless there is one.
analysis::ImpulsePlane plane_of(const scene::ProblemFile& file);

/// The restitution matrix of the file's law; empty if it has none.
Matrix restitution_matrix_of(const scene::ProblemFile& file);

/// The coefficients of the file's law, if it has some that say gamma+ at once: of newton and generalized-kinematic.
std::optional<analysis::Restitution> restitution_of(const scene::ProblemFile& file, const ContactProblem& problem);

/// A velocity after the impact and where it is from.
struct NamedVelocity {
  std::string name;
  Vector u_plus;  // (n)
};

/// The candidates of the file, and what each law makes of the problem where it applies.
std::vector<NamedVelocity> known_velocities(const scene::ProblemFile& file);

}  // namespace carom::app
