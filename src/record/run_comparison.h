#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/record/run_summary.h"

namespace carom::record {

/// One of several runs of a scene.
struct ComparedRun {
  std::string_view law;
  const RunSummary* summary = nullptr;
  const Json* document = nullptr;  // "carom-run/1"
};

/// Runs of one scene under several laws as "carom-comparison/1", with the seconds that each took, and why others are
/// missing.
Json to_json(const std::string& scene, const std::vector<ComparedRun>& runs, const std::vector<std::string>& left_out);

/// The same for people, one column per law: impacts, energies, the worst certificate, time taken, velocities at the
/// end.
std::string comparison_text(const RunTitle& title, const Model& model, const std::vector<ComparedRun>& runs);

}  // namespace carom::record
