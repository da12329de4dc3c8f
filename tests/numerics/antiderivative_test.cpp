#include "carom/numerics/antiderivative.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace carom::numerics {
namespace {

/// Largest error against the closed form, relative to its largest value.
template <class F, class Integral>
double worst_error(F&& f, Integral&& integral, double from, double to) {
  const Antiderivative F_numerical(f, from, to);
  EXPECT_FALSE(F_numerical.trouble());
  double worst = 0, largest = 0;
  for (int i = 0; i <= 10007; ++i) {
    const double t = from + (to - from) * i / 10007, exact = integral(t) - integral(from);
    worst = std::max(worst, std::abs(F_numerical.at(t) - exact));
    largest = std::max(largest, std::abs(exact));
  }
  return worst / largest;
}

TEST(Antiderivative, OfSmoothFunctionsIsExactToRounding) {
  EXPECT_LT(worst_error([](double t) { return 1 + t * t; }, [](double t) { return t + t * t * t / 3; }, -2, 5), 1e-14);
  EXPECT_LT(worst_error([](double t) { return std::exp(-t); }, [](double t) { return -std::exp(-t); }, 0, 30), 1e-13);
  EXPECT_LT(worst_error([](double t) { return std::cos(t); }, [](double t) { return std::sin(t); }, 0, 20), 1e-14);
}

TEST(Antiderivative, FollowsThousandsOfPeriodsWhateverTheUnits) {
  for (const double unit : {1e-6, 1.0, 1e9}) {
    const double w = 700 / unit;
    const double error = worst_error([&](double t) { return w * std::cos(w * t); },
                                     [&](double t) { return std::sin(w * t); }, 0, 40 * unit);
    EXPECT_LT(error, 1e-10) << "4456 periods, each of which adds the rounding of t: a phase of up to 3e-12";
  }
}

TEST(Antiderivative, EnclosesJumpsAndKinks) {
  const double at = 1 / std::sqrt(3);
  EXPECT_LT(
      worst_error([&](double t) { return t > at ? 1.0 : 0.0; }, [&](double t) { return std::max(0.0, t - at); }, 0, 1),
      1e-13);
  EXPECT_LT(worst_error([&](double t) { return std::abs(t - at); },
                        [&](double t) { return 0.5 * (t - at) * std::abs(t - at); }, 0, 1),
            1e-12);
}

TEST(Antiderivative, ReachesALittleBeyondItsEnds) {
  const Antiderivative F([](double t) { return std::cos(t); }, 0, 2);
  EXPECT_NEAR(F.at(-0.3), std::sin(-0.3), 1e-15);
  EXPECT_NEAR(F.at(2.3), std::sin(2.3), 1e-15);
}

TEST(Antiderivative, SaysWhereItFails) {
  const Antiderivative wild([](double t) { return std::sin(1e9 * t); }, 0, 1e3);
  EXPECT_TRUE(wild.trouble());
  const Antiderivative nowhere([](double t) { return std::sqrt(0.5 - t); }, 0, 1);
  ASSERT_TRUE(nowhere.trouble());
  EXPECT_NEAR(*nowhere.trouble(), 0.5, 1.0 / 512);
}

}  // namespace
}  // namespace carom::numerics
