#include "carom/scene/edit_scene.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "carom/base/error.h"
#include "carom/scene/path.h"
#include "carom/scene/toml.h"
#include "carom/scene/toml_statements.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

bool is_bare(std::string_view key) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), plain);
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (byte < 0x20 || byte == 0x7f)
      result += fmt::format("\\u{:04X}", byte);
    else
      result += c;
  }
  return result + '"';
}

std::string toml_key(std::string_view key) {
  return is_bare(key) ? std::string(key) : quoted(key);
}

/// Where a position of the library's is in the text; its columns count characters.
std::size_t offset_of(std::string_view text, const toml::source_position& at) {
  std::size_t i = 0;
  for (std::uint32_t line = 1; line < at.line && i < text.size(); ++line) i = std::min(text.find('\n', i), text.size() - 1) + 1;
  for (std::uint32_t column = 1; column < at.column && i < text.size(); ++column) {
    ++i;
    while (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) ++i;
  }
  return i;
}

/// How far a path leads: the nodes on it, from the root, and the steps that are left.
struct Way {
  std::vector<const toml::node*> nodes;
  std::vector<Step> steps;

  std::size_t taken() const { return nodes.size() - 1; }
  bool arrived() const { return taken() == steps.size(); }
};

const toml::node* next_of(const toml::node& node, const Step& step) {
  if (const toml::array* list = node.as_array()) return step.index ? list->get(*step.index) : nullptr;
  const toml::table* table = node.as_table();
  return table && !step.index ? table->get(step.key) : nullptr;
}

Way way_along(const toml::table& root, std::vector<Step> steps) {
  Way way{{&root}, std::move(steps)};
  while (!way.arrived()) {
    const toml::node* next = next_of(*way.nodes.back(), way.steps[way.taken()]);
    if (!next) break;
    way.nodes.push_back(next);
  }
  return way;
}

/// A table or list of tables that headers make.
bool has_headers(const toml::node& node) {
  if (const toml::table* table = node.as_table()) return !table->is_inline();
  const toml::array* list = node.as_array();
  return list && !list->empty() && list->get(0)->is_table() && has_headers(*list->get(0));
}

std::size_t parts_of(std::string_view header) {
  std::size_t parts = 1;
  char quote = '\0';
  for (const char c : header) {
    if (quote != '\0')
      quote = c == quote ? '\0' : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '.')
      ++parts;
  }
  return parts;
}

class Editor {
 public:
  Editor(std::string_view text, std::string_view path, const Node& value)
      : text_(text), path_(path), value_(value), root_(toml::parse(text)), statements_(toml_statements(text)) {}

  std::string edited() const {
    const Steps parsed = parse_path(path_);
    if (parsed.broken_at || parsed.steps.empty()) fail("is no path; paths are such as body[0].mass");
    const Way way = way_along(root_, parsed.steps);
    const toml::node& last = *way.nodes.back();
    if (value_.is_null()) return way.arrived() ? without(way) : std::string(text_);
    if (way.arrived()) return has_headers(last) ? anew(way) : replaced(last);
    const bool appends = last.is_array() && way.taken() + 1 == way.steps.size() && value_.object();
    if (appends && way.steps.back().index == last.as_array()->size()) return with_table(way);
    for (std::size_t i = way.taken(); i < way.steps.size(); ++i)
      if (way.steps[i].index || way.steps[i].every) fail("leads to an entry of a list that is not there");
    if (last.is_string()) return with_named_table(way, last);
    if (!last.is_table()) fail("leads into a value that has no keys");
    return with_key(way);
  }

 private:
  [[noreturn]] void fail(std::string_view rule) const { throw InputError(std::string(path_), std::string(rule)); }

  std::size_t begin_of(const toml::node& node) const { return offset_of(text_, node.source().begin); }
  std::size_t end_of(const toml::node& node) const { return offset_of(text_, node.source().end); }

  std::string spliced(std::size_t begin, std::size_t end, std::string_view insert) const {
    return std::string(text_.substr(0, begin)) + std::string(insert) + std::string(text_.substr(end));
  }

  std::string replaced(const toml::node& node) const {
    return spliced(begin_of(node), end_of(node), toml_value(value_));
  }

  /// Another value in place of a table that has a header.
  std::string anew(const Way& way) const {
    if (value_.object()) fail("is a table of several lines; set its keys one by one");
    const std::string rest = without(way);
    return Editor(rest, path_, value_).edited();
  }

