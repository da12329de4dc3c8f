#include "carom/numerics/runge_kutta.h"

#include <gtest/gtest.h>

#include <numbers>

namespace carom::numerics {
namespace {

/// A planet on an ellipse of eccentricity 0.3, which comes back after 2 pi.
struct Kepler {
  int* evaluations;
  void operator()(double, const double* y, double* dy) const {
    const double r = std::hypot(y[0], y[1]), a = -1 / (r * r * r);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = a * y[0];
    dy[3] = a * y[1];
    ++*evaluations;
  }
};
constexpr double kStart[4] = {0.7, 0, 0, 1.3627702877384937};  // sqrt((1 + 0.3) / (1 - 0.3))

/// Error after one turn in equal steps, and the error of the interpolant in the middle of the steps of half a turn.
template <class Pair>
std::pair<double, double> error_of(int steps) {
  int evaluations = 0;
  Kepler f{&evaluations};
  RungeKutta<Pair> rk, fine;
  rk.resize(4);
  fine.resize(4);
  double y[4], weight[4] = {1, 1, 1, 1}, interpolation = 0;
  std::copy(kStart, kStart + 4, y);
  const double h = 2 * std::numbers::pi / steps;
  for (int step = 0; step < steps; ++step) {
    rk.start(f, 0, y);
    rk.attempt(f, 0, h, y, weight);
    rk.interpolate(f, 0, h, y);
    double z[4];
    std::copy(y, y + 4, z);
    for (int part = 0; part < 8; ++part) {  // the middle of the step, as good as exactly
      fine.start(f, 0, z);
      fine.attempt(f, 0, h / 16, z, weight);
      std::copy(fine.end(), fine.end() + 4, z);
    }
    for (int i = 0; i < 4; ++i) interpolation = std::max(interpolation, std::abs(value(rk.polynomial(i), 0.5) - z[i]));
    std::copy(rk.end(), rk.end() + 4, y);
  }
  double error = 0;
  for (int i = 0; i < 4; ++i) error = std::max(error, std::abs(y[i] - kStart[i]));
  return {error, interpolation};
}

template <class Pair>
void expect_order(int steps, double order, double interpolation_order) {
  const auto [coarse, coarse_middle] = error_of<Pair>(steps);
  const auto [fine, fine_middle] = error_of<Pair>(2 * steps);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.5);
  EXPECT_NEAR(std::log2(coarse_middle / fine_middle), interpolation_order, 0.6);  // local: one more than its order
}

TEST(RungeKutta, HasItsOrder) {
  expect_order<DormandPrince5>(160, 5, 5);
  expect_order<DormandPrince8>(48, 8, 8);
}

TEST(RungeKutta, RowsSumToTheirAbscissae) {
  const auto check = []<class Pair>(Pair) {
    for (int row = 0; row < Pair::rows; ++row) {
      double sum = 0;
      for (const double a : Pair::a[row]) sum += a;
      EXPECT_NEAR(sum, Pair::c[row], 1e-14) << row;
    }
    for (int row = 0; row < Pair::error_rows; ++row) {
      double sum = 0;
      for (const double e : Pair::error[row]) sum += e;
      EXPECT_NEAR(sum, 0, 1e-14);
    }
  };
  check(DormandPrince5{});
  check(DormandPrince8{});
}

template <class Pair>
double adaptive_error(double tolerance, int& evaluations) {
  Kepler f{&evaluations};
  RungeKutta<Pair> rk;
  rk.resize(4);
  StepControl control(Pair::error_order);
  double y[4], t = 0, h = 1e-3;
  std::copy(kStart, kStart + 4, y);
  const double weight[4] = {1 / tolerance, 1 / tolerance, 1 / tolerance, 1 / tolerance};
  rk.start(f, t, y);
  while (t < 2 * std::numbers::pi) {
    h = std::min(h, 2 * std::numbers::pi - t);
    const double error = rk.attempt(f, t, h, y, weight);
    if (error > 1) {
      h = control.after_failure(h, error);
      continue;
    }
    rk.finish(f, t + h);
    std::copy(rk.end(), rk.end() + 4, y);
    rk.advance();
    t += h;
    h = control.after_success(h, error);
  }
  double result = 0;
  for (int i = 0; i < 4; ++i) result = std::max(result, std::abs(y[i] - kStart[i]));
  return result;
}

TEST(RungeKutta, KeepsToItsTolerance) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    int five = 0, eight = 0;
    EXPECT_LE(adaptive_error<DormandPrince5>(tolerance, five), 100 * tolerance);
    EXPECT_LE(adaptive_error<DormandPrince8>(tolerance, eight), 100 * tolerance);
    if (tolerance <= 1e-8) {
      EXPECT_LT(eight, five);
    }
  }
}

TEST(Bernstein, FindsTheFirstFall) {
  // (x - 0.2) (x - 0.21) (x - 0.9), from below: up at 0.2, down at 0.21, up at 0.9.
  const auto coefficients = [](double a, double b, double c) {
    const double p0 = -a * b * c, p1 = a * b + b * c + a * c, p2 = -(a + b + c), p3 = 1;  // powers of x
    return Bernstein<3>{p0, p0 + p1 / 3, p0 + 2 * p1 / 3 + p2 / 3, p0 + p1 + p2 + p3};
  };
  EXPECT_NEAR(first_fall(coefficients(0.2, 0.21, 0.9)).value(), 0.21, 1e-13);
  Bernstein<3> p = coefficients(0.2, 0.2 + 1e-6, 0.9);
  EXPECT_NEAR(first_fall(p).value(), 0.2, 2e-6);
  for (double& c : p) c = -c;  // down at 0.2, up right after, down at 0.9
  EXPECT_NEAR(first_fall(p).value(), 0.2, 2e-6);
  EXPECT_FALSE(first_fall(Bernstein<3>{1, 2, 0.5, 1}).has_value());
  EXPECT_FALSE(first_fall(Bernstein<3>{-1, -2, 0.5, 1}).has_value());
  EXPECT_EQ(first_fall(Bernstein<1>{0, -1}).value(), 0);
  EXPECT_NEAR(first_fall(Bernstein<1>{1e-300, -1}).value(), 0, 1e-15);
}

TEST(Bernstein, NestedFormIsTheSamePolynomial) {
  const std::array<double, 8> r = {1, -2, 3, 0.5, -1, 2, 0.25, -3};
  const Bernstein<7> p = from_nested<7>(r);
  for (const double x : {0.0, 0.1, 0.5, 0.77, 1.0}) {
    double nested = r[7];
    for (int j = 6; j >= 0; --j) nested = r[j] + (j % 2 == 0 ? x : 1 - x) * nested;
    EXPECT_NEAR(value(p, x), nested, 1e-14);
  }
}

}  // namespace
}  // namespace carom::numerics
