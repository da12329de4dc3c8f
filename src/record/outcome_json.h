#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/admissible_set.h"
#include "impact/outcome.h"

namespace carom::record {

using Json = nlohmann::ordered_json;

/// An outcome as "carom-outcome/1". What has no answer is null.
Json to_json(const ImpactOutcome& outcome);

/// Several laws on one problem, "carom-comparison/1", and why others are missing.
Json to_json(const std::vector<ImpactOutcome>& outcomes, const std::vector<std::string>& left_out = {});

/// The parts of JSON documents.
Json to_json(const Vector& values);
Json to_json(const Matrix& values);
Json to_json(const Judgement& judgement);

}  // namespace carom::record
