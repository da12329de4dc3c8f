#pragma once

#include "carom/scene/draft.h"

namespace carom::scene {

/// [stop]: what ends the run before its duration: `impacts`, a number of them; `at_rest` [m/s]; and under any other key
/// a condition such as overturned = "block.tilt > 1.2", after which the end is called.
void read_stop(Draft& draft, const Field& root);

}  // namespace carom::scene
