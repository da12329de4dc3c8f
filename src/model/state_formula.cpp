#include "carom/model/state_formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carom/base/error.h"
#include "carom/base/nearest_word.h"

namespace carom {
namespace {

/// What bodies of a scene have.
std::vector<std::string_view> quantities_in(int dimension) {
  switch (dimension) {
    case 1:
      return {"x", "vx", "speed"};
    case 2:
      return {"x", "y", "vx", "vy", "angle", "spin", "tilt", "speed"};
    default:
      return {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "tilt", "speed"};
  }
}

BodyQuantity quantity_named(std::string_view word, int dimension) {
  const std::vector<std::string_view> known = quantities_in(dimension);
  if (std::find(known.begin(), known.end(), word) == known.end())
    throw InputError("",
                     fmt::format("a body here has no \"{}\"; it has {}", word.substr(0, 40), fmt::join(known, ", ")));
  constexpr auto words = words_of(BodyQuantity{});
  return static_cast<BodyQuantity>(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace

StateFormula::StateFormula(std::string_view text, const Constants& constants, int dimension, const FindBody& find) {
  const Formula::FindVariable number = [&](std::string_view owner, std::string_view quantity) {
    const Variable variable{find(owner), quantity_named(quantity, dimension)};
    const auto known = std::find(variables_.begin(), variables_.end(), variable);
    const int index = static_cast<int>(known - variables_.begin());
    if (known == variables_.end()) variables_.push_back(variable);
    return index;
  };
  formula_ = std::make_shared<const Formula>(text, constants, number);
}

std::vector<int> StateFormula::bodies() const {
  std::vector<int> all;
  all.reserve(variables_.size());
  for (const Variable& variable : variables_) all.push_back(variable.body);
  return all;
}

}  // namespace carom
