#pragma once

namespace carom {

/// A quantity at one instant with its first and second derivative in time.
struct Jet {
  double value = 0, rate = 0, acceleration = 0;
};

/// Calculus with jets: derivatives are exact where they exist. Where they do not (abs, min, max at a kink) they are one
/// of the two one-sided ones; an infinite slope (sqrt at 0) does not count where nothing moves.
Jet operator-(const Jet& x);
Jet operator+(const Jet& a, const Jet& b);
Jet operator-(const Jet& a, const Jet& b);
Jet operator*(const Jet& a, const Jet& b);
Jet operator/(const Jet& a, const Jet& b);

namespace jets {

Jet sin(const Jet& x);
Jet cos(const Jet& x);
Jet tan(const Jet& x);
Jet asin(const Jet& x);
Jet acos(const Jet& x);
Jet atan(const Jet& x);
Jet sinh(const Jet& x);
Jet cosh(const Jet& x);
Jet tanh(const Jet& x);
Jet exp(const Jet& x);
Jet log(const Jet& x);
Jet sqrt(const Jet& x);
Jet abs(const Jet& x);
Jet step(const Jet& x);  // 1 where x > 0, else 0
Jet min(const Jet& a, const Jet& b);
Jet max(const Jet& a, const Jet& b);
Jet power(const Jet& a, const Jet& b);  // a^b; a negative base needs a constant exponent

}  // namespace jets
}  // namespace carom
