#pragma once

#include <string>
#include <vector>

#include "carom/record/column.h"
#include "carom/record/first_impacts.h"
#include "carom/record/run_summary.h"

namespace carom::record {

/// One of several runs of a scene.
struct ComparedRun {
  ColumnTitle column;
  const RunSummary* summary = nullptr;
  const Json* document = nullptr;       // "carom-run/1"
  std::vector<RunImpact> impacts = {};  // the first ones
  bool one_by_one = false;              // no impact had more than one contact, or friction
};

/// Runs of one scene under several laws as "carom-comparison/1", with the seconds that each took and its first impacts,
/// and why others are missing.
Json to_json(const std::string& scene, const Model& model, const std::vector<ComparedRun>& runs,
             const std::vector<std::string>& left_out);

/// The same for people, one column per law: the first impacts, then the end: energies, the worst certificate, time
/// taken, positions, velocities.
Table comparison_table(const Model& model, const std::vector<ComparedRun>& runs);

/// The table with a heading, and what each run has to say.
std::string comparison_text(const RunTitle& title, const Model& model, const std::vector<ComparedRun>& runs);

}  // namespace carom::record
