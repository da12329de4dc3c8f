#pragma once

#include <string>

#include "carom/app/ready_scene.h"

namespace carom::app {

/// Tells whether two scenes move alike: a sum over all that the scene says, with the files that it names, the scheme
/// and the law. What changes no motion is left out: title, about, duration, start, and record; but in located motion,
/// whose steps end at recorded times, the interval counts.
std::string fingerprint(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law);

}  // namespace carom::app
