#pragma once

#include <string>

#include "carom/analysis/impulse_plane.h"

namespace carom::record {

/// Routh's impulse plane as a picture (SVG): the friction cone, the lines of sticking, maximum compression, limiting
/// friction and termination, the rays OA and OB that part the regions of contact modes, and the path of the impact,
/// which all coefficients of restitution share and leave at different points.       [Gilardi, Sharf 2002, fig. 4]
std::string impulse_plane_svg(const analysis::ImpulsePlane& plane);

}  // namespace carom::record
