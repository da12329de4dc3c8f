#pragma once

#include <optional>
#include <string_view>

#include "carom/impact/law.h"
#include "carom/impact/problem.h"

namespace carom {

/// A problem whose contacts may have friction that depends on the direction, with cones that are round all the same.
/// Friction that loses as much power as the ellipse of its contact allows,
///   Lambda_T = -Lambda S^2 gamma_T / |S gamma_T|,   S = diag(mu, mu_2),
/// is friction of one coefficient m along the tangents w_k S_k / m: there velocities are S gamma_T / m, impulses
/// m S^-1 Lambda_T, and powers stay. So every law of Coulomb friction takes both. m is the geometric mean of mu, mu_2.
struct RoundCones {
  ImpactProblem problem;  // with scaled tangents
  SolveOptions options;   // with a scaled guess
  Vector scale;           // (rows) S_k / m; 1 elsewhere

  /// Impulses along the tangents of the original problem.
  void restore(Impulses& impulses, Path* path) const;
};

/// Nothing if no contact has an ellipse, or the law has no friction. Throws InputError if one has and the law, though
/// it reads mu, does not `know` two.
std::optional<RoundCones> round_cones(const ImpactProblem& problem, const SolveOptions& options, bool friction,
                                      bool knows, std::string_view law);

}  // namespace carom
