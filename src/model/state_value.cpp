#include "carom/model/state_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

/// Counted on beyond a turn for bodies that move freely.
double plane_angle(const Model& model, const State& state, int body) {
  const Index q = model.first_position(body);
  if (q >= 0) return state.q[q + 2];
  const Quaternion turn = model.pose(body, state).orientation;
  return 2 * std::atan2(turn.z(), turn.w());
}

double value_of(const Model& model, const State& state, const StateFormula::Variable& variable) {
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

}  // namespace

double value_at(const StateFormula& formula, const Model& model, const State& state) {
  const std::vector<StateFormula::Variable>& variables = formula.variables();
  constexpr std::size_t few = 16;
  std::array<double, few> small;
  std::vector<double> large(variables.size() > few ? variables.size() : 0);
  double* const values = variables.size() > few ? large.data() : small.data();
  for (std::size_t i = 0; i < variables.size(); ++i) values[i] = value_of(model, state, variables[i]);
  return formula.at(state.t, {values, variables.size()});
}

}  // namespace carom
