#include "carom/scene/field.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

/// The place of a column inside a string; what an option brings stands there without quotes.
Position inside(const Field& text, std::size_t column) {
  Position at = text.node->at;
  const bool quoted = at.line < first_option_line;
  at.column += static_cast<std::uint32_t>(column - (quoted ? 0 : 1));
  return at;
}

}  // namespace

Field root_of(const Document& document) {
  return {&document, &document.root, ""};
}

Field entry(const Field& list, std::size_t i) {
  return {list.document, &(*list.node->array())[i], fmt::format("{}[{}]", list.path, i)};
}

Field member(const Field& object, const Member& member) {
  const std::string key = shortened(member.key);
  return {object.document, &member.value, object.path.empty() ? key : object.path + '.' + key};
}

std::optional<Field> member(const Field& object, std::string_view key) {
  const Member* found = object.node->find(key);
  return found ? std::optional(member(object, *found)) : std::nullopt;
}

Field required_member(const Field& object, std::string_view key, std::string_view what) {
  if (const std::optional<Field> found = member(object, key)) return *found;
  const std::string owner = object.path.empty() ? std::string(subject_of(*object.document)) : object.path;
  fail(*object.document, object.node->at, fmt::format("{} has no {}: {}", owner, in_quotes(key), what));
}

void fail(const Field& field, std::string_view text) {
  const std::string subject = field.path.empty() ? "the document" : field.path;
  fail(*field.document, field.node->at, fmt::format("{} {}", subject, text), field.path);
}

void fail_expected(const Field& field, std::string_view expected) {
  fail(field, fmt::format("is {}; expected {}", described(*field.node, field.document->subject), expected));
}

std::string described(const Node& node, Document::Subject subject) {
  if (const bool* boolean = node.boolean()) return *boolean ? "true" : "false";
  if (const double* number = node.number()) return fmt::format("the number {}", *number);
  if (const std::string* text = node.text()) return "the string " + in_quotes(*text);
  if (const Node::Array* values = node.array())
    return values->empty() ? "an empty list" : fmt::format("a list of {}", values->size());
  if (!node.object()) return "null";
  return subject == Document::Subject::scene ? "a table" : "an object";
}

const Node::Object& members_of(const Field& object) {
  if (!object.node->object())
    fail_expected(object, object.document->subject == Document::Subject::scene ? "a table" : "an object");
  return *object.node->object();
}

const Node::Array& entries_of(const Field& list, std::string_view expected) {
  if (!list.node->array()) fail_expected(list, expected);
  return *list.node->array();
}

void require_known_keys(const Field& object, std::span<const std::string_view> known) {
  for (const Member& member : members_of(object)) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    const std::string owner = object.path.empty() ? "" : " in " + object.path;
    fail(*object.document, member.key_at,
         fmt::format("unknown key {}{}; {}", in_quotes(member.key), owner,
                     suggestion(member.key, known, "known keys are")));
  }
}

void fail_formula(const Field& field, const InputError& error) {
  const std::string what = fmt::format("{} = {}", field.path, in_quotes(*field.node->text()));
  const bool whole = error.place.empty();
  const Position at = whole ? field.node->at : inside(field, std::stoul(error.place));
  fail(*field.document, at, fmt::format("{}{}{}", what, whole ? " " : ": ", error.rule));
}

void read(const Field& field, double& value) {
  const bool formulas = field.document->subject == Document::Subject::scene;
  if (const double* number = field.node->number()) {
    value = *number;
    return;
  }
  if (!formulas || !field.node->text()) fail_expected(field, formulas ? "a number or a formula" : "a number");
  try {
    value = evaluate(*field.node->text(), field.document->constants);
  } catch (const InputError& error) {
    fail_formula(field, error);
  }
}

void read(const Field& field, bool& value) {
  if (!field.node->boolean()) fail_expected(field, "true or false");
  value = *field.node->boolean();
}

void read(const Field& field, std::string& value) {
  if (!field.node->text()) fail_expected(field, "a string");
  value = *field.node->text();
}

void read(const Field& field, Vector& value) {
  const Node::Array& entries = entries_of(field, "a list of numbers");
  value.resize(static_cast<Index>(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double* number = entries[i].number();
    value[static_cast<Index>(i)] = number ? *number : value_of<double>(entry(field, i));
  }
}

void read(const Field& field, Matrix& value) {
  if (const double* number = field.node->number()) {
    value = Matrix::Constant(1, 1, *number);
    return;
  }
  const Node::Array& rows = entries_of(field, "a list of rows, or one number");
  value.resize(static_cast<Index>(rows.size()), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Field row_field = entry(field, i);
    if (!row_field.node->array()) fail_expected(row_field, "a row: a list of numbers");
    const Vector row = value_of<Vector>(row_field);
    if (i == 0) value.resize(value.rows(), row.size());
    if (row.size() != value.cols())
      fail(row_field,
           fmt::format("has {} entries, {}[0] has {}; rows are of equal length", row.size(), field.path, value.cols()));
    value.row(static_cast<Index>(i)) = row;
  }
}

void read(const Field& field, ContactTurns& value) {
  value.turns.clear();
  if (field.node->text() && *field.node->text() == "fastest") return;
  constexpr std::string_view expected = "a list of contacts by name or number from 0, or \"fastest\"";
  const Node::Array& entries = entries_of(field, expected);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (const std::string* name = entries[i].text())
      value.turns.emplace_back(*name);
    else if (const double* number = entries[i].number())
      value.turns.emplace_back(*number);
    else
      fail_expected(entry(field, i), "a contact by name or number from 0");
  }
}

std::size_t read_word(const Field& field, std::span<const std::string_view> words) {
  const std::string given = value_of<std::string>(field);
  const auto found = std::find(words.begin(), words.end(), given);
  if (found == words.end()) fail(field, fmt::format("= {} is not one of {}", in_quotes(given), listed(words)));
  return static_cast<std::size_t>(found - words.begin());
}

std::string line_of_text(const Field& field) {
  std::string text = value_of<std::string>(field);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (std::any_of(text.begin(), text.end(), is_control))
    fail(field, fmt::format("= {} has a control character; it must be one line of text", in_quotes(text)));
  return text;
}

}  // namespace carom::scene
