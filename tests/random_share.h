#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>

namespace carom::testing {

/// How many of `full` random cases to try: all, or as many fewer as the properties get through RC_PARAMS
/// (max_success=50 instead of 2000 under the sanitizers, which are slow).
inline int share_of(int full) {
  constexpr double kUsual = 2000;
  const char* given = std::getenv("RC_PARAMS");
  const std::string text = given != nullptr ? given : "", key = "max_success=";
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return full;
  const double share = std::atof(text.c_str() + at + key.size()) / kUsual;
  return std::max(1, static_cast<int>(full * std::min(1.0, share)));
}

}  // namespace carom::testing
