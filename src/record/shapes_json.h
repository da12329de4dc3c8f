#pragma once

#include "carom/model/model.h"
#include "carom/record/json.h"

namespace carom::record {

/// The shapes of a body: kind, name, fields as in scenes, and their places in the body's frame.
Json shapes_json(const Body& body, Dimension dimension);

}  // namespace carom::record
