#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "carom/base/error.h"
#include "carom/scene/document.h"

namespace carom::scene {

/// Bad input, for the user: what() is one line `file:line:column: what is wrong, the value, the rule`. Its `place` is
/// file:line:column.
class ReadError : public InputError {
 public:
  using InputError::InputError;

  std::optional<Position> at;  // in the file, where it is there
  std::string path;            // of what is wrong, such as body[1].mass, where it is known
};

[[noreturn]] void fail(const Document& document, Position at, std::string_view text, std::string_view path = {});

/// An error of the core, whose place is a path such as contacts[1].mu, with the position that path has in the document.
ReadError located(const InputError& error, const Document& document);

}  // namespace carom::scene
