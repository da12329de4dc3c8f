#pragma once

#include <string>
#include <vector>

#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"

namespace carom::record {

/// One outcome for people: contacts, velocities, energies, and the certificate in words.
std::string outcome_text(const ImpactProblem& problem, const ImpactOutcome& outcome);

/// The certificate in words, one line each: consistent, or which law of mechanics is violated, where and by how much.
std::vector<std::string> certificate_words(const ImpactProblem& problem, const ImpactOutcome& outcome);

/// The same in one or two words for a table: "consistent", "penetrates", "pulls, creates energy".
std::string verdict(const ImpactOutcome& outcome);

}  // namespace carom::record
