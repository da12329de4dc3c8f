#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace carom::server {

/// The SHA-256 hash of a text [FIPS 180-4].
std::array<std::uint8_t, 32> sha256(std::string_view text);

/// Bytes in base 64, padded [RFC 4648].
std::string base64(const std::array<std::uint8_t, 32>& bytes);

}  // namespace carom::server
