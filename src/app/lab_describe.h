#pragma once

#include "carom/record/json.h"

namespace carom::app {

/// What there is to choose from: "version", "laws", "schemes", "forces", "frictions", "formats". Made of their names
/// and fields().
record::Json description_of_all();

}  // namespace carom::app
