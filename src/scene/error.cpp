#include "carom/scene/error.h"

#include <cctype>

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

}  // namespace

void fail(const Document& document, Position at, std::string_view text) {
  throw ReadError(place_of(document, at), std::string(text));
}

ReadError located(const InputError& error, const Document& document) {
  if (const auto* already = dynamic_cast<const ReadError*>(&error)) return *already;
  return ReadError(place_of(document, find(document, error.place).at), sentence(error));
}

}  // namespace carom::scene
