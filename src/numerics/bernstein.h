#pragma once

#include <array>
#include <cmath>
#include <optional>

namespace carom::numerics {

/// A polynomial on [0, 1] by its Bernstein coefficients. It lies between the smallest and the largest of them, and its
/// first and last are its values at the ends: that decides most questions about roots without computing any.
template <int degree>
using Bernstein = std::array<double, degree + 1>;

constexpr double binomial(int n, int k) {
  double result = 1;
  for (int i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return k < 0 || k > n ? 0 : result;
}

/// From the nested form of Runge-Kutta interpolants, r0 + x (r1 + (1-x) (r2 + x (r3 + (1-x) (r4 + ...)))).
template <int degree>
Bernstein<degree> from_nested(const std::array<double, degree + 1>& nested) {
  // Term j is r_j x^a (1-x)^b with a = (j + 1) / 2, b = j / 2.
  static constexpr auto weights = [] {
    std::array<std::array<double, degree + 1>, degree + 1> w{};
    for (int j = 0; j <= degree; ++j)
      for (int i = 0; i <= degree; ++i) w[i][j] = binomial(degree - j, i - (j + 1) / 2) / binomial(degree, i);
    return w;
  }();
  Bernstein<degree> result{};
  for (int i = 0; i <= degree; ++i)
    for (int j = 0; j <= degree; ++j) result[i] += weights[i][j] * nested[j];
  return result;
}

/// The two halves of a polynomial, by de Casteljau's scheme.
template <std::size_t n>
void halve(const std::array<double, n>& p, std::array<double, n>& left, std::array<double, n>& right) {
  right = p;
  for (std::size_t level = 0; level < n; ++level) {
    left[level] = right[0];
    for (std::size_t i = 0; i + 1 < n - level; ++i) right[i] = 0.5 * (right[i] + right[i + 1]);
  }
}

template <std::size_t n>
double value(std::array<double, n> p, double x) {
  for (std::size_t level = 1; level < n; ++level)
    for (std::size_t i = 0; i + level < n; ++i) p[i] += x * (p[i + 1] - p[i]);
  return p[0];
}

/// The coefficients of 1, x, x^2, ...
template <std::size_t n>
std::array<double, n> to_powers(const std::array<double, n>& p) {
  static constexpr auto weights = [] {
    std::array<std::array<double, n>, n> w{};
    for (int k = 0; k < static_cast<int>(n); ++k)
      for (int i = 0; i <= k; ++i) w[k][i] = ((k - i) % 2 == 0 ? 1 : -1) * binomial(n - 1, k) * binomial(k, i);
    return w;
  }();
  std::array<double, n> powers{};
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i <= k; ++i) powers[k] += weights[k][i] * p[i];
  return powers;
}

/// The root of p between a, where p >= 0, and b, where p < 0, if there is only one: Newton's method, kept inside.
template <std::size_t n>
double refine_fall(const std::array<double, n>& p, double a, double b) {
  constexpr int kSteps = 60;
  constexpr double kAccuracy = 1e-14;
  const std::array<double, n> powers = to_powers(p);
  double x = 0.5 * (a + b);
  for (int step = 0; step < kSteps; ++step) {
    double at_x = 0, slope = 0;
    for (std::size_t k = n; k-- > 0;) {
      slope = slope * x + at_x;
      at_x = at_x * x + powers[k];
    }
    (at_x < 0 ? b : a) = x;
    double next = x - at_x / slope;
    if (!(next >= a && next <= b)) next = 0.5 * (a + b);
    if (std::abs(next - x) <= kAccuracy) return next;
    x = next;
  }
  return x;
}

/// The first x in [0, 1] at which p passes from p >= 0 to p < 0; found also if p comes back up before 1. Nothing if
/// there is none.
template <std::size_t n>
std::optional<double> first_fall(const std::array<double, n>& p) {
  constexpr int kHalvings = 40;
  struct Piece {
    std::array<double, n> p;
    double from, to;
  };
  std::array<Piece, kHalvings + 2> stack;
  std::size_t top = 0;
  stack[top++] = {p, 0, 1};
  while (top > 0) {
    const Piece piece = stack[--top];
    int falls = 0, changes = 0;
    double before = piece.p[0];
    for (std::size_t i = 1; i < n; ++i) {
      if (piece.p[i] == 0) continue;
      if (before >= 0 && piece.p[i] < 0) ++falls, ++changes;
      if (before < 0 && piece.p[i] > 0) ++changes;
      before = piece.p[i];
    }
    if (falls == 0) continue;
    if (changes == 1) return refine_fall(p, piece.from, piece.to);  // Descartes: exactly one root
    if (top + 2 > stack.size()) return piece.from;                  // a double root to all digits
    const double middle = 0.5 * (piece.from + piece.to);
    Piece &right = stack[top], &left = stack[top + 1];
    halve(piece.p, left.p, right.p);
    left.from = piece.from;
    right.to = piece.to;
    left.to = right.from = middle;
    top += 2;
  }
  return std::nullopt;
}

}  // namespace carom::numerics
