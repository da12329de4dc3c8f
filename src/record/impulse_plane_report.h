#pragma once

#include <string>

#include "carom/analysis/impulse_plane.h"

namespace carom::record {

std::string impulse_plane_json(const analysis::ImpulsePlane& plane);  // "carom-plane/1"
std::string impulse_plane_text(const analysis::ImpulsePlane& plane);  // for people

}  // namespace carom::record
