#pragma once

#include <string>

#include "carom/laws/all.h"
#include "carom/record/outcome_json.h"

namespace carom::record {

/// A problem and its law as "carom-problem/1", which reads back as the same problem. Contacts of one name are numbered.
Json problem_json(const ImpactProblem& problem, const ImpactLaw& law, const std::string& about);

/// A law with the parameters in which it differs from its defaults.
Json law_json(const ImpactLaw& law);

}  // namespace carom::record
