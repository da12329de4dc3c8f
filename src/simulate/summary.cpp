#include "carom/simulate/summary.h"

namespace carom::simulate {

std::string_view to_string(RunStatus status) {
  constexpr std::array<std::string_view, 4> words = {"solved", "approximate", "stopped", "not-finished"};
  return words[static_cast<int>(status)];
}

}  // namespace carom::simulate
