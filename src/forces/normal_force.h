#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "carom/forces/memory.h"
#include "carom/impact/problem.h"

namespace carom::forces {

/// A parameter that a force cannot work with: its name, and what is wrong with the value.
struct Fault {
  std::string_view field;
  std::string rule;
};

/// The e that a force is asked for at a touch with this speed [m/s] and mass [kg]: a number, or a function of the speed
/// or of the work 1/2 m v^2 of stopping that mass, then not below `least`.
inline double asked_restitution(double e, const RestitutionFunction* e_of, double speed, double mass,
                                double least = 0) {
  return e_of != nullptr ? std::max(least, e_of->at(speed, 0.5 * mass * speed * speed)) : e;
}
/// Where e = 0 would need infinite damping, a function of the impact asks for at least this.
inline constexpr double kLeastAsked = 1e-3;

/// A normal force F(d, d') of the indentation d [m] and its rate d' [m/s], d' > 0 while it grows: a plain value, one a
/// contact, with `name`, `summary`, `source`, `fields()`, made from a Contact, whose function of restitution, if it has
/// one, must outlive it. Its functions of one contact are inline
/// and know nothing of others; `Memory` is the caller's.
/// - `law(d, rate, memory)` [N], smooth as long as the contact is on one curve, `reserve(d, rate, memory)` > 0 while it
///   presses (what has no reserve presses with 0), and both together: `force(d, rate, memory)`
/// - `stored(d, memory)` [J] that can be had back, `elastic(d, memory)` [N] of it alone, `indentation(energy)` [m] at
///   which loading has put that much into the contact
/// - `stiffness(d, memory)` [N/m], the slope of `elastic`; `stiffening(d, memory)` [1/m], the slope of its logarithm;
///   `slope(d, rate, memory)` dF/dd [N/m] and `damping(d, memory)` dF/dd' [N s/m]
/// - `touch(speed, mass)`, the memory of a first touch; `turn(d, memory)` when d stops growing; `floor(memory)` [m],
///   where the contact opens and closes again
/// - `remembers`, whether unloading has a curve of its own; `may_pull`; `needs_speed`, whether damping needs v0
/// - `asked(speed, mass)`, the e it was given, if it was; `restitution(speed, mass)`, the e that it returns alone
/// - `fault(mass)`, what is wrong with its parameters, if anything is
template <class F>
concept NormalForce = std::constructible_from<F, const Contact&> &&
    requires(const F& f, double d, double mass, const Memory& memory) {
  { F::name } -> std::convertible_to<std::string_view>;
  { F::summary } -> std::convertible_to<std::string_view>;
  { F::source } -> std::convertible_to<std::string_view>;
  { F::remembers } -> std::convertible_to<bool>;
  F::fields(f, [](std::string_view, const auto&, std::string_view) {});
  { f.law(d, d, memory) } -> std::same_as<double>;
  { f.reserve(d, d, memory) } -> std::same_as<double>;
  { f.stored(d, memory) } -> std::same_as<double>;
  { f.elastic(d, memory) } -> std::same_as<double>;
  { f.indentation(d) } -> std::same_as<double>;
  { f.stiffness(d, memory) } -> std::same_as<double>;
  { f.stiffening(d, memory) } -> std::same_as<double>;
  { f.slope(d, d, memory) } -> std::same_as<double>;
  { f.damping(d, memory) } -> std::same_as<double>;
  { f.touch(d, mass) } -> std::same_as<Memory>;
  { f.turn(d, memory) } -> std::same_as<Memory>;
  { f.floor(memory) } -> std::same_as<double>;
  { f.may_pull() } -> std::same_as<bool>;
  { f.needs_speed() } -> std::same_as<bool>;
  { f.asked(d, mass) } -> std::same_as<std::optional<double>>;
  { f.restitution(d, mass) } -> std::same_as<double>;
  { f.fault(mass) } -> std::same_as<std::optional<Fault>>;
};

/// The force of a contact at any d: nothing where it is open or would have to pull and may not.
template <NormalForce F>
double force(const F& f, double d, double rate, const Memory& memory) {
  if (d <= f.floor(memory)) return 0;
  return f.may_pull() || f.reserve(d, rate, memory) > 0 ? f.law(d, rate, memory) : 0;
}

}  // namespace carom::forces
