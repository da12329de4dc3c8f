#include "carom/model/state_formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/base/nearest_word.h"
#include "carom/model/model.h"

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

/// Counted on beyond a turn for bodies that move freely.
double plane_angle(const Model& model, const State& state, int body) {
  const Index q = model.first_position(body);
  if (q >= 0) return state.q[q + 2];
  const Quaternion turn = model.pose(body, state).orientation;
  return 2 * std::atan2(turn.z(), turn.w());
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

double StateFormula::at(const Model& model, const State& state) const {
  constexpr std::size_t few = 16;
  std::array<double, few> small;
  std::vector<double> large(variables_.size() > few ? variables_.size() : 0);
  double* const values = variables_.size() > few ? large.data() : small.data();
  for (std::size_t i = 0; i < variables_.size(); ++i) values[i] = value_of(model, state, variables_[i]);
  return formula_->at(state.t, {values, variables_.size()}).value;
}

double StateFormula::value_of(const Model& model, const State& state, const Variable& variable) {
  const int body = variable.body;
  switch (variable.quantity) {
    case BodyQuantity::x:
      return model.pose(body, state).position.x();
    case BodyQuantity::y:
      return model.pose(body, state).position.y();
    case BodyQuantity::z:
      return model.pose(body, state).position.z();
    case BodyQuantity::vx:
      return model.twist(body, state).velocity.x();
    case BodyQuantity::vy:
      return model.twist(body, state).velocity.y();
    case BodyQuantity::vz:
      return model.twist(body, state).velocity.z();
    case BodyQuantity::angle:
      return plane_angle(model, state, body);
    case BodyQuantity::spin:
    case BodyQuantity::wz:
      return model.twist(body, state).angular.z();
    case BodyQuantity::wx:
      return model.twist(body, state).angular.x();
    case BodyQuantity::wy:
      return model.twist(body, state).angular.y();
    case BodyQuantity::tilt: {
      if (model.dimension() == Dimension::plane)
        return std::abs(std::remainder(plane_angle(model, state, body), 2 * std::numbers::pi));
      return std::acos(std::clamp((model.pose(body, state).orientation * Vector3::UnitZ()).z(), -1.0, 1.0));
    }
    case BodyQuantity::speed:
      return model.twist(body, state).velocity.norm();
  }
  return 0;
}

}  // namespace carom
