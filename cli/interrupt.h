#pragma once

#include <atomic>

namespace carom::cli {

/// From the first call on, Ctrl-C sets this instead of ending the tool; a second one ends it.
const std::atomic<bool>& interrupted();

}  // namespace carom::cli
