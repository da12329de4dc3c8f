#pragma once

#include <cmath>
#include <concepts>

#include "carom/impact/problem.h"

namespace carom::springs {

/// A force k s^eta of the indentation s > 0 [m], and the energy in it.
struct PowerForce {
  double k, eta;

  explicit PowerForce(const Contact& contact) : k(contact.k), eta(contact.eta) {}
  double at(double s) const {
    if (s <= 0) return 0;
    return eta == 1.5 ? k * s * std::sqrt(s) : eta == 1 ? k * s : k * std::pow(s, eta);
  }
  double energy(double s) const { return at(s) * s / (eta + 1); }
  double indentation(double energy) const {  // that stores it
    return energy > 0 ? std::pow(energy * (eta + 1) / k, 1 / (eta + 1)) : 0;
  }
};

/// How a contact presses and what it gives back: made from a contact, a plain value with
/// - `force(s, rate, mark)`, of the indentation, its rate and what the contact remembers of its compression;
/// `stored(s)`
/// - `mark(s)`, what an expansion that starts at s remembers, and `floor(mark)`, the indentation at which it ends
/// - `unloading_rate()`, by which s falls faster than the bodies part, once they do
/// - `recoverable(s, mark)`, the energy that an expansion gives back; `lost_turning(s, mark)`, what one has lost that a
///   new compression ends at s; `lost_opening(mark)`, what one loses to its end
/// - `jumps()`, whether its force does where the contact opens; `keeps_gap`, whether an open contact has a gap that
/// must
///   close again
/// - `e`, the root of the share of energy that is given back
template <class F>
concept ContactForce = std::constructible_from<F, const Contact&> && requires(const F& f, double s, double mark) {
  { F::keeps_gap } -> std::convertible_to<bool>;
  { f.power } -> std::convertible_to<PowerForce>;
  { f.e } -> std::convertible_to<double>;
  { f.force(s, s, mark) } -> std::same_as<double>;
  { f.stored(s) } -> std::same_as<double>;
  { f.mark(s) } -> std::same_as<double>;
  { f.floor(mark) } -> std::same_as<double>;
  { f.unloading_rate() } -> std::same_as<double>;
  { f.recoverable(s, mark) } -> std::same_as<double>;
  { f.lost_turning(s, mark) } -> std::same_as<double>;
  { f.lost_opening(mark) } -> std::same_as<double>;
  { f.jumps() } -> std::same_as<bool>;
};

}  // namespace carom::springs
