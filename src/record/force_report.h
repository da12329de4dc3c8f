#pragma once

#include <string>

#include "carom/analysis/force_course.h"

namespace carom::record {

/// The list of forces; what one force does, for people and as a document.
std::string forces_list();
std::string force_text(const ForceQuestion& question, const ForceCourse& course);
std::string force_json(const ForceQuestion& question, const ForceCourse& course);

}  // namespace carom::record
