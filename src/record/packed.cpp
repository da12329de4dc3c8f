#include "carom/record/packed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace carom::record {
namespace {

constexpr std::string_view kDigits64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr double kSteps16 = 65535;

template <class Number>
void add_little_endian(std::string& bytes, Number value) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xff);
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (j < there ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= there ? kDigits64[three >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

std::string packed_floats(const std::vector<float>& values) {
  std::string bytes;
  bytes.reserve(values.size() * 4);
  for (const float value : values) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    add_little_endian(bytes, bits);
  }
  return base64(bytes);
}

Json packed_table(const std::vector<float>& values, std::size_t width, std::size_t most_floats) {
  if (values.size() <= most_floats) return {{"float32", packed_floats(values)}};
  std::vector<double> low(width, HUGE_VAL), high(width, -HUGE_VAL);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    low[i % width] = std::min<double>(low[i % width], values[i]);
    high[i % width] = std::max<double>(high[i % width], values[i]);
  }
  std::string bytes;
  bytes.reserve(values.size() * 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double range = high[i % width] - low[i % width];
    const double part = range > 0 && std::isfinite(values[i]) ? (values[i] - low[i % width]) / range : 0;
    add_little_endian(bytes, static_cast<std::uint16_t>(std::lround(part * kSteps16)));
  }
  return {{"uint16", base64(bytes)}, {"low", low}, {"high", high}};
}

Json six_digits(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

}  // namespace carom::record
