#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace carom::cli {

/// Becomes true when the user asks for an end, by Ctrl-C or SIGTERM; asked again, the program ends at once.
const std::atomic<bool>& interrupted();

/// When work that began now has to end: --timeout in seconds, none if it is 0.
std::optional<std::chrono::steady_clock::time_point> deadline_in(double seconds);

}  // namespace carom::cli
