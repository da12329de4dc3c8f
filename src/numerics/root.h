#pragma once

#include <cmath>

namespace carom::numerics {

/// A zero of a continuous f between a and b, where it has different signs (or is 0): secants, kept inside a bracket
/// that halves wherever they are slow. Down to rounding.
template <class F>
double bracketed_zero(F&& f, double a, double b) {
  constexpr int kSteps = 200;
  constexpr double kAccuracy = 4e-16;  // of the bracket, relative to where it is
  double f_a = f(a), f_b = f(b);
  if (f_a == 0) return a;
  for (int step = 0; step < kSteps && f_b != 0; ++step) {
    const double width = std::abs(b - a);
    if (width <= kAccuracy * std::abs(b)) break;
    double x = b - f_b * ((b - a) / (f_b - f_a));
    const bool inside = x > std::fmin(a, b) && x < std::fmax(a, b);
    if (!inside || step % 3 == 2) x = 0.5 * (a + b);
    if (x == a || x == b) break;
    const double f_x = f(x);
    if ((f_x < 0) != (f_b < 0)) {
      a = b;
      f_a = f_b;
    }
    b = x;
    f_b = f_x;
  }
  return b;
}

}  // namespace carom::numerics
