#pragma once

#include <string>
#include <string_view>

#include "carom/scene/document.h"

namespace carom::scene {

inline constexpr std::size_t most_toml_bytes = std::size_t{1} << 26;  // 64 MiB
inline constexpr std::size_t most_dots_in_a_key = 64;

/// TOML 1.0 as a document. Numbers become doubles and must be finite; dates and times are refused. Throws ReadError.
Document parse_toml(std::string_view text, std::string file);

/// From a file, or from standard input for "-".
Document read_toml(const std::string& path);

}  // namespace carom::scene
