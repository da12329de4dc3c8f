#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

namespace carom {

/// A number or none, as std::optional<double>, in the room of the number: values of which there are millions keep what
/// few of them have. None is one bit pattern among those that are no numbers, which no computation makes: a NaN that
/// was given is a value, and is found by who checks it. (libc++ 13, for browsers, has no std::bit_cast.)
class OptionalNumber {
 public:
  constexpr OptionalNumber() = default;
  constexpr OptionalNumber(std::nullopt_t) {}
  template <std::convertible_to<double> Number>
  constexpr OptionalNumber(const Number& value) : value_(value) {}
  constexpr OptionalNumber(const std::optional<double>& value) : value_(value ? *value : none()) {}

  constexpr bool has_value() const { return __builtin_bit_cast(std::uint64_t, value_) != pattern; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr double operator*() const { return value_; }
  constexpr double& operator*() { return value_; }
  constexpr double value_or(double other) const { return has_value() ? value_ : other; }
  constexpr operator std::optional<double>() const { return has_value() ? std::optional(value_) : std::nullopt; }

 private:
  static constexpr std::uint64_t pattern = 0x7ff8'0ca4'0e00'0001;
  static constexpr double none() { return __builtin_bit_cast(double, pattern); }

  double value_ = none();
};

}  // namespace carom
