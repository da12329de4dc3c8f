#pragma once

#include <string>

#include "carom/record/rods_report.h"
#include "carom/waves/history.h"

namespace carom::record {

/// The x-t diagram: each rod a band whose colour is its stress, fronts as lines, contacts marked while they are closed.
std::string rods_svg(const waves::WaveHistory& history);

/// The restitution of a beam as a rigid body over the place where it is hit.
std::string beam_svg(const BeamReport& report);

}  // namespace carom::record
