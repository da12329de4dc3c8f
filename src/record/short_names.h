#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace carom::record {

/// Text of at most that many characters: where it is longer, its beginning and its end with "…" between.
std::string short_name(const std::string& name, std::size_t characters);

/// The same for names that stand together: they are cut where all that differ still differ, as far as there is such a
/// place for them all.
std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t characters);

/// Sentences: only the beginning of a longer one.
std::string beginning_of(const std::string& text, std::size_t characters);

}  // namespace carom::record
