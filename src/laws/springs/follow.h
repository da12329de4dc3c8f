#pragma once

#include "carom/laws/springs/system.h"

namespace carom::springs {

/// Follows an impact of springs at a frozen configuration from the first touch to the last release, or to a limit.
/// A contact that closes and that joints hold fast is a contradiction: no solution, and `held` names it.
Result follow(const Task& task);

}  // namespace carom::springs
