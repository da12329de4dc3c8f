#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "carom/record/run_summary.h"

namespace carom::record {

/// Beside the summary: what another run needs to go on from the end of this one.
inline constexpr std::string_view restart_file = "restart.json";

/// What belongs to the checkpoints of a run (checkpoints_file.h).
struct Restart {
  std::string of = {};                  // what was run: app/fingerprint.h
  double begin = 0, interval = 0;       // [s]
  std::optional<State> beginning = {};  // where it is not the scene's
  /// [bytes] of an earlier part's tables, what comes before those of the checkpoints; empty once they are one.
  std::map<std::string, std::uint64_t> earlier = {};
};

/// The end of a run as "carom-restart/1": the state of every body by its name, with all digits, what the scheme
/// remembers, and what the run had come to.
Json restart_json(const RunTitle& title, const Model& model, const Restart& restart, const RunSummary& summary);

}  // namespace carom::record
