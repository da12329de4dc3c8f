#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/model/formula.h"

namespace carom {

/// What a formula may read of a body.
enum class BodyQuantity { x, y, z, vx, vy, vz, angle, spin, wx, wy, wz, tilt, speed };
constexpr std::array<std::string_view, 13> words_of(BodyQuantity) {
  return {"x", "y", "z", "vx", "vy", "vz", "angle", "spin", "wx", "wy", "wz", "tilt", "speed"};
}

/// A formula of time and of the state: `-20*a.x - 3*a.vx`. Of a body: x, y, z [m] of its centre of mass and vx, vy, vz
/// [m/s]; in the plane angle [rad] and spin [rad/s]; in space wx, wy, wz [rad/s] in the world; tilt [rad], by how much
/// it is turned away from upright (as it is when it is not turned); speed [m/s] of its centre of mass.
class StateFormula {
 public:
  /// The body of a name; throws InputError if there is none. Which axes there are is known by the dimension.
  using FindBody = std::function<int(std::string_view name)>;
  /// Throws InputError whose place is the column, counted from 1.
  StateFormula(std::string_view text, const Constants& constants, int dimension, const FindBody& find);

  struct Variable {
    int body = -1;
    BodyQuantity quantity = BodyQuantity::x;

    friend bool operator==(const Variable&, const Variable&) = default;
  };
  const std::vector<Variable>& variables() const { return variables_; }
  double at(double t, std::span<const double> values) const { return formula_->at(t, values).value; }  // of these

  bool reads_state() const { return formula_->has_variables(); }
  std::vector<int> bodies() const;  // that it reads

 private:
  std::shared_ptr<const Formula> formula_;  // immutable, so copies may share
  std::vector<Variable> variables_;
};

}  // namespace carom
