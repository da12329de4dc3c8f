#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace carom::record {

/// A JSON document being written: null, a boolean, a number, a text, a list, or an object whose keys keep their order.
/// In braces, pairs that each begin with a text are an object and everything else is a list:
///   Json{{"e", 0.5}, {"u", {1, 2}}}
/// A plain value, so that only json.cpp compiles the library that knows how numbers and texts are written.
class Json {
  template <class T>
  static constexpr bool is_list =
      !std::convertible_to<const T&, std::string_view> && !std::same_as<T, Json> && requires(const T& values) {
    std::begin(values);
  };

 public:
  // NOLINTBEGIN(google-explicit-constructor): values are written as they are
  Json(std::nullptr_t = nullptr) {}
  Json(std::same_as<bool> auto value) : value_(value) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T value) : value_(static_cast<std::int64_t>(value)) {}
  Json(double value) : value_(value) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::initializer_list<Json> values);
  template <class List>
  requires is_list<List> Json(const List& values) : value_(Array(std::begin(values), std::end(values))) {}
  // NOLINTEND(google-explicit-constructor)

  static Json array(std::initializer_list<Json> values = {});
  static Json object();

  /// The value of a key, which is added if it is missing.
  Json& operator[](std::string_view key);
  void push_back(Json value);

  bool operator==(const Json& other) const;

  /// The text, on one line or with `indent` blanks a level. Numbers have as many digits as they need to be read back
  /// the same; one that is not finite is null.
  std::string dump(int indent = -1) const;

 private:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  void write(std::string& text, int indent, int level) const;

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> value_;
};

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace carom::record
