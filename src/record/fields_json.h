#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "carom/base/word.h"
#include "carom/impact/contact_turns.h"
#include "carom/numerics/linear_algebra.h"
#include "carom/record/json.h"

namespace carom::record {

/// The unit that stands in brackets in a meaning: "m/s" of "speed below which it creeps [m/s]"; empty if none does.
std::string_view unit_in(std::string_view meaning);

/// A parameter's value: a number, a truth, a word; null where it has none or it is not finite.
template <class T>
Json parameter_json(const T& value) {
  if constexpr (std::is_same_v<T, Matrix> || std::is_same_v<T, Vector> || std::is_same_v<T, ContactTurns>)
    return nullptr;
  else if constexpr (Word<T>)
    return carom::word(value);
  else if constexpr (requires { value.has_value(); })
    return value ? parameter_json(*value) : Json(nullptr);
  else
    return value;
}

/// What kind of value it takes.
template <class T>
std::string_view type_of_parameter(const T& value) {
  if constexpr (std::is_same_v<T, Matrix>)
    return "matrix";
  else if constexpr (std::is_same_v<T, Vector> || std::is_same_v<T, ContactTurns>)
    return "list";
  else if constexpr (Word<T>)
    return "word";
  else if constexpr (requires { value.has_value(); })
    return type_of_parameter(typename T::value_type{});
  else if constexpr (std::is_same_v<T, bool>)
    return "boolean";
  else if constexpr (std::is_arithmetic_v<T>)
    return "number";
  else
    return "text";
}

/// The parameters of a value that lists them in fields(): each with "name", "meaning", "default" (its value now),
/// "type", "words" where it is one of several, and "unit" where its meaning has one.
template <class T>
Json fields_json(const T& value) {
  Json list = Json::array();
  T::fields(value, [&]<class F>(std::string_view key, const F& parameter, std::string_view meaning) {
    Json one = {{"name", key},
                {"meaning", meaning},
                {"default", parameter_json(parameter)},
                {"type", type_of_parameter(parameter)}};
    if constexpr (Word<F>) one["words"] = words_of(parameter);
    if (const std::string_view unit = unit_in(meaning); !unit.empty()) one["unit"] = unit;
    list.push_back(std::move(one));
  });
  return list;
}

}  // namespace carom::record
