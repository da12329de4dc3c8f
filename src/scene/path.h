#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carom::scene {

/// One step of a path: a key (`.e`, or `."a.b"` for a key with dots), an index (`[2]`) or every entry (`[*]`).
struct Step {
  std::string key;                   // for an index its digits, for every entry "*"
  std::optional<std::size_t> index;  // of [2]
  bool every = false;                // [*]
  std::size_t begin = 0;             // where the step starts in the path
};

/// contacts[2].e is the steps contacts, [2], e.
struct Steps {
  std::vector<Step> steps;               // up to where the notation is broken, if it is
  std::optional<std::size_t> broken_at;  // offset in the path
};

Steps parse_path(std::string_view path);

/// The number that digits write without sign and without leading zeros; nothing if it is none or beyond 18 digits.
std::optional<std::size_t> parse_index(std::string_view digits);

}  // namespace carom::scene
