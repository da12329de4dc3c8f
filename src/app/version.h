#pragma once

#include <string>

namespace carom::app {

/// The version and how it was built: "0.1.0 (commit 0123456789ab, GNU 12.2.0, Release, with HDF5, with robots, with
/// reports)".
std::string version();

}  // namespace carom::app
