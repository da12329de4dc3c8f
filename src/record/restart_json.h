#pragma once

#include <string_view>

#include "carom/record/run_summary.h"

namespace carom::record {

/// Beside the summary: what another run needs to go on from the end of this one.
inline constexpr std::string_view restart_file = "restart.json";

/// The end of a run that began at `begin` [s] as "carom-restart/1": the state of every body by its name, with all
/// digits, what the scheme remembers, and what the run had come to.
Json restart_json(const RunTitle& title, const Model& model, double begin, const RunSummary& summary);

}  // namespace carom::record
