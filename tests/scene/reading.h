#pragma once

#include <string>
#include <string_view>

#include "carom/scene/error.h"
#include "carom/scene/json.h"
#include "carom/scene/problem_reader.h"

namespace carom::scene {

inline ProblemFile read_text(std::string_view text, const Overrides& overrides = {}) {
  return read_problem(parse_json(text, "p.json"), overrides);
}

/// The message of the ReadError that `act` throws; empty if it throws none.
template <class Act>
std::string error_of(Act&& act) {
  try {
    act();
  } catch (const ReadError& error) {
    return error.what();
  }
  return {};
}

inline std::string problem_error(std::string_view text, const Overrides& overrides = {}) {
  return error_of([&] { read_text(text, overrides); });
}

}  // namespace carom::scene
