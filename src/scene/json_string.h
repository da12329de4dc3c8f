#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "carom/scene/document.h"

namespace carom::scene {

/// Where a reader of JSON stands.
struct JsonCursor {
  std::string_view text;
  std::size_t offset = 0;
  std::uint32_t line = 1;
  std::ptrdiff_t line_start = 0;  // offset of the line's first byte, plus the bytes beyond one of its characters so far

  bool at_end() const { return offset >= text.size(); }
  char peek() const { return at_end() ? '\0' : text[offset]; }
  std::string_view word() const;  // what is here up to a blank or punctuation: for numbers, literals and messages

  void new_line() {  // the character here is a line break
    ++line;
    line_start = static_cast<std::ptrdiff_t>(offset) + 1;
  }
  Position position() const {
    return {line, static_cast<std::uint32_t>(static_cast<std::ptrdiff_t>(offset) - line_start + 1)};
  }
};

struct JsonString {
  std::string text;
  std::string error;  // empty, or what is wrong at the cursor
};

/// The string whose opening quote is at the cursor, which moves behind the closing one, or to the place of an error.
JsonString read_json_string(JsonCursor& cursor);

}  // namespace carom::scene
