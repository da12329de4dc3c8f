// Restitution as a function of the speed or of the work of compression.

#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

namespace carom::testing {
namespace {

using Function = RestitutionFunction;

Function speeds(std::vector<double> at, std::vector<double> values) {
  return {{Function::Data{Function::Data::Of::speed, std::move(at), std::move(values)}}};
}

TEST(RestitutionFunction, FallsWithAPowerOfTheSpeedAndNeverBelowZero) {
  const Function e{{Function::SpeedPower{0.1, 0.25}}};
  EXPECT_DOUBLE_EQ(e.at(0, 0), 1);
  EXPECT_DOUBLE_EQ(e.at(16, 0), 0.8);
  EXPECT_DOUBLE_EQ(e.at(1e8, 0), 0);
  EXPECT_DOUBLE_EQ(e.largest(), 1);
}

TEST(RestitutionFunction, IsLinearBetweenDataAndConstantOutside) {
  const Function e = speeds({1, 2, 4}, {0.9, 0.5, 0.7});
  EXPECT_DOUBLE_EQ(e.at(0, 0), 0.9);
  EXPECT_DOUBLE_EQ(e.at(1.5, 0), 0.7);
  EXPECT_DOUBLE_EQ(e.at(3, 0), 0.6);
  EXPECT_DOUBLE_EQ(e.at(9, 0), 0.7);
  EXPECT_DOUBLE_EQ(e.largest(), 0.9);
}

TEST(RestitutionFunction, YieldsAboveASpeedWithoutAJump) {
  const Function e{{Function::Yield{0.1}}};
  EXPECT_DOUBLE_EQ(e.at(0.05, 0), 1);
  EXPECT_DOUBLE_EQ(e.at(0.1, 0), 1);
  EXPECT_NEAR(e.at(1.6, 0), 0.5, 1e-15);
}

TEST(RestitutionFunction, TakesTheSmallestOfItsForms) {
  const Function e{{Function::SpeedPower{0.1, 1}, constant_restitution(0.8)}};
  EXPECT_DOUBLE_EQ(e.at(1, 0), 0.8);
  EXPECT_DOUBLE_EQ(e.at(5, 0), 0.5);
  EXPECT_FALSE(e.reads_work());
}

TEST(RestitutionFunction, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(fault_of(speeds({1, 2}, {0.5, 0.6})), "");
  for (const Function& wrong :
       {Function{}, Function{{Function::SpeedPower{-1, 1}}}, Function{{Function::SpeedPower{1, 0}}},
        Function{{Function::SpeedPower{NAN, 1}}}, Function{{Function::Yield{0}}}, speeds({}, {}),
        speeds({1}, {0.5, 0.6}), speeds({2, 1}, {0.5, 0.6}), speeds({1, 1}, {0.5, 0.6}), speeds({-1}, {0.5}),
        speeds({1}, {1.5}), speeds({1}, {NAN})})
    EXPECT_NE(fault_of(wrong), "");
  ImpactProblem problem = chain(vector({1, 1}), vector({1, 0}), 0);
  problem.contacts[0].e_of = std::make_shared<const Function>(speeds({1}, {2}));
  EXPECT_THROW(reduce(problem), InputError);
}

TEST(RestitutionFunction, IsEvaluatedOnceForLawsThatJump) {
  ImpactProblem problem = chain(vector({1, 1, 2}), vector({4, 0, -2}), 0.25);
  problem.contacts[0].e_of = std::make_shared<const Function>(Function{{Function::SpeedPower{0.1, 0.5}}});
  const ImpactOutcome outcome = solve(problem, Newton{});
  EXPECT_VECTOR_NEAR(outcome.e_used, vector({0.8, 0.25}), 1e-15);
  ImpactProblem numbers = chain(vector({1, 1, 2}), vector({4, 0, -2}), 0.25);
  numbers.contacts[0].e = 0.8;
  EXPECT_VECTOR_NEAR(outcome.u_plus, solve(numbers, Newton{}).u_plus, 1e-14);
  EXPECT_EQ(solve(numbers, Newton{}).e_used.size(), 0);
  evaluate_restitution(problem);
  EXPECT_DOUBLE_EQ(problem.contacts[0].e, 0.8);
  EXPECT_EQ(problem.contacts[0].e_of, nullptr);
}

}  // namespace
}  // namespace carom::testing
