#pragma once

#include <string>

#include "carom/analysis/force_course.h"

namespace carom::record {

/// A picture (SVG) of one force: over the indentation with the loop that is lost, over time, and what it returns at
/// other speeds.
std::string force_svg(const ForceQuestion& question, const ForceCourse& course);

}  // namespace carom::record
