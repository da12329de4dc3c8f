#pragma once

#include <string>

#include "carom/scene/field.h"
#include "carom/scene/recorded_run.h"

namespace carom::scene {

/// `start = {run = "results/pour", t = 2}`: a state of the run whose results are in a folder, relative to the working
/// folder; without t its end. Throws ReadError if there is none.
RecordedRun read_start_of(const Field& table);

/// The end of the run whose results are in a folder. Throws ReadError.
RecordedRun read_end_of(const std::string& folder);

}  // namespace carom::scene
