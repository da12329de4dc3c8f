#pragma once

#include <string>
#include <string_view>

namespace carom::scene {

inline constexpr std::size_t most_input_bytes = std::size_t{1} << 30;  // 1 GiB

/// The name of an input in messages: the path, or "<stdin>" for "-".
std::string input_name(const std::string& path);

inline constexpr char any_byte = '\0';

/// The whole of a file, or of standard input for "-". Looks at the bytes as they come: a NUL byte, or a first non-blank
/// byte that is not `first` (if it is not any_byte), ends the reading at once; so do more than most_input_bytes. Throws
/// ReadError for these, for an empty input and for what cannot be opened or read.
std::string read_input(const std::string& path, char first);

}  // namespace carom::scene
