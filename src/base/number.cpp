#include "carom/base/number.h"

#ifndef __cpp_lib_to_chars
#include <cmath>
#include <cstdlib>
#include <string>
#endif

namespace carom {

#ifdef __cpp_lib_to_chars

std::from_chars_result read_number(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}

#else
namespace {

const char* after_digits(const char* at, const char* last) {
  while (at != last && *at >= '0' && *at <= '9') ++at;
  return at;
}

/// The end of an exponent that starts here; `at` itself if none does.
const char* after_exponent(const char* at, const char* last) {
  if (at == last || (*at != 'e' && *at != 'E')) return at;
  const char* digits = at + 1;
  if (digits != last && (*digits == '+' || *digits == '-')) ++digits;
  const char* const end = after_digits(digits, last);
  return end == digits ? at : end;
}

/// The end of the number that starts here; `first` itself if none does.
const char* after_number(const char* first, const char* last) {
  const char* const digits = first != last && *first == '-' ? first + 1 : first;
  const char* end = after_digits(digits, last);
  bool any = end != digits;
  if (end != last && *end == '.') {
    const char* const decimals = end + 1;
    const char* const after = after_digits(decimals, last);
    if (any || after != decimals) end = after;
    any = any || after != decimals;
  }
  return any ? after_exponent(end, last) : first;
}

}  // namespace

std::from_chars_result read_number(const char* first, const char* last, double& value) {
  const char* const end = after_number(first, last);
  if (end == first) return {first, std::errc::invalid_argument};
  const std::string text(first, end);
  const double read = std::strtod(text.c_str(), nullptr);
  const bool zero = text.substr(0, text.find_first_of("eE")).find_first_of("123456789") == std::string::npos;
  if (std::isinf(read) || (read == 0 && !zero)) return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc()};
}

#endif

}  // namespace carom
