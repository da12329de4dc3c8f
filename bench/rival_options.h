#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom::bench {

/// What a comparison with a rival is asked for on its command line: [--max-n N] [--seconds S] [--filter WORD].
struct Options {
  Index max_n = 1200;
  double seconds = 0.5;  // spent on each measurement, if one run does not take longer
  std::string filter;    // part of the name of a case
};

/// Empty if an option is unknown or its value is missing.
inline std::optional<Options> parse(const std::vector<std::string_view>& arguments) {
  Options options;
  const auto number = [](std::string_view text, auto& value) {
    return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{};
  };
  if (arguments.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string_view key = arguments[i], value = arguments[i + 1];
    if (key == "--filter")
      options.filter = value;
    else if (!(key == "--max-n" && number(value, options.max_n)) &&
             !(key == "--seconds" && number(value, options.seconds)))
      return {};
  }
  return options;
}

}  // namespace carom::bench
