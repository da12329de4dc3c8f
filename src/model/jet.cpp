#include "carom/model/jet.h"

#include <cmath>

namespace carom {
namespace {

double along(double slope, double rate) {
  return rate == 0 ? 0 : slope * rate;
}

/// f(x) by the chain rule, from f, f' and f'' at x.
Jet chain(const Jet& x, double f, double slope, double bend) {
  return {f, along(slope, x.rate), along(bend, x.rate * x.rate) + along(slope, x.acceleration)};
}

/// n x^(n-1), also where n = 0 and x = 0.
double power_slope(double x, double n) {
  return n == 0 ? 0 : n * std::pow(x, n - 1);
}

}  // namespace

Jet operator-(const Jet& x) {
  return {-x.value, -x.rate, -x.acceleration};
}
Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
}
Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.rate - b.rate, a.acceleration - b.acceleration};
}
Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration};
}
Jet operator/(const Jet& a, const Jet& b) {
  const double f = 1 / b.value;
  Jet quotient = a * chain(b, f, -f * f, 2 * f * f * f);
  quotient.value = a.value / b.value;
  return quotient;
}

namespace jets {

Jet sin(const Jet& x) {
  const double f = std::sin(x.value);
  return chain(x, f, std::cos(x.value), -f);
}
Jet cos(const Jet& x) {
  const double f = std::cos(x.value);
  return chain(x, f, -std::sin(x.value), -f);
}
Jet tan(const Jet& x) {
  const double f = std::tan(x.value), slope = 1 + f * f;
  return chain(x, f, slope, 2 * f * slope);
}
Jet asin(const Jet& x) {
  const double slope = 1 / std::sqrt(1 - x.value * x.value);
  return chain(x, std::asin(x.value), slope, x.value * slope * slope * slope);
}
Jet acos(const Jet& x) {
  const double slope = -1 / std::sqrt(1 - x.value * x.value);
  return chain(x, std::acos(x.value), slope, x.value * slope * slope * slope);
}
Jet atan(const Jet& x) {
  const double slope = 1 / (1 + x.value * x.value);
  return chain(x, std::atan(x.value), slope, -2 * x.value * slope * slope);
}
Jet sinh(const Jet& x) {
  const double f = std::sinh(x.value);
  return chain(x, f, std::cosh(x.value), f);
}
Jet cosh(const Jet& x) {
  const double f = std::cosh(x.value);
  return chain(x, f, std::sinh(x.value), f);
}
Jet tanh(const Jet& x) {
  const double f = std::tanh(x.value), slope = 1 - f * f;
  return chain(x, f, slope, -2 * f * slope);
}
Jet exp(const Jet& x) {
  const double f = std::exp(x.value);
  return chain(x, f, f, f);
}
Jet log(const Jet& x) {
  const double slope = 1 / x.value;
  return chain(x, std::log(x.value), slope, -slope * slope);
}
Jet sqrt(const Jet& x) {
  const double f = std::sqrt(x.value);
  return chain(x, f, 0.5 / f, -0.25 / (f * x.value));
}
Jet abs(const Jet& x) {
  return x.value < 0 ? -x : x;
}
Jet step(const Jet& x) {
  return {x.value > 0 ? 1.0 : 0.0, 0, 0};
}
Jet min(const Jet& a, const Jet& b) {
  return b.value < a.value ? b : a;
}
Jet max(const Jet& a, const Jet& b) {
  return b.value > a.value ? b : a;
}
Jet power(const Jet& a, const Jet& b) {
  if (b.rate != 0 || b.acceleration != 0) return exp(b * log(a));
  const double n = b.value;
  return chain(a, std::pow(a.value, n), power_slope(a.value, n), n == 0 ? 0 : n * power_slope(a.value, n - 1));
}

}  // namespace jets
}  // namespace carom
