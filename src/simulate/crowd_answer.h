#pragma once

#include <optional>

#include "carom/geometry/dimension.h"
#include "carom/simulate/answer.h"
#include "carom/simulate/scheme.h"

namespace carom::simulate {

/// Contacts that act on each other in more rows of W than this are a crowd: up to it all digits cost little.
constexpr Index kCrowd = 300;

/// What a scheme asks of the velocities in a step with so many contacts. Where it does not say: of few, for which
/// digits cost little, 1e-6; of a crowd 1e-3, with which piles rest as well as with 1e-6.
double accuracy_for(const TimeStepping& scheme, geometry::Dimension dimension, std::size_t contacts);

/// A step of many bodies under Newton's law, or under another that is the same where nothing is thrown back: by sweeps
/// over the contacts (numerics/block_sweeps.h), without the matrix G. Nothing where the problem has few contacts,
/// joints or another law, where all digits are asked for, or where sweeps do not get there; then `options.guess` is how
/// far they came. Bodies have `each` velocities.
///
/// The outcome is judged as every other one is. Only what impulses of other contacts do to a contact is left out of the
/// speeds that its certificate is relative to.
std::optional<Answer> crowd_answer(const ImpactProblem& problem, const ImpactLaw& law, Index each,
                                   SolveOptions& options);

}  // namespace carom::simulate
