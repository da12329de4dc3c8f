#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace carom {

/// Tells texts apart: FNV-1a with 64 bits, in words of eight bytes. Not against forgery.
inline std::uint64_t checksum(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325ull) {
  std::uint64_t sum = seed ^ text.size();
  constexpr std::uint64_t prime = 0x100000001b3ull;
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    sum = (sum ^ word) * prime;
    sum ^= sum >> 32;
  }
  for (const char one : text) sum = (sum ^ static_cast<unsigned char>(one)) * prime;
  return sum;
}

}  // namespace carom
