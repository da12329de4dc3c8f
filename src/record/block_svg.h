#pragma once

#include <string>
#include <vector>

#include "carom/analysis/rocking_block.h"

namespace carom::record {

/// The domains of a rocking block as a picture (SVG). For blocks of all slenderness l/L: the ratio r with which it may
/// go on, theta'+ = -r theta'-, where the corners slide and where they stick, and for each friction coefficient the
/// coefficients e21 with which it may rock; for this block: the coefficients (e1, e21) of both corners. Boundaries are
/// closed forms; the block is a vertical line.      [Brogliato, Zhang, Liu 2012, figures 2-5, corrected]
std::string block_svg(const analysis::RockingBlock& block, const std::vector<double>& mu);

}  // namespace carom::record
