#include "carom/scene/law_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carom/scene/error.h"
#include "carom/scene/json.h"
#include "carom/scene/keys.h"
#include "carom/scene/law_reader.h"
#include "carom/scene/scheme_reader.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// Where commas divide the text, as pieces of it.
std::vector<std::string_view> pieces_of(std::string_view text) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"') {
      quote = c;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      pieces.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

/// What is between the braces of NAME{...}; nothing if there are none. Throws where the second one is missing.
std::optional<std::string_view> inside_braces(std::string_view word, const Document& document, Position start) {
  const std::size_t open = word.find('{');
  if (open == std::string_view::npos) return std::nullopt;
  if (!word.ends_with('}'))
    fail(document, {start.line, start.column + static_cast<std::uint32_t>(open)},
         fmt::format("{} has no '}}' at its end; write NAME{{key=value,...}}", in_quotes(word)));
  return word.substr(open + 1, word.size() - open - 2);
}

Member setting_of(std::string_view piece, const Document& document, Position at) {
  const std::size_t equals = piece.find('=');
  if (equals == std::string_view::npos)
    fail(document, at, fmt::format("no '=' in {}; write NAME{{key=value,...}}", in_quotes(piece)));
  const std::string_view value = piece.substr(equals + 1), shown = trimmed(value);
  const auto offset = static_cast<std::uint32_t>(equals + 1 + (shown.empty() ? 0 : shown.data() - value.data()));
  return {std::string(trimmed(piece.substr(0, equals))), at,
          option_value(shown, document, {at.line, at.column + offset})};
}

}  // namespace

std::string LawChoice::label() const {
  return settings.empty() ? std::string(name_of(law)) : fmt::format("{}{{{}}}", name_of(law), fmt::join(settings, ","));
}

std::string LawChoice::file_name() const {
  std::string name(name_of(law));
  for (const std::string& setting : settings) name += "-" + setting.substr(setting.find('=') + 1);
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !plain(c); }, '_');
  return name;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> result;
  for (const std::string_view piece : pieces_of(text)) result.emplace_back(trimmed(piece));
  return result;
}

Node::Object law_members(std::string_view word, const Document& document, Position start) {
  const std::optional<std::string_view> inside = inside_braces(word, document, start);
  const std::string name(trimmed(word.substr(0, word.find('{'))));
  Node::Object members;
  members.push_back({"name", start, Node(start, name)});
  if (!inside || trimmed(*inside).empty()) return members;
  for (const std::string_view piece : pieces_of(*inside)) {
    const std::string_view shown = trimmed(piece);
    const auto offset = static_cast<std::uint32_t>((shown.empty() ? piece : shown).data() - word.data());
    Member one = setting_of(shown, document, {start.line, start.column + offset});
    for (const Member& other : members)
      if (other.key == one.key)
        fail(document, one.key_at, fmt::format("{} comes twice in {}", in_quotes(one.key), in_quotes(word)));
    members.push_back(std::move(one));
  }
  return members;
}

LawChoice choose_law(std::string_view word, const std::optional<ImpactLaw>& own, const Document& document,
                     const std::optional<Scheme>& own_scheme) {
  Document option;
  option.file = document.file;
  option.subject = document.subject;
  option.constants = document.constants;
  option.options = {fmt::format("--laws {}", word)};
  const Position start{first_option_line, 1};
  Node::Object members = law_members(word, option, start);
  LawChoice choice{law_for(own, *members.front().value.text())};
  if (const std::optional<std::string_view> inside = inside_braces(word, option, start); inside && members.size() > 1)
    choice.settings = split_at_commas(*inside);
  Node::Object outer;
  const auto scheme =
      std::find_if(members.begin(), members.end(), [](const Member& member) { return member.key == "scheme"; });
  if (scheme != members.end() && document.subject == Document::Subject::scene) {
    outer.push_back(std::move(*scheme));
    members.erase(scheme);
  }
  outer.push_back({"law", start, Node(start, std::move(members))});
  option.root = Node(start, std::move(outer));
  const Field root = root_of(option);
  std::visit([&](auto& value) { read_fields(required_member(root, "law", ""), value); }, choice.law);
  if (const std::optional<Field> given = member(root, "scheme")) {
    choice.scheme = read_scheme(*given);
    if (own_scheme && given->node->text() && name_of(*own_scheme) == name_of(*choice.scheme))
      choice.scheme = own_scheme;
  }
  return choice;
}

}  // namespace carom::scene
