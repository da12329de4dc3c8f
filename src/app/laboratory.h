#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "carom/app/control.h"

namespace carom::app {

/// What questions may cost and see.
struct LabOptions {
  std::string folder = {};                     // scenes may name files below it; empty: none
  std::size_t most_bodies = 20'000;            // of a scene
  std::size_t most_bytes = std::size_t{1} << 21;  // of a question
};

/// One question of the laboratory's page, answered as JSON text; the server and the WebAssembly module call this and
/// nothing else. Verbs: describe, check, edit, run, compare, impact; docs/laboratory.md has their questions and
/// answers. An answer is {"ok": true, ...} or {"ok": false, "error": {"message", "line", "column", "place"}}, the last
/// three where they are known: bad input is no exception. Writes nothing, and reads no file but those of the options.
std::string answer(std::string_view verb, std::string_view body, const Control& control = {},
                   const LabOptions& options = {});

bool is_lab_verb(std::string_view verb);
bool takes_long(std::string_view verb);      // it may
bool tells_progress(std::string_view verb);  // its Control is listened to

/// {"ok": false, "error": {"message"}}, for what is refused before it is asked.
std::string refusal(std::string_view message);

}  // namespace carom::app
