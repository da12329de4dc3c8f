#pragma once

#include "carom/scene/draft.h"

namespace carom::scene {

/// [[law.set]]: the law, its parameters and the `contacts` whose law it is. A contact is a list of its two sides; a
/// side is "body", "body.shape", or {body = ..., shape = ..., at = [x, y]}, the place of the body that touches.
void read_law_sets(Draft& draft, const Field& root);

}  // namespace carom::scene
