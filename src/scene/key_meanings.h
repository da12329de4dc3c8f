#pragma once

#include <string_view>

namespace carom::scene {

/// What a key of a scene means, with its unit in brackets; for forms. `path` leads to it from the root, such as
/// body[0].shape.radius; `type` is the shape's or joint's, where the table has one. Empty: nothing is said of it.
/// Parameters of laws and schemes describe themselves in fields().
std::string_view meaning_of_key(std::string_view path, std::string_view type = {});

}  // namespace carom::scene
