#include "carom/scene/error.h"

#include <cctype>
#include <utility>

namespace carom::scene {
namespace {

/// "contacts[1].mu = -1 is negative", "u has 2 entries": the rule continues the sentence that its place begins.
std::string sentence(const InputError& error) {
  if (error.place.empty() || error.rule.empty()) return error.place + error.rule;
  const char first = error.rule.front();
  if (first == '-' || std::isdigit(static_cast<unsigned char>(first))) return error.place + " = " + error.rule;
  const bool verb = error.rule.starts_with("is ") || error.rule.starts_with("has ");
  return error.place + (verb ? " " : ": ") + error.rule;
}

ReadError read_error(const Document& document, Position at, std::string rule, std::string_view path) {
  ReadError error(place_of(document, at), std::move(rule));
  if (at.line < first_option_line) error.at = at;
  error.path = path;
  return error;
}

}  // namespace

void fail(const Document& document, Position at, std::string_view text, std::string_view path) {
  throw read_error(document, at, std::string(text), path);
}

ReadError located(const InputError& error, const Document& document) {
  if (const auto* already = dynamic_cast<const ReadError*>(&error)) return *already;
  return read_error(document, find(document, error.place).at, sentence(error), error.place);
}

}  // namespace carom::scene
