#pragma once

#include <string>

#include "carom/record/pair_report.h"

namespace carom::record {

/// Two bodies as a picture (SVG): their outlines, the nearest points, the gap and the normal; where the gap is small, a
/// second view of it. In space they are seen from the side, along a horizontal direction across the normal, so that the
/// gap has its true length; z points upwards.
std::string pair_svg(const PairReport& report);

}  // namespace carom::record
