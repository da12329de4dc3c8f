#pragma once

#include <optional>

#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"

namespace carom {

/// The restitution of a chain or a column on a line that hits one wall, as a whole: momentum after over momentum
/// before, with the opposite sign,
///   e_eff = -sum m_i v_i+ / sum m_i v_i-;   equal masses and speeds: -sum v_i+ / (N v_imp).
/// A chain on a line: every contact is between two coordinates, (.., -1, .., 1, ..) times a factor, but one, which is
/// of a single coordinate; no friction, no joints, no moving wall. Nothing for other problems, or if nothing moves.
///                                                                                [Liu, Zhao, Brogliato 2008, (117)]
std::optional<double> effective_restitution(const ImpactProblem& problem, const Vector& u_plus);

}  // namespace carom
