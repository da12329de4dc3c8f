#pragma once

#include <algorithm>
#include <variant>

#include "carom/laws/springs/contact_force.h"

namespace carom::springs {

/// Unloads along a stiffer curve: the indentation falls 1 / e^2 times as fast as the bodies part. The mark is where it
/// turned.
struct BiStiffness {
  static constexpr bool keeps_gap = false;
  PowerForce power;
  double e;

  explicit BiStiffness(const Contact& contact) : power(contact), e(contact.e) {}
  double force(double s, double /*rate*/, double /*mark*/) const { return power.at(s); }
  double stored(double s) const { return power.energy(s); }
  double mark(double s) const { return std::max(s, 0.0); }
  double floor(double /*mark*/) const { return 0; }
  double unloading_rate() const { return e > 0 ? 1 / (e * e) : 1; }
  double recoverable(double s, double /*mark*/) const { return e * e * power.energy(s); }
  double lost_turning(double s, double mark) const { return (1 - e * e) * (power.energy(mark) - power.energy(s)); }
  double lost_opening(double mark) const { return (1 - e * e) * power.energy(mark); }
  bool jumps() const { return e == 0; }
};

/// Unloads along the same curve, and lets go when all but e^2 of its energy is spent. The mark is where it will.
struct MonoStiffness {
  static constexpr bool keeps_gap = false;
  PowerForce power;
  double e;

  explicit MonoStiffness(const Contact& contact) : power(contact), e(contact.e) {}
  double force(double s, double /*rate*/, double /*mark*/) const { return power.at(s); }
  double stored(double s) const { return power.energy(s); }
  double mark(double s) const {
    if (e == 0) return std::max(s, 0.0);
    return s > 0 ? s * std::pow(1 - e * e, 1 / (power.eta + 1)) : 0;
  }
  double floor(double mark) const { return mark; }
  double unloading_rate() const { return 1; }
  double recoverable(double s, double mark) const { return std::max(power.energy(s) - power.energy(mark), 0.0); }
  double lost_turning(double /*s*/, double /*mark*/) const { return 0; }
  double lost_opening(double mark) const { return power.energy(mark); }
  bool jumps() const { return true; }
};

/// Unloads along the same curve without loss, and then keeps an open gap -s that has to close again.
struct ElasticGap {
  static constexpr bool keeps_gap = true;
  PowerForce power;
  double e = 1;

  explicit ElasticGap(const Contact& contact) : power(contact) {}
  double force(double s, double /*rate*/, double /*mark*/) const { return power.at(s); }
  double stored(double s) const { return power.energy(s); }
  double mark(double s) const { return std::max(s, 0.0); }
  double floor(double /*mark*/) const { return 0; }
  double unloading_rate() const { return 1; }
  double recoverable(double s, double /*mark*/) const { return power.energy(s); }
  double lost_turning(double /*s*/, double /*mark*/) const { return 0; }
  double lost_opening(double /*mark*/) const { return 0; }
  bool jumps() const { return false; }
};

/// Every force that an impact can be followed with.
using Force = std::variant<BiStiffness, MonoStiffness, ElasticGap>;

template <class... F>
constexpr bool are_forces(const std::variant<F...>*) {
  return (ContactForce<F> && ...);
}
static_assert(are_forces(static_cast<const Force*>(nullptr)));

}  // namespace carom::springs
