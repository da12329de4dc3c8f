#include "carom/record/json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace carom::record {
namespace {

void write_number(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  std::array<char, 64> digits;
  text.append(digits.data(), nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), value));
}

void write_text(std::string& text, const std::string& value) {
  const bool plain =
      std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
  text +=
      plain ? '"' + value + '"' : nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The entries of a list or an object between its brackets.
template <class Entries, class Write>
void write_entries(std::string& text, const Entries& entries, std::string_view brackets, int indent, int level,
                   Write&& write) {
  const auto new_line = [&](int depth) {
    if (indent >= 0) text += '\n' + std::string(static_cast<std::size_t>(indent * depth), ' ');
  };
  text += brackets[0];
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) text += ',';
    new_line(level + 1);
    write(entries[i]);
  }
  if (!entries.empty()) new_line(level);
  text += brackets[1];
}

}  // namespace

Json::Json(std::initializer_list<Json> values) {
  const auto is_pair = [](const Json& one) {
    const auto* list = std::get_if<Array>(&one.value_);
    return list && list->size() == 2 && std::holds_alternative<std::string>(list->front().value_);
  };
  if (!std::all_of(values.begin(), values.end(), is_pair)) {
    value_ = Array(values);
    return;
  }
  value_ = Object();
  for (const Json& one : values) {
    const auto& pair = std::get<Array>(one.value_);
    (*this)[std::get<std::string>(pair[0].value_)] = pair[1];
  }
}

Json Json::array(std::initializer_list<Json> values) {
  Json result;
  result.value_ = Array(values);
  return result;
}

Json Json::object() {
  Json result;
  result.value_ = Object();
  return result;
}

Json& Json::operator[](std::string_view key) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Object();
  Object& members = std::get<Object>(value_);
  for (auto& [name, value] : members)
    if (name == key) return value;
  return members.emplace_back(std::string(key), Json()).second;
}

void Json::push_back(Json value) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Array();
  std::get<Array>(value_).push_back(std::move(value));
}

bool Json::operator==(const Json& other) const {
  return value_ == other.value_;
}

std::string Json::dump(int indent) const {
  std::string text;
  write(text, indent, 0);
  return text;
}

void Json::write(std::string& text, int indent, int level) const {
  if (const auto* truth = std::get_if<bool>(&value_))
    text += *truth ? "true" : "false";
  else if (const auto* whole = std::get_if<std::int64_t>(&value_))
    text += std::to_string(*whole);
  else if (const auto* number = std::get_if<double>(&value_))
    write_number(text, *number);
  else if (const auto* words = std::get_if<std::string>(&value_))
    write_text(text, *words);
  else if (const auto* list = std::get_if<Array>(&value_))
    write_entries(text, *list, "[]", indent, level, [&](const Json& one) { one.write(text, indent, level + 1); });
  else if (const auto* object = std::get_if<Object>(&value_))
    write_entries(text, *object, "{}", indent, level, [&](const auto& member) {
      write_text(text, member.first);
      text += indent >= 0 ? ": " : ":";
      member.second.write(text, indent, level + 1);
    });
  else
    text += "null";
}

}  // namespace carom::record
