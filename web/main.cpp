// What the page's worker calls: one question, one answer, as JSON text in UTF-8.

#include <emscripten.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "carom/app/laboratory.h"

// clang-format off
EM_JS(void, tell_progress, (const char* law, double t, double duration, double impacts), {
  if (Module["progress"]) Module["progress"]({t: t, duration: duration, impacts: impacts, law: UTF8ToString(law)});
});
// clang-format on

namespace {

constexpr std::chrono::milliseconds kBetweenTellings{50};
const std::string kFolder = "/scenes";  // in the module's own memory

/// Tells the page now and then, and ends after `seconds`, if there are any.
carom::app::Control control_of(double seconds) {
  carom::app::Control control;
  if (seconds > 0)
    control.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(std::lround(1e3 * seconds));
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

/// A run that takes longer than `seconds` (0: no matter) ends with what there is by then. The caller releases the
/// answer with carom_release.
EMSCRIPTEN_KEEPALIVE char* carom_answer(const char* verb, const char* body, double seconds) {
  const std::string answer = carom::app::answer(verb, body, control_of(seconds), {.folder = kFolder});
  char* const text = static_cast<char*>(std::malloc(answer.size() + 1));
  std::memcpy(text, answer.c_str(), answer.size() + 1);
  return text;
}

/// A file that scenes may name.
EMSCRIPTEN_KEEPALIVE void carom_add_file(const char* name, const char* text) {
  std::filesystem::create_directories(kFolder);
  std::ofstream(kFolder + "/" + name) << text;
}

EMSCRIPTEN_KEEPALIVE void carom_release(char* answer) {
  std::free(answer);
}
}
