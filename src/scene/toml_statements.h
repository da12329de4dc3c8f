#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace carom::scene {

/// A statement of a TOML text: a key with its value, or a header. Offsets in bytes, without blanks and comment.
struct TomlStatement {
  std::size_t begin = 0, end = 0;
  bool is_header = false;  // [table] or [[table]]
};

/// The statements of a text that is TOML, in its order.
std::vector<TomlStatement> toml_statements(std::string_view text);

}  // namespace carom::scene
