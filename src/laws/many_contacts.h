#pragma once

#include "impact/law.h"

namespace carom {

/// To which accuracy the contacts' velocities are to be solved for: up to a thousand contacts always to all digits (0).
inline double accuracy_for(const ContactProblem& problem) {
  constexpr Index kMany = 1000;
  return problem.size() > kMany ? problem.impact->accuracy : 0;
}

}  // namespace carom
