#pragma once

#include "carom/app/scene_run.h"
#include "carom/record/json.h"

namespace carom::app {

/// What a form may offer to change in a scene: every number, word, truth and short list of numbers that its text states
/// ("path", "value", "line", "column"), and the scheme and the parameters of its law and scheme that it leaves out,
/// with the values that they have ("path", "value"). What is known of a key is its "meaning" and "unit"; of those of
/// law and scheme also "type" and "words". At most some thousand.
record::Json keys_of(const scene::Scene& scene);

/// For every body the path of its table, body[0] or wall[1]; null where a table has made several.
record::Json body_paths(const scene::Scene& scene);

/// For every body that has such a path its `position` as numbers, zeros if it states none; null for the others.
record::Json body_positions(const scene::Scene& scene);

}  // namespace carom::app
