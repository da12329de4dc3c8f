#include "record/laws_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "laws/all.h"
#include "record/table.h"

namespace carom::record {
namespace {

using Json = nlohmann::ordered_json;

struct Parameter {
  std::string key, standard, meaning;  // standard: its default as text, empty if it has none
};

template <class T>
std::string default_text(const T& value) {
  if constexpr (std::is_same_v<T, Matrix>)
    return "";
  else if constexpr (Word<T>)
    return std::string(word(value));
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
  std::string text = fmt::format(
      "{}\n  says      {}\n  fails     {}\n  source    {}\n  reads     {}\n", L::name, L::summary, L::limits, L::source,
      L::reads.empty() ? "nothing of the contacts" : fmt::format("{} of each contact", fmt::join(L::reads, ", ")));
  const std::vector<Parameter> list = parameters<L>();
  if (list.empty()) text += "  takes     no parameters of its own\n";
  for (const Parameter& parameter : list)
    text += fmt::format("  {:<9} {}{}\n", parameter.key, parameter.meaning,
                        parameter.standard.empty() ? "" : fmt::format(" (default {})", parameter.standard));
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
