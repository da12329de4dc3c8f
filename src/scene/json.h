#pragma once

#include <string>
#include <string_view>

#include "carom/scene/document.h"

namespace carom::scene {

inline constexpr int deepest_nesting = 64;              // of lists and objects
inline constexpr std::size_t most_values = 50'000'000;  // of a document

/// Strict JSON (RFC 8259), UTF-8, with these rules where the standard leaves a choice: a key may not come twice in an
/// object, a number too large for a double is an error (one too small is 0), nesting and size are limited as above.
/// Throws ReadError.
Document parse_json(std::string_view text, std::string file);

/// From a file, or from standard input for "-"; its first byte must open an object.
Document read_json(const std::string& path);

/// One value, whose text starts at `start` of the document. All on one line: it may not contain line breaks.
Node parse_json_value(std::string_view text, const Document& document, Position start);

/// The value of an option that starts at a position: JSON, or, where it is none, a string.
Node option_value(std::string_view text, const Document& document, Position start);

}  // namespace carom::scene
