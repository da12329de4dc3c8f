#pragma once

#include <string>
#include <vector>

#include "carom/laws/all.h"

namespace carom {

/// Why these laws are one and the same on every problem without friction whose contacts all have this e; empty if
/// nothing known says so.                                                            [Glocker 2001, section 3]
std::string why_same(const std::vector<ImpactLaw>& laws, double e);

}  // namespace carom
