#pragma once

#include <string>
#include <variant>
#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom {

/// Contacts in an order that an author gives, each by its name or by its number from 0.
struct ContactTurns {
  std::vector<std::variant<double, std::string>> turns;

  ContactTurns() = default;
  ContactTurns(const Vector& numbers) : turns(numbers.begin(), numbers.end()) {}
  ContactTurns(const std::vector<std::string>& names) : turns(names.begin(), names.end()) {}

  bool empty() const { return turns.empty(); }
};

}  // namespace carom
