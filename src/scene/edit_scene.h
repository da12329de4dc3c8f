#pragma once

#include <string>
#include <string_view>

#include "carom/scene/document.h"

namespace carom::scene {

/// The text of a scene with one value changed, and comments and layout kept. A value that the path leads to is replaced
/// where it stands; a key that is missing is added at the end of its table; body[2], where there are two, is added as a
/// table at the end of the text. law.tolerance where law = "lzb" makes a table of it. null takes the key away. Throws
/// InputError at the path if the value cannot be set there, and ReadError if the text is no TOML.
std::string with_value(std::string_view text, std::string_view path, const Node& value);

/// A value as TOML, on one line.
std::string toml_value(const Node& value);

}  // namespace carom::scene
