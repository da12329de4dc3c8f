#pragma once

#include <string>

#include "carom/waves/history.h"

namespace carom::record {

/// The x-t diagram: each rod a band whose colour is its stress, fronts as lines, contacts marked while they are closed.
std::string rods_svg(const waves::WaveHistory& history);

}  // namespace carom::record
