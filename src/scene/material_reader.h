#pragma once

#include "carom/scene/draft.h"

namespace carom::scene {

/// [materials.NAME]
void read_materials(Draft& draft, const Field& root);

/// [contact] and [[pair]]
void read_pairs(Draft& draft, const Field& root);

}  // namespace carom::scene
