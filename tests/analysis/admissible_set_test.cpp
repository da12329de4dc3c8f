#include "carom/analysis/admissible_set.h"

#include <Eigen/Dense>

#include "random_problem.h"

namespace carom::testing {

using namespace analysis;
namespace {

TEST(AdmissibleSet, HoldsEveryOutcomeOfMoreauAndPoisson) {
  Random random(21);
  for (int trial = 0; trial < 200; ++trial) {
    ImpactProblem given = random_problem(random, static_cast<Kind>(trial % 4), 12);
    set_restitution(given, random, true);
    const AdmissibleSet set(given);
    ASSERT_TRUE(set.possible());
    const double e = given.contacts[0].e;
    const ImpactOutcome moreau = solve(given, Moreau{});
    const Judgement judged = set.judge(moreau.u_plus);
    EXPECT_TRUE(judged.kinetic && judged.energetic);
    // It is inside at the dissipation level e, unless a contact that opened beforehand is thrown back.
    EXPECT_EQ(judged.kinematic, moreau.certificate.penetrating < 0);
    if (judged.dissipation_level) {
      EXPECT_NEAR(*judged.dissipation_level, e, 1e-7);
    }
    EXPECT_TRUE(set.judge(solve(given, Poisson{}).u_plus).admissible());
    EXPECT_TRUE(set.judge(set.max_dissipation()).admissible());
    EXPECT_VECTOR_NEAR(set.max_dissipation(), solve(given, Moreau{.e = 0}).u_plus, 1e-9);
  }
}

TEST(AdmissibleSet, SamplesAreAdmissibleAndSpread) {
  Random random(22);
  for (int trial = 0; trial < 24; ++trial) {
    ImpactProblem given = random_problem(random, static_cast<Kind>(trial % 4), 6);
    const AdmissibleSet set(given);
    const std::vector<Vector> samples = set.samples(30, 5);
    ASSERT_EQ(samples.size(), 30U);
    for (const Vector& sample : samples) EXPECT_TRUE(set.judge(sample, 1e-7).admissible());
  }
  const ImpactProblem cradle = chain(Vector::Ones(3), Vector::Unit(3, 0), 0);
  const AdmissibleSet set(cradle);
  const std::vector<Vector> samples = set.samples(2000, 1), again = set.samples(2000, 1), other = set.samples(2000, 2);
  EXPECT_EQ(samples[1999], again[1999]);
  EXPECT_NE(samples[1999], other[1999]);
  // The set is a circular sector of 60 degrees: the mean of a uniform sample is its centroid.
  Vector mean = Vector::Zero(3);
  double nearest_elastic = 0;
  for (const Vector& sample : samples) {
    mean += sample / 2000;
    nearest_elastic = std::max(nearest_elastic, *set.judge(sample).dissipation_level);
  }
  EXPECT_GT(nearest_elastic, 0.98);
  EXPECT_NEAR(mean[1] - mean[0], mean[2] - mean[1], 0.03) << "symmetric in the two contacts";
  // Centroid of a sector of radius R = sqrt(2/3) and half angle 30 degrees: 2/3 R sin(30)/(pi/6) from the apex.
  const double distance = (mean - Vector::Constant(3, 1.0 / 3)).norm();
  EXPECT_NEAR(distance, 2.0 / 3 * std::sqrt(2.0 / 3) * 0.5 / (3.14159265358979 / 6), 0.01);
}

TEST(AdmissibleSet, RangesOfTheCradle) {
  // Three balls: gamma_1 and gamma_2 both reach from 0 to 1, at Moreau's point and at the observed one.
  const ImpactProblem given = chain(Vector::Ones(3), Vector::Unit(3, 0), 0);
  const auto ranges = AdmissibleSet(given).ranges();
  ASSERT_TRUE(ranges);
  for (const AdmissibleSet::Range& range : *ranges) {
    EXPECT_NEAR(range.least, 0, 1e-9);
    EXPECT_NEAR(range.largest, 1, 1e-7);
  }
}

TEST(AdmissibleSet, RangesContainAllSamplesAndAreReached) {
  Random random(23);
  for (int trial = 0; trial < 12; ++trial) {
    const ImpactProblem given = random_problem(random, trial % 2 == 0 ? Kind::chain : Kind::dense, 3);
    const AdmissibleSet set(given);
    const auto ranges = set.ranges();
    ASSERT_TRUE(ranges);
    const Matrix W = given.W;
    Vector least = Vector::Constant(W.cols(), 1e30), largest = -least;
    for (const Vector& sample : set.samples(3000, 9)) {
      const Vector gamma = W.transpose() * sample;
      least = least.cwiseMin(gamma);
      largest = largest.cwiseMax(gamma);
    }
    for (Index i = 0; i < W.cols(); ++i) {
      const auto& range = (*ranges)[i];
      const double width = range.largest - range.least;
      EXPECT_GE(least[i], range.least - 1e-6);
      EXPECT_LE(largest[i], range.largest + 1e-6);
      EXPECT_GE(largest[i], range.largest - 0.35 * width) << "nothing much larger than what is reached";
    }
  }
}

TEST(AdmissibleSet, MovingWallsPinchOrPush) {
  // Two walls closing on a ball from both sides: nothing is possible.
  ImpactProblem given =
      problem(MassMatrix::diagonal(vector({1})), vector({1, -1}).transpose(), vector({0}), vector({0, 0}));
  given.drift = vector({-1, -1});
  EXPECT_FALSE(AdmissibleSet(given).possible());
  // One wall: the ball leaves with between V and 2 V, on the energy sphere of the wall's frame.
  given = problem(MassMatrix::diagonal(vector({1})), vector({1}), vector({0}), vector({0}));
  given.drift = vector({-1});
  const AdmissibleSet set(given);
  EXPECT_TRUE(set.judge(vector({1})).admissible());
  EXPECT_NEAR(*set.judge(vector({1})).dissipation_level, 0, 1e-9);
  EXPECT_NEAR(*set.judge(vector({2})).dissipation_level, 1, 1e-9);
  EXPECT_TRUE(set.judge(vector({2})).admissible());
  EXPECT_FALSE(set.judge(vector({2.1})).energetic);
  EXPECT_FALSE(set.judge(vector({0.9})).kinematic);
}

TEST(AdmissibleSet, JointsNarrowIt) {
  ImpactProblem given = problem(MassMatrix::diagonal(vector({1, 3})), vector({1, 0}), vector({-2, -2}), vector({0.5}));
  given.J = Matrix(vector({1, -1})).sparseView();
  const AdmissibleSet set(given);
  EXPECT_TRUE(set.judge(vector({1, 1})).admissible());
  EXPECT_FALSE(set.judge(vector({1, 0.5})).admissible());
  EXPECT_VECTOR_NEAR(set.max_dissipation(), vector({0, 0}), 1e-14);
}

TEST(AdmissibleSet, RefusesFriction) {
  ImpactProblem given = chain(Vector::Ones(2), Vector::Unit(2, 0), 0);
  given.contacts[0].mu = 0.1;
  EXPECT_THROW(AdmissibleSet{given}, InputError);
}

}  // namespace
}  // namespace carom::testing
