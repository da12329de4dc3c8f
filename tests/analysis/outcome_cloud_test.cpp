// What may happen where an impact is not known exactly.

#include "carom/analysis/outcome_cloud.h"

#include "carom/analysis/admissible_set.h"
#include "carom/record/outcomes_report.h"
#include "support.h"

namespace carom::testing {
namespace {

using analysis::CloudOptions;
using analysis::OutcomeCloud;
using analysis::Unknown;

OutcomeCloud cloud_of(const ImpactProblem& problem, std::vector<Unknown> unknowns, int samples = 40) {
  CloudOptions options;
  options.unknowns = std::move(unknowns);
  options.samples = samples;
  return analysis::outcome_cloud(problem, Newton{}, options);
}

TEST(OutcomeCloud, OneContactDoesNotCare) {
  const OutcomeCloud cloud =
      cloud_of(chain(vector({1, 2}), vector({1, -0.5}), 0.6), {Unknown::order, Unknown::stiffness, Unknown::gaps});
  EXPECT_LT(cloud.spread, 1e-5);
  ASSERT_EQ(cloud.parts.size(), 3u);
  EXPECT_EQ(cloud.parts[0].tried, 1);  // one order
  EXPECT_EQ(cloud.parts[1].solved, 40);
}

TEST(OutcomeCloud, OrdersOfTwoContactsAreTheTwoSequences) {
  const ImpactProblem pinched = chain(vector({1, 2, 1}), vector({1, 0, -0.8}), 1);
  const OutcomeCloud cloud = cloud_of(pinched, {Unknown::order});
  ASSERT_EQ(cloud.points.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    Sequential law;
    law.order = k == 0 ? vector({0, 1}) : vector({1, 0});
    EXPECT_VECTOR_NEAR(cloud.points[k].u_plus, solve(pinched, law).u_plus, 1e-14);
  }
  EXPECT_GT(cloud.spread, 0.1);
}

/// Every course of a chain whose contacts have e = 0.8: whoever closes may be next.
void follow_all_orders(const Vector& masses, const Vector& u, std::vector<Vector>& ends) {
  bool closes = false;
  for (Index i = 0; i + 1 < u.size(); ++i) {
    const double gamma = u[i + 1] - u[i];
    if (gamma > -1e-12) continue;
    closes = true;
    const double impulse = -1.8 * gamma / (1 / masses[i] + 1 / masses[i + 1]);
    Vector next = u;
    next[i] -= impulse / masses[i];
    next[i + 1] += impulse / masses[i + 1];
    follow_all_orders(masses, next, ends);
  }
  if (!closes) ends.push_back(u);
}

TEST(OutcomeCloud, OrdersAreAllCoursesThatTheImpactMayTake) {
  const Vector masses = vector({1, 2, 0.7, 1.3}), u = vector({1, 0.2, -0.3, -0.9});
  std::vector<Vector> ends;
  follow_all_orders(masses, u, ends);
  Vector least = ends.front(), largest = ends.front();
  for (const Vector& end : ends) {
    least = least.cwiseMin(end);
    largest = largest.cwiseMax(end);
  }
  ASSERT_GT(ends.size(), 6u);  // more than there are orders of three contacts
  const OutcomeCloud cloud = cloud_of(chain(masses, u, 0.8), {Unknown::order}, 200);
  EXPECT_EQ(cloud.points.size(), ends.size());
  EXPECT_VECTOR_NEAR(cloud.least, least, 1e-13);
  EXPECT_VECTOR_NEAR(cloud.largest, largest, 1e-13);
  EXPECT_VECTOR_NEAR(cloud.points.front().u_plus, solve(chain(masses, u, 0.8), Sequential{}).u_plus, 1e-13);
  const OutcomeCloud some = cloud_of(chain(masses, u, 0.8), {Unknown::order}, 10);  // at random
  EXPECT_EQ(some.points.size(), 10u);
  for (const analysis::CloudPoint& point : some.points)
    EXPECT_TRUE(
        std::any_of(ends.begin(), ends.end(), [&](const Vector& end) { return (end - point.u_plus).norm() < 1e-12; }));
}

TEST(OutcomeCloud, StaysInWhatMechanicsAllows) {
  const ImpactProblem balls = chain(vector({1, 0.7, 2}), vector({1, 0, -0.3}), 0.8);
  const analysis::AdmissibleSet set(balls);
  const OutcomeCloud cloud =
      cloud_of(balls, {Unknown::order, Unknown::stiffness, Unknown::gaps, Unknown::coefficients});
  EXPECT_GT(cloud.points.size(), 100u);
  for (const analysis::CloudPoint& point : cloud.points) EXPECT_TRUE(set.judge(point.u_plus, 1e-5).admissible());
  const record::OutcomesReport report{balls, cloud, {}};
  EXPECT_NE(report.text().find("the outcome is open"), std::string::npos);
  EXPECT_NE(report.svg().find("in what mechanics allows"), std::string::npos);
  EXPECT_NE(report.json().find("carom-outcomes/1"), std::string::npos);
}

TEST(OutcomeCloud, RestitutionThatDependsOnTheSpeedIsScaled) {  // a ball on a wall: u+ = factor e(v) v
  Matrix W(1, 1);
  W << 1;
  ImpactProblem ball = problem(MassMatrix::diagonal(vector({1})), W, vector({-2}), vector({0}));
  RestitutionFunction e;
  e.forms = {RestitutionFunction::SpeedPower{.alpha = 0.2, .m = 0.5}};
  ball.contacts[0].e_of = std::make_shared<const RestitutionFunction>(e);
  const double given = 2 * (1 - 0.2 * std::sqrt(2.0));
  const OutcomeCloud cloud = cloud_of(ball, {Unknown::coefficients}, 400);
  EXPECT_NEAR(cloud.points.front().u_plus[0], given, 1e-14);
  EXPECT_GE(cloud.least[0], 0.9 * given * (1 - 1e-12));
  EXPECT_LE(cloud.largest[0], 1.1 * given * (1 + 1e-12));
  EXPECT_LT(cloud.least[0], 0.91 * given);
  EXPECT_GT(cloud.largest[0], 1.09 * given);
}

TEST(OutcomeCloud, WideGapsAreSequences) {
  // A gap that no indentation reaches across makes one impact follow the other.
  const ImpactProblem balls = chain(vector({1, 0.7, 2}), vector({1, 0, 0}), 1);
  Compliant law;
  law.gaps = vector({0, 100});
  EXPECT_VECTOR_NEAR(solve(balls, law).u_plus, solve(balls, Sequential{}).u_plus, 1e-8);
  law.gaps = vector({0, 0});
  EXPECT_VECTOR_NEAR(solve(balls, law).u_plus, solve(balls, Compliant{}).u_plus, 1e-8);
  law.gaps = vector({0, -1});
  EXPECT_THROW(solve(balls, law), InputError);
  law.gaps = vector({0});
  EXPECT_THROW(solve(balls, law), InputError);
}

TEST(OutcomeCloud, RefusesBadOptions) {
  const ImpactProblem balls = chain(vector({1, 1}), vector({1, 0}), 1);
  CloudOptions options;
  options.samples = 0;
  EXPECT_THROW(analysis::outcome_cloud(balls, Newton{}, options), InputError);
  options = {};
  options.stiffness = 0.5;
  EXPECT_THROW(analysis::outcome_cloud(balls, Newton{}, options), InputError);
}

TEST(OutcomeCloud, EndsWhenToldTo) {
  const OutcomeCloud cloud = analysis::outcome_cloud(chain(vector({1, 1}), vector({1, 0}), 1), Newton{}, {},
                                                     [](double share) { return share < 0.3; });
  EXPECT_TRUE(cloud.cancelled);
  EXPECT_FALSE(cloud.points.empty());
}

}  // namespace
}  // namespace carom::testing
