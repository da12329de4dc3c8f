#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace carom {

/// Restitution that depends on how hard a contact is hit: on its closing speed v [m/s] at the start of a compression,
/// or on the work W [J] that the compression takes. Always in [0, 1].
struct RestitutionFunction {
  /// e = 1 - alpha v^m, never below 0.
  struct SpeedPower {
    double alpha = 0;  // [(s/m)^m] >= 0
    double m = 1;      // [-] > 0
  };
  /// Metals that yield: e = min(1, (v_y / v)^(1/4)).                           [Johnson, Contact Mechanics 1985, 11.5]
  struct Yield {
    double speed = 1;  // v_y [m/s] > 0
  };
  /// Measured values, linear between them and constant outside.
  struct Data {
    enum class Of { speed, work };
    Of of = Of::speed;
    std::vector<double> at;      // [m/s] or [J] >= 0, ascending
    std::vector<double> values;  // [-] in [0, 1], as many
  };
  using Form = std::variant<SpeedPower, Yield, Data>;
  std::vector<Form> forms;  // the smallest value holds
  double factor = 1;        // [-] >= 0: times this, at most 1

  double at(double speed, double work) const;
  bool reads_work() const;
  bool reads_speed() const;
  double largest() const;  // value that it can have
  /// In words: "1 - 0.1 v^0.25".
  std::string text() const;
};

/// Null where restitution is a number.
using SharedRestitution = std::shared_ptr<const RestitutionFunction>;

/// A constant as a function.
RestitutionFunction::Form constant_restitution(double e);

/// What is wrong with a function, "values[1] = 2 is outside [0, 1]"; empty if nothing is.
std::string fault_of(const RestitutionFunction& function);

}  // namespace carom
