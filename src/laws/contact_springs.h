#pragma once

#include <string_view>

#include "carom/impact/law.h"
#include "carom/laws/springs/forces.h"
#include "carom/laws/springs/system.h"

namespace carom {

/// Integrates the contacts as springs at a frozen configuration, from the first touch to the last release:
///   gamma' = G lambda,   s_j' = -phi_j gamma_j,   Lambda' = lambda
/// with the indentation s_j, the force lambda_j of `force`, and phi_j = 1 but in expansions, where it is that force's
/// `unloading_rate`. An open contact has s_j = 0 and closes as soon as gamma_j < 0, unless it keeps a gap. `tolerance`
/// is the relative error of the velocities afterwards. Where infinitely many ever weaker impacts follow each other,
/// what they would take is taken at once when it is below the tolerance.
///
/// Contacts at rest cost nothing: only those that a wave has reached and not yet left are integrated. Where many events
/// follow each other, small errors may grow; then the impact is integrated again, with more care, until the velocities
/// agree, and if they do not, `accuracy` and the message say how well they are known. `ends` says what ends an
/// expansion (springs/system.h), `energy` [J] how much is at stake where that is more than what closes.
Impulses spring_impulses(const ContactProblem& problem, springs::Force (*force)(const Contact&), double tolerance,
                         std::string_view law, Path* path, springs::Ends ends = springs::Ends::energy,
                         double energy = 0);

}  // namespace carom
