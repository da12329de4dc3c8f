#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/json.h"

namespace carom::record {

/// Bytes in base64, as browsers read them.
std::string base64(std::string_view bytes);

/// Numbers in four bytes each, little-endian, in base64.
std::string packed_floats(const std::vector<float>& values);

/// A table of numbers whose rows have `width` entries, for a page: {"float32": text}, or where that would be more than
/// `most_floats` numbers {"uint16": text, "low": [...], "high": [...]}, each column in 65535 steps from low to high.
Json packed_table(const std::vector<float>& values, std::size_t width, std::size_t most_floats);

/// A number with six digits, for tables that people read.
Json six_digits(double value);

}  // namespace carom::record
