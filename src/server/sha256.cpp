#include "carom/server/sha256.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace carom::server {
namespace {

using Words = std::array<std::uint32_t, 64>;

constexpr std::size_t kBlock = 64;  // bytes

std::uint32_t rotated(std::uint32_t x, int n) {
  return (x >> n) | (x << (32 - n));
}

/// The first 32 bits of the fractional part; exact enough in long double for the roots that are needed.
std::uint32_t fraction_bits(long double x) {
  return static_cast<std::uint32_t>((x - std::floor(x)) * 4294967296.0L);
}

struct Constants {
  std::array<std::uint32_t, 8> start;  // square roots of the first 8 primes
  Words round;                         // cube roots of the first 64
};

const Constants& constants() {
  static const Constants all = [] {
    Constants made{};
    std::size_t count = 0;
    for (unsigned candidate = 2; count < made.round.size(); ++candidate) {
      bool is_prime = true;
      for (unsigned divisor = 2; divisor * divisor <= candidate; ++divisor) is_prime &= candidate % divisor != 0;
      if (!is_prime) continue;
      if (count < made.start.size()) made.start[count] = fraction_bits(std::sqrt(static_cast<long double>(candidate)));
      made.round[count++] = fraction_bits(std::cbrt(static_cast<long double>(candidate)));
    }
    return made;
  }();
  return all;
}

void add_block(const std::uint8_t* block, std::array<std::uint32_t, 8>& hash) {
  Words w{};
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | std::uint32_t{block[4 * i + 3]};
  for (std::size_t i = 16; i < w.size(); ++i) {
    const std::uint32_t s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const std::uint32_t s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants().round[i] + w[i];
    const std::uint32_t s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += added[i];
}

}  // namespace

std::array<std::uint8_t, 32> sha256(std::string_view text) {
  std::array<std::uint32_t, 8> hash = constants().start;
  std::string padded(text.substr(text.size() / kBlock * kBlock));
  for (std::size_t i = 0; i + kBlock <= text.size(); i += kBlock)
    add_block(reinterpret_cast<const std::uint8_t*>(text.data() + i), hash);
  padded += '\x80';
  while (padded.size() % kBlock != kBlock - 8) padded += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift & 0xff);
  for (std::size_t i = 0; i < padded.size(); i += kBlock)
    add_block(reinterpret_cast<const std::uint8_t*>(padded.data() + i), hash);
  std::array<std::uint8_t, 32> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(hash[i / 4] >> (24 - 8 * (i % 4)));
  return bytes;
}

std::string base64(const std::array<std::uint8_t, 32>& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t j = 0; j < 3; ++j) three = three << 8 | (j < left ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= left ? letters[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

}  // namespace carom::server
