#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "analysis/admissible_set.h"
#include "impact/outcome.h"
#include "impact/problem.h"

namespace carom::record {

using Json = nlohmann::ordered_json;

/// An outcome as "carom-outcome/1". What has no answer is null. Those of the `contacts`, if given, that are
/// frictionless have no tangential impulses.
Json to_json(const ImpactOutcome& outcome, const std::vector<Contact>& contacts = {});

/// Several laws on one problem, "carom-comparison/1", and why others are missing.
Json to_json(const std::vector<ImpactOutcome>& outcomes, const std::vector<std::string>& left_out = {},
             const std::vector<Contact>& contacts = {});

/// The parts of JSON documents.
Json to_json(const Vector& values);
Json to_json(const Matrix& values);
Json to_json(const Judgement& judgement);
template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace carom::record
