// Which laws agree on an impact, and why.

#include "carom/record/agreement.h"

#include <gtest/gtest.h>

#include "support.h"

namespace carom::testing {
namespace {

std::vector<std::string> words_on(const ImpactProblem& problem, const std::vector<ImpactLaw>& laws) {
  std::vector<ImpactOutcome> outcomes;
  std::vector<record::ColumnTitle> columns;
  for (const ImpactLaw& law : laws) {
    outcomes.push_back(solve(problem, law));
    columns.push_back({law});
  }
  return record::agreement_words(problem, outcomes, columns);
}

/// Two balls that each meet the ground, and nothing connects them.
ImpactProblem apart(double e_1, double e_2) {
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(vector({1, 3}));
  problem.W = Matrix::Identity(2, 2).sparseView();
  problem.u_minus = vector({-1, -2});
  problem.contacts = {{.name = "1", .e = e_1}, {.name = "2", .e = e_2}};
  return problem;
}

TEST(Agreement, OneContactWithoutFrictionLeavesNothingToTheLaw) {
  const ImpactProblem problem = chain(Vector::Ones(2), Vector::Unit(2, 0), 0.5);
  EXPECT_EQ(words_on(problem, {Newton{}, Poisson{}, Lzb{}}),
            std::vector<std::string>{"newton, poisson and lzb agree: one contact at a time and no friction, so e alone "
                                     "says what follows"});
}

TEST(Agreement, ContactsThatDoNotTouchEachOtherActEachByItself) {
  const std::vector<std::string> lines = words_on(apart(0.2, 0.9), {Newton{}, Poisson{}, Lzb{}});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("newton, poisson and lzb agree: no friction, and no contact's impulse changes"),
            std::string::npos)
      << lines[0];
}

TEST(Agreement, LawsThatAreOneLawSaySo) {
  const ImpactProblem half = chain(Vector::Ones(4), Vector::Unit(4, 0), 0.5);
  ASSERT_EQ(words_on(half, {Newton{}, Lzb{}, Moreau{}}).size(), 1U);
  EXPECT_EQ(words_on(half, {Newton{}, Lzb{}, Moreau{}})[0],
            "newton and moreau agree: without friction and with one e for all contacts they are one law");
  const ImpactProblem elastic = chain(Vector::Ones(4), Vector::Unit(4, 0), 1);
  EXPECT_EQ(words_on(elastic, {Lzb{}, Lzb{.stiffness = Lzb::Stiffness::mono}})[0],
            "lzb and lzb agree: with e = 1 loading and unloading are one spring, bi or mono");
}

TEST(Agreement, NothingIsSaidOfLawsThatDiffer) {
  ImpactProblem problem = chain(Vector::Ones(3), Vector::Unit(3, 0), 0.2);
  problem.contacts[1].e = 0.9;
  EXPECT_TRUE(words_on(problem, {Newton{}, Poisson{}}).empty());
  // three equal balls and one e: nothing opens after the compression, and both laws multiply it by 1 + e
  problem.contacts[1].e = 0.2;
  EXPECT_EQ(words_on(problem, {Newton{}, Poisson{}}),
            std::vector<std::string>{"newton and poisson agree here, though in general they need not"});
}

}  // namespace
}  // namespace carom::testing
