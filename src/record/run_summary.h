#pragma once

#include <string>
#include <vector>

#include "record/outcome_json.h"
#include "simulate/run.h"

namespace carom::record {

/// What was run, for the summary.
struct RunTitle {
  std::string scene, title, about;
  Scheme scheme;
  std::string_view law;
  double duration = 0, interval = 0;  // [s]
};

/// A run as "carom-run/1".
Json to_json(const RunTitle& title, const Model& model, const RunSummary& summary,
             const std::vector<std::string>& files);

/// A run for people: what was simulated, how many impacts, where the energy went, the worst certificate.
std::string run_text(const RunTitle& title, const Model& model, const RunSummary& summary);

}  // namespace carom::record
