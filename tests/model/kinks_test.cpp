// Where prescribed motion and loads stop being smooth, against times known in closed form.

#include "carom/model/kinks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;

/// All kinks of a time function in (from, to].
std::vector<double> kinks(const TimeFunction& time_function, double from, double to) {
  std::vector<double> found;
  while (const auto kink = time_function.next_kink(found.empty() ? from : found.back(), to)) {
    EXPECT_GT(*kink, found.empty() ? from : found.back());
    EXPECT_LE(*kink, to);
    found.push_back(*kink);
    if (found.size() > 1000) break;
  }
  return found;
}

void expect_kinks(const std::string& formula, double from, double to, const std::vector<double>& expected,
                  double tolerance = 1e-15) {
  const std::vector<double> found = kinks(TimeFunction::formula(formula), from, to);
  ASSERT_EQ(found.size(), expected.size()) << formula;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << formula;
}

TEST(Kinks, SmoothFormulasHaveNone) {
  for (const char* formula : {"sin(3*t)", "t^3 - t", "exp(-t)*cos(9*t)", "sqrt(1 + t^2)", "2 + 0*t", "tanh(50*(t-1))"})
    expect_kinks(formula, -2, 5, {});
}

TEST(Kinks, BranchesChangeWhereTheirArgumentsDo) {
  expect_kinks("step(t - 0.7)", 0, 1, {0.7});
  expect_kinks("abs(t - 0.7)", 0, 1, {0.7});
  expect_kinks("abs(0.7 - t)", 0, 1, {0.7});
  expect_kinks("max(0, 3*t - 1)", 0, 1, {1.0 / 3});
  expect_kinks("min(t^2, 2)", 0, 10, {std::sqrt(2.0)});
  expect_kinks("abs(sin(t))", 0.1, 10, {kPi, 2 * kPi, 3 * kPi});
  expect_kinks("step(t - 0.2) - step(t - 0.2000001)", 0, 1, {0.2, 0.2000001});
  expect_kinks("1e-9*abs(t - 1e-7)", 0, 1e-3, {1e-7});
}

TEST(Kinks, TwoChangesBetweenSamplesAreBothFound) {
  expect_kinks("max(0, 1e-8 - (t - 0.51)^2)", 0, 1, {0.5099, 0.5101}, 1e-11);
  expect_kinks("abs((t - 0.4)*(t - 0.4001))", 0, 3, {0.4, 0.4001}, 1e-11);
}

TEST(Kinks, FastArgumentsAreFollowed) {
  const std::vector<double> found = kinks(TimeFunction::formula("abs(sin(100*pi*t))"), 0.001, 1.005);
  ASSERT_EQ(found.size(), 100U);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], 0.01 * static_cast<double>(i + 1), 1e-14);
}

TEST(Kinks, AnArgumentThatOnlyTouchesZeroChangesNoBranch) {
  expect_kinks("abs((t - 1)^2)", 0, 3, {});
  expect_kinks("max(0, -(t - 1.3)^2)", 0, 3, {});
  expect_kinks("max(sin(t), 1)", 0, 3, {});
}

TEST(Kinks, ARootOfASquareIsAnAbsoluteValue) {
  expect_kinks("sqrt((t - 1)^2)", 0, 3, {1}, 1e-8);
  expect_kinks("((t - 1)^2)^0.5", 0, 3, {1}, 1e-8);
  expect_kinks("asin(sin(t))", 0, 8, {kPi / 2, 3 * kPi / 2, 5 * kPi / 2}, 1e-7);
}

TEST(Kinks, TheCourseIsTheOldOneJustBeforeAndTheNewOneThere) {
  const TimeFunction time_function = TimeFunction::formula("step(t - 0.7)");
  const double kink = time_function.next_kink(0, 1).value();
  EXPECT_EQ(time_function.at(std::nextafter(kink, 0.0)).value, 0);
  EXPECT_EQ(time_function.at(kink).value, 1);
  EXPECT_FALSE(time_function.next_kink(kink, 1));
  EXPECT_TRUE(time_function.next_kink(std::nextafter(kink, 0.0), kink));
}

TEST(Kinks, ARecordBeginsAndEnds) {
  const TimeFunction record = TimeFunction::table({1, 2, 3}, {0, 5, 1});
  for (const TimeFunction& time_function : {record, record.times(-2).plus(7), TimeFunction::integral(record, 10)}) {
    const std::vector<double> found = kinks(time_function, 0, 10);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(found[0], 1, 1e-15);
    EXPECT_NEAR(found[1], 3, 1e-15);
  }
  EXPECT_NE(record.at(*record.next_kink(0, 10)).rate, 0);
  EXPECT_FALSE(record.next_kink(1.5, 2.9));
  EXPECT_FALSE(record.next_kink(3, 9));
  EXPECT_TRUE(kinks(TimeFunction::table({1}, {4}), 0, 10).empty());
  EXPECT_TRUE(kinks(record.times(0), 0, 10).empty());
  EXPECT_TRUE(kinks(TimeFunction(3), 0, 10).empty());
}

TEST(Kinks, TheFirstOfAllBodiesAndLoadsCounts) {
  Description description;
  description.dimension = Dimension::plane;
  description.bodies.resize(3);
  description.bodies[1].prescribed.emplace().position[1] = TimeFunction::formula("abs(t - 0.5)");
  description.bodies[2].prescribed.emplace().angle = TimeFunction::integral(TimeFunction::formula("step(t - 0.25)"), 2);
  description.loads.resize(1);
  description.loads[0].force[0] = TimeFunction::formula("max(0, t - 0.75)");
  const Model model(description);
  std::vector<double> found{0};
  while (const auto kink = next_kink(model, found.back(), 2)) found.push_back(*kink);
  ASSERT_EQ(found.size(), 4U);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], 0.25 * static_cast<double>(i), 1e-15);
  EXPECT_FALSE(next_kink(model, 0, 0.2));
}

}  // namespace
}  // namespace carom
