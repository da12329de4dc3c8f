#pragma once

#include "carom/scene/field.h"
#include "carom/simulate/scheme.h"

namespace carom::scene {

/// A scheme from {name = ..., parameters} or from its name alone. What parameters there are, each scheme's fields()
/// says.
Scheme read_scheme(const Field& field);

}  // namespace carom::scene
