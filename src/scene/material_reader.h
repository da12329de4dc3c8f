#pragma once

#include "carom/scene/draft.h"

namespace carom::scene {

/// [materials.NAME]
void read_materials(Draft& draft, const Field& root);

/// [contact] and [[pair]]
void read_pairs(Draft& draft, const Field& root);

/// What a key of a material, and one of [contact] and [[pair]], means; empty if it is none.
std::string_view meaning_of_material_key(std::string_view key);
std::string_view meaning_of_contact_key(std::string_view key);

}  // namespace carom::scene
