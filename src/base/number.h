#pragma once

#include <charconv>

namespace carom {

/// std::from_chars for a decimal number, the nearest double to what is written: an optional minus sign, digits with an
/// optional point, an optional exponent. Out of range, `value` stays as it is. For standard libraries that read whole
/// numbers only, as the one for WebAssembly does, it is made of strtod.
std::from_chars_result read_number(const char* first, const char* last, double& value);

}  // namespace carom
