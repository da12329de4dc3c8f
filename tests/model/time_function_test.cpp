#include "carom/model/time_function.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/error.h"
#include "carom/numerics/antiderivative.h"

namespace carom {
namespace {

TEST(TimeFunction, ANumberStandsStill) {
  const TimeFunction time_function = 2.5;
  EXPECT_TRUE(time_function.is_constant());
  EXPECT_EQ(time_function.at(7).value, 2.5);
  EXPECT_EQ(time_function.at(7).rate, 0);
}

TEST(TimeFunction, MovedAndScaled) {
  const TimeFunction time_function = TimeFunction::formula("t^2").plus(1).times(3).plus(0.5);
  EXPECT_FALSE(time_function.is_constant());
  EXPECT_EQ(time_function.at(2).value, 15.5);
  EXPECT_EQ(time_function.at(2).rate, 12);
  EXPECT_EQ(time_function.at(2).acceleration, 6);
  EXPECT_EQ(TimeFunction(2).times(3).plus(1).at(0).value, 7);
}

TEST(TimeFunction, AFormulaWithoutTIsANumber) {
  EXPECT_TRUE(TimeFunction::formula("2*A", {{"A", 1.5}}).is_constant());
  EXPECT_EQ(TimeFunction::formula("2*A", {{"A", 1.5}}).at(3).value, 3);
  EXPECT_FALSE(TimeFunction::formula("0*t").is_constant());
}

void expect_same(const Jet& a, const Jet& b, double tolerance) {
  EXPECT_NEAR(a.value, b.value, tolerance);
  EXPECT_NEAR(a.rate, b.rate, tolerance);
  EXPECT_NEAR(a.acceleration, b.acceleration, tolerance);
}

TEST(Integral, OfAVelocityIsThePositionWithItsDerivatives) {
  const Constants constants = {{"A", 0.01}, {"w", 31.0}};
  const TimeFunction position = TimeFunction::formula("A*sin(w*t)", constants);
  const TimeFunction moved = TimeFunction::integral(TimeFunction::formula("A*w*cos(w*t)", constants), 10);
  for (double t = 0; t <= 10; t += 0.0137) {
    EXPECT_NEAR(moved.at(t).value, position.at(t).value, 1e-12 * 0.01);
    EXPECT_NEAR(moved.at(t).rate, position.at(t).rate, 1e-13);
    EXPECT_NEAR(moved.at(t).acceleration, position.at(t).acceleration, 1e-12);
  }
  EXPECT_EQ(moved.at(0).value, 0);
}

TEST(Integral, OfWhatWasMovedAndScaled) {
  const TimeFunction moved = TimeFunction::integral(TimeFunction::formula("2*t").times(3).plus(1), 2).times(2).plus(5);
  expect_same(moved.at(1.5), {5 + 2 * (1.5 + 3 * 2.25), 2 * (1 + 9.0), 12}, 1e-13);
  expect_same(TimeFunction::integral(TimeFunction(0.5), 2).at(3), {1.5, 0.5, 0}, 0);
}

TEST(Integral, OfARecordIsExactBetweenItsLinesAndGoesOnBeyondThem) {
  const TimeFunction rate = TimeFunction::table({1, 2, 3, 5}, {1, 3, -2, 4}), moved = TimeFunction::integral(rate, 10);
  EXPECT_EQ(moved.at(0).value, 0);
  EXPECT_NEAR(moved.at(1).value, 1, 1e-15) << "before its first line the velocity is that of the line";
  const numerics::Antiderivative numerical([&](double t) { return rate.at(t).value; }, 0, 7);
  for (const double t : {0.3, 1.0, 1.7, 2.0, 2.9, 4.4, 5.0, 6.5}) {
    EXPECT_NEAR(moved.at(t).value, numerical.at(t), 1e-12) << t;
    EXPECT_EQ(moved.at(t).rate, rate.at(t).value);
    EXPECT_EQ(moved.at(t).acceleration, rate.at(t).rate);
  }
  EXPECT_NEAR(moved.at(7).value - moved.at(6).value, 4, 1e-14);
}

TEST(Integral, NeedsAVelocityThatCanBeFollowed) {
  EXPECT_THROW(TimeFunction::integral(TimeFunction::formula("sin(1e9*t)"), 1e3), InputError);
  EXPECT_THROW(TimeFunction::integral(TimeFunction::formula("sqrt(1-t)"), 3), InputError);
}

std::string error_of_table(std::vector<double> times, std::vector<double> values) {
  try {
    TimeFunction::table(std::move(times), std::move(values));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Record, PassesThroughItsPointsWithContinuousRateAndAcceleration) {
  const std::vector<double> t = {0, 0.1, 0.25, 0.3, 0.7, 1}, y = {0, 1, -1, 2, 2, 0};
  const TimeFunction time_function = TimeFunction::table(t, y);
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(time_function.at(t[i]).value, y[i], 1e-15);
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {
    const double h = 1e-9;
    const Jet before = time_function.at(t[i] - h), after = time_function.at(t[i] + h);
    EXPECT_NEAR(before.rate, after.rate, 1e-4);
    EXPECT_NEAR(before.acceleration, after.acceleration, 1e-2);
  }
  EXPECT_NEAR(time_function.at(1e-12).acceleration, 0, 1e-6);
  EXPECT_NEAR(time_function.at(1 - 1e-12).acceleration, 0, 1e-6);
}

TEST(Record, ItsRateAndAccelerationAreDerivativesOfItsValue) {
  const TimeFunction time_function = TimeFunction::table({0, 1, 2, 4}, {1, 3, 2, 5});
  for (const double t : {0.3, 1.5, 3.1}) {
    const double h = 1e-5;
    const Jet jet = time_function.at(t), up = time_function.at(t + h), down = time_function.at(t - h);
    EXPECT_NEAR(jet.rate, (up.value - down.value) / (2 * h), 1e-8);
    EXPECT_NEAR(jet.acceleration, (up.rate - down.rate) / (2 * h), 1e-8);
  }
}

TEST(Record, OfAStraightLineIsThatLine) {
  const TimeFunction time_function = TimeFunction::table({0, 0.5, 2, 3}, {1, 2, 5, 7});
  EXPECT_NEAR(time_function.at(1.3).value, 3.6, 1e-14);
  EXPECT_NEAR(time_function.at(1.3).rate, 2, 1e-14);
  EXPECT_NEAR(time_function.at(1.3).acceleration, 0, 1e-13);
}

TEST(Record, OfASmoothMotionConvergesWithTheFourthPowerOfTheInterval) {
  const auto error = [](int n) {
    std::vector<double> t, y;
    for (int i = 0; i <= n; ++i) {  // sin is natural at 0 and at pi
      t.push_back(3.141592653589793 * i / n);
      y.push_back(std::sin(t.back()));
    }
    const TimeFunction time_function = TimeFunction::table(t, y);
    double worst = 0;
    for (double x = 0; x < 3.14; x += 0.001) worst = std::max(worst, std::abs(time_function.at(x).value - std::sin(x)));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(20) / error(40)), 4, 0.2);
}

TEST(Record, IsConstantBeforeAndAfter) {
  const TimeFunction time_function = TimeFunction::table({1, 2}, {3, 5});
  EXPECT_EQ(time_function.at(0).value, 3);
  EXPECT_EQ(time_function.at(0).rate, 0);
  EXPECT_EQ(time_function.at(9).value, 5);
  EXPECT_EQ(time_function.at(1.5).value, 4);
  EXPECT_EQ(TimeFunction::table({1}, {3}).at(1.5).value, 3);
}

TEST(Record, Rules) {
  EXPECT_EQ(error_of_table({}, {}), "times: is empty; a record has at least one line");
  EXPECT_EQ(error_of_table({1, 2}, {1}), "values: has 1 entries, times has 2; a value belongs to each");
  EXPECT_EQ(error_of_table({1, 1}, {1, 2}), "times[1]: 1 is not after 1; times ascend");
  EXPECT_EQ(error_of_table({0, 1}, {1, NAN}), "values[1]: nan is not finite");
  EXPECT_EQ(error_of_table({0, INFINITY}, {1, 2}), "times[1]: inf is not finite");
}

TEST(TimeFunction, AccelerationsLeadToPositions) {
  const TimeFunction constant = TimeFunction::integral(TimeFunction::integral(3.0, 2), 2);
  EXPECT_NEAR(constant.at(2).value, 6, 1e-15);
  EXPECT_NEAR(constant.at(2).rate, 6, 1e-15);
  const TimeFunction formula = TimeFunction::integral(TimeFunction::integral(TimeFunction::formula("sin(3*t)"), 5), 5);
  for (const double t : {0.1, 1.0, 4.9}) {
    EXPECT_NEAR(formula.at(t).value, t / 3 - std::sin(3 * t) / 9, 1e-12);
    EXPECT_NEAR(formula.at(t).acceleration, std::sin(3 * t), 1e-15);
  }
  std::vector<double> times, values;  // a straight line is its own spline
  for (int i = 0; i <= 10; ++i) {
    times.push_back(0.5 + 0.3 * i);
    values.push_back(1 - 2 * times.back());
  }
  const TimeFunction record = TimeFunction::table(times, values);
  const TimeFunction place = TimeFunction::integral(TimeFunction::integral(record.times(2).plus(0.25), 9), 9);
  EXPECT_NEAR(place.at(0).value, 0, 1e-15);
  // before 0.5 the record is 0, from there to 3.5 it is 1 - 2 t, after it -6
  const auto first = [](double t) { return t < 0.5 ? 0 : t < 3.5 ? t - t * t - 0.25 : -9 - 6 * (t - 3.5); };
  const auto second = [](double t) {
    const auto within = [](double x) { return x * x / 2 - x * x * x / 3 - x / 4; };
    if (t < 0.5) return 0.0;
    if (t < 3.5) return within(t) - within(0.5);
    return within(3.5) - within(0.5) - 9 * (t - 3.5) - 3 * (t - 3.5) * (t - 3.5);
  };
  for (const double t : {0.2, 0.5, 1.1, 2.345, 3.5, 6.0}) {
    EXPECT_NEAR(place.at(t).rate, 2 * first(t) + 0.25 * t, 1e-12) << t;
    EXPECT_NEAR(place.at(t).value, 2 * second(t) + 0.125 * t * t, 1e-11) << t;
  }
  EXPECT_THROW(TimeFunction::integral(place, 9), InputError);
}

TEST(TimeFunction, WithoutDriftEndsAtRestWhereItBegan) {
  std::vector<double> times, values;
  for (int i = 0; i <= 200; ++i) {
    times.push_back(0.05 * i);
    values.push_back(std::sin(2.7 * times.back()) * std::exp(-0.2 * times.back()) + 0.03);
  }
  const TimeFunction record = TimeFunction::without_drift(TimeFunction::table(times, values).times(9.81));
  const TimeFunction place = TimeFunction::integral(TimeFunction::integral(record, 10), 10);
  EXPECT_NEAR(place.at(10).value, 0, 1e-10);
  EXPECT_NEAR(place.at(10).rate, 0, 1e-11);
  EXPECT_GT(std::abs(place.at(5).value), 0.01);
  EXPECT_THROW(TimeFunction::without_drift(TimeFunction::formula("t")), InputError);
}

}  // namespace
}  // namespace carom
