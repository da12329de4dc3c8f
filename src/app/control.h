#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

namespace carom::app {

/// How far a run is.
struct Progress {
  std::string_view law;
  double t = 0, duration = 0;  // [s]
  long impacts = 0;
  std::size_t run = 1, runs = 1;  // which of several it is
};

/// Between work that takes long and who waits for it. Both are looked at between steps of the run.
struct Control {
  std::function<void(const Progress&)> progress = {};  // empty: nobody listens
  const std::atomic<bool>* cancelled = nullptr;        // once true, the work ends with what there is by then
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  // the same, once it has passed
  int threads = 0;  // that one run may use; 0: all there are. Results do not depend on it

  bool is_cancelled() const {
    return (cancelled != nullptr && *cancelled) || (deadline && std::chrono::steady_clock::now() >= *deadline);
  }
};

}  // namespace carom::app
