#pragma once

#include <string>
#include <vector>

#include "carom/impact/outcome.h"
#include "carom/impact/problem.h"
#include "carom/record/json.h"

namespace carom::record {

/// An outcome as "carom-outcome/1". What has no answer is null. Those of the `contacts`, if given, that are
/// frictionless have no tangential impulses.
Json to_json(const ImpactOutcome& outcome, const std::vector<Contact>& contacts = {});

/// The parts of JSON documents.
Json to_json(const Vector& values);
Json to_json(const Matrix& values);

}  // namespace carom::record
