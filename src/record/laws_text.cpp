#include "carom/record/laws_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carom/laws/all.h"
#include "carom/record/json.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

struct Parameter {
  std::string key, standard, meaning;  // standard: its default as text, empty if it has none
};

template <class T>
std::string default_text(const T& value) {
  if constexpr (std::is_same_v<T, Matrix> || std::is_same_v<T, Vector> || std::is_same_v<T, ContactTurns>)
    return "";
  else if constexpr (Word<T>)
    return std::string(carom::word(value));
  else if constexpr (requires { value.has_value(); })
    return value ? fmt::format("{}", *value) : "";
  else
    return fmt::format("{}", value);
}

template <class L>
std::vector<Parameter> parameters() {
  std::vector<Parameter> result;
  const L law;
  L::fields(law, [&](std::string_view key, const auto& value, std::string_view meaning) {
    result.push_back({std::string(key), default_text(value), std::string(meaning)});
  });
  return result;
}

template <class L>
std::string detail() {
  const std::vector<Parameter> list = parameters<L>();
  std::size_t width = 9;  // of the first column
  for (const Parameter& parameter : list) width = std::max(width, parameter.key.size());
  std::string text = fmt::format("{}\n", L::name);
  const auto add = [&](std::string_view key, std::string_view value) {
    text += fmt::format("  {:<{}} {}\n", key, width, value);
  };
  add("says", L::summary);
  add("fails", L::limits);
  add("source", L::source);
  add("reads",
      L::reads.empty() ? "nothing of the contacts" : fmt::format("{} of each contact", fmt::join(L::reads, ", ")));
  if (list.empty()) add("takes", "no parameters of its own");
  for (const Parameter& parameter : list)
    add(parameter.key, parameter.standard.empty()
                           ? parameter.meaning
                           : fmt::format("{} (default {})", parameter.meaning, parameter.standard));
  return text;
}

}  // namespace

std::string laws_text(std::string_view name) {
  std::string text;
  for_each_law([&]<class L>(const L&) {
    if (name.empty() || name == L::name) text += (text.empty() ? "" : "\n") + detail<L>();
  });
  return text;
}

std::string laws_json(std::string_view name) {
  Json result = {{"format", "carom-laws/1"}, {"laws", Json::array()}};
  for_each_law([&]<class L>(const L&) {
    if (!name.empty() && name != L::name) return;
    Json law = {
        {"name", L::name}, {"summary", L::summary}, {"limits", L::limits}, {"source", L::source}, {"reads", L::reads}};
    law["parameters"] = Json::array();
    for (const Parameter& parameter : parameters<L>())
      law["parameters"].push_back({{"key", parameter.key},
                                   {"default", parameter.standard.empty() ? Json(nullptr) : Json(parameter.standard)},
                                   {"meaning", parameter.meaning}});
    result["laws"].push_back(law);
  });
  return result.dump(2) + "\n";
}

}  // namespace carom::record
