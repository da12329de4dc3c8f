#include "carom/scene/toml_statements.h"

#include <algorithm>
#include <string>

namespace carom::scene {
namespace {

/// Behind the string that starts at `begin` with a quote.
std::size_t behind_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string three(3, quote);
  const bool several_lines = text.substr(begin).starts_with(three);
  std::size_t i = begin + (several_lines ? 3 : 1);
  const auto closes = [&] { return several_lines ? text.substr(i).starts_with(three) : text[i] == quote; };
  while (i < text.size() && !closes()) i += text[i] == '\\' && quote == '"' ? 2 : 1;
  i += several_lines ? 3 : 1;
  while (several_lines && i < text.size() && text[i] == quote) ++i;  // up to two quotes may end its content
  return std::min(i, text.size());
}

}  // namespace

std::vector<TomlStatement> toml_statements(std::string_view text) {
  std::vector<TomlStatement> all;
  TomlStatement now;
  bool inside = false;
  int depth = 0;  // of brackets
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n' && depth == 0 && inside) {
      all.push_back(now);
      inside = false;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++i;
      continue;
    }
    if (!inside) now = {i, i, c == '['};
    inside = true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    i = c == '"' || c == '\'' ? behind_string(text, i) : i + 1;
    now.end = i;
  }
  if (inside) all.push_back(now);
  return all;
}

}  // namespace carom::scene