  std::string without(const Way& way) const {
    const toml::node& parent = *way.nodes[way.taken() - 1];
    if (const toml::table* table = parent.as_table(); table && table->is_inline()) return without_in_braces(way, *table);
    if (!has_headers(parent)) fail("is an entry of a list, which cannot be taken away alone");
    std::vector<char> gone(statements_.size(), 0);
    mark(*way.nodes.back(), gone);
    std::string text(text_);
    for (std::size_t i = statements_.size(); i-- > 0;) {
      if (!gone[i]) continue;
      const std::size_t before = text_.substr(0, statements_[i].begin).rfind('\n');
      const std::size_t begin = before == text_.npos ? 0 : before + 1;
      const std::size_t end = std::min(text_.find('\n', statements_[i].end), text_.size() - 1) + 1;
      text.erase(begin, end - begin);
    }
    return text;
  }

  /// The statements that a node stands in.
  void mark(const toml::node& node, std::vector<char>& gone) const {
    if (node.source().begin) {
      const std::size_t at = begin_of(node);
      for (std::size_t i = 0; i < statements_.size(); ++i)
        if (statements_[i].begin <= at && at < statements_[i].end) gone[i] = 1;
    }
    if (!has_headers(node)) return;
    if (const toml::table* table = node.as_table())
      for (const auto& [key, value] : *table) mark(value, gone);
    else
      for (const toml::node& value : *node.as_array()) mark(value, gone);
  }

  std::string without_in_braces(const Way& way, const toml::table& table) const {
    struct Piece {
      std::size_t begin, end;
    };
    std::vector<Piece> pieces;
    for (const auto& [key, value] : table) pieces.push_back({offset_of(text_, key.source().begin), end_of(value)});
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
    const std::size_t at = begin_of(*way.nodes.back());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!(pieces[i].begin <= at && at < pieces[i].end)) continue;
      if (i + 1 < pieces.size()) return spliced(pieces[i].begin, pieces[i + 1].begin, "");
      return spliced(i > 0 ? pieces[i - 1].end : pieces[i].begin, pieces[i].end, "");
    }
    fail("is not where it should be");
  }

  /// name = "lzb" becomes a table with that name and the new key.
  std::string with_named_table(const Way& way, const toml::node& name) const {
    const std::size_t begin = begin_of(name), end = end_of(name);
    return spliced(begin, end,
                   fmt::format("{{name = {}, {} = {}}}", text_.substr(begin, end - begin),
                               dotted(way, way.taken()), toml_value(value_)));
  }

  /// One more [[body]] at the end.
  std::string with_table(const Way& way) const {
    if (!has_headers(*way.nodes.back()) || way.steps.size() != 2) fail("would be an entry of a list; set the list");
    std::string added = fmt::format("\n[[{}]]\n", toml_key(way.steps.front().key));
    for (const Member& one : *value_.object()) added += fmt::format("{} = {}\n", toml_key(one.key), toml_value(one.value));
    return std::string(text_) + (text_.ends_with('\n') ? "" : "\n") + added;
  }

  std::string dotted(const Way& way, std::size_t from) const {
    std::string key;
    for (std::size_t i = from; i < way.steps.size(); ++i) key += (i == from ? "" : ".") + toml_key(way.steps[i].key);
    return key;
  }

  /// A key in the deepest table of the way that has a place of its own in the text: braces, a header, or the root.
  std::string with_key(const Way& way) const {
    for (std::size_t depth = way.taken();; --depth) {
      const toml::node& node = *way.nodes[depth];
      const std::string key = fmt::format("{} = {}", dotted(way, depth), toml_value(value_));
      if (depth == 0) return in_section(0, key);
      if (!node.is_table()) fail("leads into a list");
      if (node.as_table()->is_inline()) return in_braces(*node.as_table(), key);
      if (const std::optional<std::size_t> header = header_of(way, depth)) return in_section(*header + 1, key);
    }
  }

  std::string in_braces(const toml::table& table, const std::string& key) const {
    std::size_t brace = end_of(table);
    while (brace > 0 && text_[brace - 1] != '}') --brace;
    std::size_t end = --brace;
    while (end > 0 && text_[end - 1] == ' ') --end;
    return spliced(end, end, table.empty() ? key : ", " + key);
  }

  /// The statement that is the header of that node.
  std::optional<std::size_t> header_of(const Way& way, std::size_t depth) const {
    const std::size_t begin = begin_of(*way.nodes[depth]);
    const auto keys = static_cast<std::size_t>(std::count_if(
        way.steps.begin(), way.steps.begin() + static_cast<long>(depth), [](const Step& one) { return !one.index; }));
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      const TomlStatement& one = statements_[i];
      const bool here = one.is_header && one.begin <= begin && begin < one.end;
      if (here && parts_of(text_.substr(one.begin, one.end - one.begin)) == keys) return i;
    }
    return std::nullopt;
  }

  /// Behind the last statement of the section whose statements begin with number `first`.
  std::string in_section(std::size_t first, const std::string& key) const {
    std::size_t behind = first;
    while (behind < statements_.size() && !statements_[behind].is_header) ++behind;
    if (behind == 0) return key + "\n" + (statements_.empty() ? "" : "\n") + std::string(text_);
    const std::size_t end = statements_[behind - 1].end;
    const std::size_t line_end = std::min(text_.find('\n', end), text_.size());
    return spliced(line_end, line_end, "\n" + key);
  }

  std::string_view text_, path_;
  const Node& value_;
  toml::table root_;
  std::vector<TomlStatement> statements_;
};

