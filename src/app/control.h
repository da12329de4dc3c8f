#pragma once

#include <atomic>
#include <functional>
#include <string_view>

namespace carom::app {

/// How far a run is.
struct Progress {
  std::string_view law;
  double t = 0, duration = 0;  // [s]
  long impacts = 0;
};

/// Between work that takes long and who waits for it. Both are looked at between steps of the run.
struct Control {
  std::function<void(const Progress&)> progress = {};  // empty: nobody listens
  const std::atomic<bool>* cancelled = nullptr;        // once true, the work ends with what there is by then

  bool is_cancelled() const { return cancelled != nullptr && *cancelled; }
};

}  // namespace carom::app
