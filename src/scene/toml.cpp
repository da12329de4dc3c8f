#include "carom/scene/toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "carom/scene/error.h"
#include "carom/scene/input.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

Position position(const toml::source_position& at) {
  return {std::max<std::uint32_t>(at.line, 1), std::max<std::uint32_t>(at.column, 1)};
}

Position before(Position a, Position b) {
  return std::pair(a.line, a.column) < std::pair(b.line, b.column) ? a : b;
}

/// Bad bytes are refused here: the library's parser may end the program over them.
void require_utf8(std::string_view text, const Document& document) {
  Position at{1, 1};
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0)
      fail(document, at,
           fmt::format("the byte \\x{:02X} is not UTF-8; the input must be UTF-8",
                       static_cast<unsigned char>(text.front())));
    at = text.front() == '\n' ? Position{at.line + 1, 1} : Position{at.line, at.column + 1};
    text.remove_prefix(length);
  }
}

/// Follows strings and comments of TOML just well enough to count the dots of each key: the library's parser and tables
/// recurse for each of them.
class DotCounter {
 public:
  DotCounter(std::string_view text, const Document& document) : text_(text), document_(document) {}

  void require_few() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == '"' || c == '\'')
        skip_string(c);
      else if (c == '#')
        position_ = std::min(text_.find('\n', position_), text_.size());
      else
        step(c);
    }
  }

 private:
  void step(char c) {
    ++position_;
    if (c == '\n') ++line_;
    if (c == '.' && ++dots_ > most_dots_in_a_key)
      fail(document_, {line_, 1}, fmt::format("a key of more than {} parts", most_dots_in_a_key));
    if (std::string_view("=[]{},\n").find(c) != std::string_view::npos) dots_ = 0;
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool several_lines = text_.substr(position_).starts_with(three);
    position_ += several_lines ? 3 : 1;
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == '\n' && !several_lines) return;  // not a string after all
      if (c == '\n') ++line_;
      if (several_lines ? text_.substr(position_).starts_with(three) : c == quote) break;
      position_ += c == '\\' && quote == '"' ? 2 : 1;
    }
    position_ = std::min(position_ + (several_lines ? 3 : 1), text_.size());
  }

  std::string_view text_;
  const Document& document_;
  std::size_t position_ = 0, dots_ = 0;
  std::uint32_t line_ = 1;
};

class Converter {
 public:
  explicit Converter(const Document& document) : document_(document) {}

  Node node(const toml::node& from) {
    const Position at = position(from.source().begin);
    if (const auto* table = from.as_table()) return object(at, *table);
    if (const auto* list = from.as_array()) return array(at, *list);
    if (const auto* text = from.as_string()) return {at, text->get()};
    if (const auto* boolean = from.as_boolean()) return {at, boolean->get()};
    if (const auto* integer = from.as_integer()) return {at, static_cast<double>(integer->get())};
    if (const auto* number = from.as_floating_point()) return {at, finite(at, number->get())};
    fail(document_, at, "a date or time; expected a number, a string, true or false, a list or a table");
  }

 private:
  double finite(Position at, double value) const {
    if (!std::isfinite(value)) fail(document_, at, fmt::format("{} is not a finite number", value));
    return value;
  }

  /// In the order of the file; the library sorts keys by name. A table that [a.b] made without [a] stands where its
  /// first member does.
  Node object(Position at, const toml::table& table) {
    Node::Object members;
    members.reserve(table.size());
    for (const auto& [key, value] : table)
      members.push_back({std::string(key.str()), position(key.source().begin), node(value)});
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
      return std::pair(a.key_at.line, a.key_at.column) < std::pair(b.key_at.line, b.key_at.column);
    });
    if (!table.source().begin && !members.empty()) at = before(members.front().key_at, members.front().value.at);
    return {at, std::move(members)};
  }

  Node array(Position at, const toml::array& list) {
    Node::Array values;
    values.reserve(list.size());
    for (const toml::node& value : list) values.push_back(node(value));
    if (!list.source().begin && !values.empty()) at = values.front().at;
    return {at, std::move(values)};
  }

  const Document& document_;
};

/// The library's sentence without what it says of itself first.
std::string sentence(const toml::parse_error& error) {
  std::string_view text = error.description();
  constexpr std::string_view preamble = "Error while parsing ";
  if (text.starts_with(preamble)) text.remove_prefix(preamble.size());
  return printable(text);
}

}  // namespace

Document parse_toml(std::string_view text, std::string file) {
  Document document;
  document.file = std::move(file);
  document.subject = Document::Subject::scene;
  if (text.size() > most_toml_bytes) fail(document, {}, "the input is larger than 64 MiB, the most that is read");
  require_utf8(text, document);
  DotCounter(text, document).require_few();
  try {
    const toml::table root = toml::parse(text, std::string_view(document.file));
    document.root = Converter(document).node(root);
    document.root.at = {};
  } catch (const toml::parse_error& error) {
    fail(document, position(error.source().begin), sentence(error));
  }
  return document;
}

Document read_toml(const std::string& path) {
  return parse_toml(read_input(path, any_byte), input_name(path));
}

}  // namespace carom::scene
