#pragma once

#include "impact/law.h"

namespace carom {

/// Solves  0 <= gamma+ + rebound _|_ Lambda >= 0  in the normals: what Newton's and Moreau's laws share.
Impulses impulses_of_rebound(const ContactProblem& problem, const NormalProblem& normal, Vector rebound,
                             std::string_view law);

}  // namespace carom
