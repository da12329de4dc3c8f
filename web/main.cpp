// What the page's worker calls: one question, one answer, as JSON text in UTF-8.

#include <emscripten.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include "carom/app/laboratory.h"

// clang-format off
EM_JS(void, tell_progress, (const char* law, double t, double duration, double impacts), {
  if (Module["progress"]) Module["progress"]({t: t, duration: duration, impacts: impacts, law: UTF8ToString(law)});
});
// clang-format on

namespace {

constexpr std::chrono::milliseconds kBetweenTellings{50};

/// Tells the page now and then.
carom::app::Control telling_control() {
  carom::app::Control control;
  control.progress = [last = std::chrono::steady_clock::time_point()](const carom::app::Progress& progress) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < kBetweenTellings) return;
    last = now;
    tell_progress(std::string(progress.law).c_str(), progress.t, progress.duration,
                  static_cast<double>(progress.impacts));
  };
  return control;
}

}  // namespace

extern "C" {

/// The caller releases the answer with carom_release.
EMSCRIPTEN_KEEPALIVE char* carom_answer(const char* verb, const char* body) {
  const std::string answer = carom::app::answer(verb, body, telling_control());
  char* const text = static_cast<char*>(std::malloc(answer.size() + 1));
  std::memcpy(text, answer.c_str(), answer.size() + 1);
  return text;
}

EMSCRIPTEN_KEEPALIVE void carom_release(char* answer) {
  std::free(answer);
}

}
