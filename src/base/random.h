#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace carom {

/// A small pseudo-random sequence that is the same on every machine and with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_((seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull) | 1) {}

  double uniform() {  // in [0, 1)
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform()); }

 private:
  std::uint64_t state_;
};

}  // namespace carom