bool same(const Node& a, const Node& b) {
  if (a.boolean() && b.boolean()) return *a.boolean() == *b.boolean();
  if (a.number() && b.number()) return *a.number() == *b.number();
  if (a.text() && b.text()) return *a.text() == *b.text();
  if (a.array() && b.array())
    return std::equal(a.array()->begin(), a.array()->end(), b.array()->begin(), b.array()->end(), same);
  if (!a.object() || !b.object() || a.object()->size() != b.object()->size()) return false;
  return std::all_of(a.object()->begin(), a.object()->end(), [&](const Member& one) {
    const Member* other = b.find(one.key);
    return other && same(one.value, other->value);
  });
}

/// Values in a tree that have no values in them.
std::size_t leaves(const Node& node) {
  std::size_t count = 0;
  if (const Node::Array* list = node.array())
    for (const Node& one : *list) count += leaves(one);
  else if (const Node::Object* members = node.object())
    for (const Member& one : *members) count += leaves(one.value);
  else
    count = 1;
  return count;
}

/// The value at a path; nothing if there is none.
const Node* value_at(const Document& document, std::string_view path) {
  const Node* node = &document.root;
  for (const Step& step : parse_path(path).steps) {
    const Node::Array* list = node->array();
    const Member* member = node->find(step.key);
    if (list && step.index && *step.index < list->size())
      node = &(*list)[*step.index];
    else if (member && !step.index)
      node = &member->value;
    else
      return nullptr;
  }
  return node;
}

}  // namespace

std::string toml_value(const Node& value) {
  if (const bool* boolean = value.boolean()) return *boolean ? "true" : "false";
  if (const double* number = value.number()) return fmt::format("{}", *number);
  if (const std::string* text = value.text()) return quoted(*text);
  std::string result;
  if (const Node::Array* list = value.array()) {
    for (const Node& one : *list) result += (result.empty() ? "" : ", ") + toml_value(one);
    return "[" + result + "]";
  }
  if (!value.object()) throw InputError("", "null is no value of a scene");
  for (const Member& one : *value.object())
    result += fmt::format("{}{} = {}", result.empty() ? "" : ", ", toml_key(one.key), toml_value(one.value));
  return "{" + result + "}";
}

std::string with_value(std::string_view text, std::string_view path, const Node& value) {
  const Document before = parse_toml(text, "scene.toml");
  const std::string result = Editor(text, path, value).edited();
  const Node* old = value_at(before, path);
  try {
    const Document after = parse_toml(result, "scene.toml");
    const Node* set = value_at(after, path);
    const std::size_t expected = leaves(before.root) - (old ? leaves(*old) : 0) + (value.is_null() ? 0 : leaves(value));
    const bool is_set = value.is_null() ? !set || path.ends_with(']') : set && same(*set, value);
    if (is_set && leaves(after.root) == expected) return result;
  } catch (const InputError&) {  // told below
  }
  throw InputError(std::string(path), "cannot be set in this text without writing it anew");
}

}  // namespace carom::scene
