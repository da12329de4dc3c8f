#include "carom/analysis/corner.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "carom/impact/solve.h"
#include "support.h"

namespace carom::analysis {
namespace {

using testing::vector;

/// A mass m at a wall at its left, and a mass M that comes from the right with speed 1.
ImpactProblem two_masses(double m, double M, double e = 1) {
  Matrix W(2, 2);
  W << 1, -1, 0, 1;
  ImpactProblem problem = testing::problem(MassMatrix::diagonal(vector({m, M})), W, vector({0, -1}), vector({e, e}));
  problem.contacts[0].name = "wall";
  problem.contacts[1].name = "masses";
  return problem;
}

/// theta = atan sqrt(m / M), and floor(pi / theta) collisions: for M / m = 100^k the first digits of pi.   [Galperin]
TEST(Corner, TwoMassesAndAWallCountTheDigitsOfPi) {
  const std::vector<int> digits = {3, 31, 314, 3141};
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const double ratio = std::pow(100.0, static_cast<double>(k));
    const ImpactProblem problem = two_masses(1, ratio);
    const Corner found = corner(reduce(problem));
    EXPECT_NEAR(found.angle, std::atan(std::sqrt(1 / ratio)), 1e-12);
    ASSERT_EQ(found.ways.size(), 1U);  // the light mass rests: only the other contact closes
    EXPECT_EQ(static_cast<int>(found.ways[0].hits.size()), digits[k]);
    EXPECT_EQ(found.ways[0].reflections, digits[k]);
    EXPECT_NEAR(found.ways[0].energy_ratio, 1, 1e-9);
    EXPECT_GE(found.ways[0].gamma_plus.minCoeff(), -1e-9);
  }
}

/// A second way: masses that fly and collide, with positions.
TEST(Corner, TheCountIsThatOfMassesThatFly) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const double m = 0.05 + random.uniform(), M = 0.05 + 3 * random.uniform();
    ImpactProblem problem = two_masses(m, M);
    const double v_1 = -random.uniform(), v_2 = v_1 - random.uniform();
    problem.u_minus = vector({v_1, v_2});
    const Corner found = corner(reduce(problem));
    for (const CornerWay& way : found.ways) {
      // far from the wall and from each other, in the proportion that decides who is first
      double x_1 = 1, x_2 = way.first == 0 ? 1e6 : 1 + 1e-9, a = v_1, b = v_2;
      int hits = 0;
      for (;; ++hits) {
        const double wall = a < 0 ? -x_1 / a : 1e300, meet = b < a ? (x_2 - x_1) / (a - b) : 1e300;
        if (std::min(wall, meet) >= 1e299) break;
        const double t = std::min(wall, meet);
        x_1 += t * a;
        x_2 += t * b;
        if (wall <= meet) {
          a = -a;
          x_1 = 0;
        } else {
          const double mean = (m * a + M * b) / (m + M);
          a = 2 * mean - a;
          b = 2 * mean - b;
          x_2 = x_1;
        }
      }
      EXPECT_EQ(hits, static_cast<int>(way.hits.size()));
      EXPECT_EQ(way.reflections, hits);
      EXPECT_NEAR(way.u_plus[0], a, 1e-9);
      EXPECT_NEAR(way.u_plus[1], b, 1e-9);
    }
  }
}

/// The law `sequential` in the same order.
TEST(Corner, TheLawThatTakesOneContactAfterTheOtherAgrees) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector masses = vector({0.2 + random.uniform(), 0.2 + random.uniform(), 0.2 + random.uniform()});
    ImpactProblem problem = testing::chain(masses, vector({1 + random.uniform(), random.uniform(), 0}), 1);
    for (Contact& contact : problem.contacts) contact.e = trial % 2 == 0 ? 1 : 0.3 + 0.6 * random.uniform();
    if (problem.u_minus[0] <= problem.u_minus[1]) continue;
    const Corner found = corner(reduce(problem));
    EXPECT_EQ(found.lossless, trial % 2 == 0);
    for (const CornerWay& way : found.ways) {
      ASSERT_TRUE(way.ends);
      EXPECT_TRUE(!found.lossless || way.reflections == static_cast<int>(way.hits.size()));
      Sequential law;
      law.order = way.first == 0 ? vector({0, 1}) : vector({1, 0});
      EXPECT_VECTOR_NEAR(solve(problem, law).u_plus, way.u_plus, 1e-9);
    }
  }
}

/// Order does not matter iff pi is a multiple of the angle: three equal balls have 60 degrees.
TEST(Corner, ReflectionsDoNotCareAboutTheirOrderIfPiIsAMultipleOfTheAngle) {
  for (int n = 3; n < 12; ++n) {
    const double tangent = std::tan(std::numbers::pi / n);
    ImpactProblem problem = two_masses(tangent * tangent, 1);
    problem.u_minus = vector({-0.3, -1});
    const Corner found = corner(reduce(problem));
    ASSERT_EQ(found.ways.size(), 2U);
    EXPECT_EQ(found.images(), n);
    EXPECT_TRUE(found.is_decided());
    EXPECT_EQ(found.ways[0].hits.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(found.ways[1].hits.size(), static_cast<std::size_t>(n));
    problem.M = MassMatrix::diagonal(vector({1.1 * tangent * tangent, 1}));
    EXPECT_FALSE(corner(reduce(problem)).is_decided());
  }
  const ImpactProblem balls = testing::chain(Vector::Ones(3), vector({1, 0, 0}), 1);
  EXPECT_NEAR(corner(reduce(balls)).angle, std::numbers::pi / 3, 1e-14);
}

/// A narrow corner with losses: ever slower, to rest.
TEST(Corner, ANarrowCornerWithLossesBringsItToRest) {
  ImpactProblem problem = two_masses(0.01, 1, 0.3);
  const Corner found = corner(reduce(problem));
  ASSERT_EQ(found.ways.size(), 1U);
  EXPECT_TRUE(found.ways[0].at_rest);
  EXPECT_FALSE(found.ways[0].ends);
  EXPECT_VECTOR_NEAR(found.ways[0].u_plus, vector({0, 0}), 1e-12);
}

TEST(Corner, UnitsAndTheOrderOfContactsChangeNothing) {
  const ImpactProblem problem = two_masses(0.013, 1.7);
  const Corner one = corner(reduce(problem));
  ImpactProblem other = two_masses(13, 1700);
  other.u_minus *= 1e3;
  std::swap(other.contacts[0], other.contacts[1]);
  other.W = Matrix(Matrix(other.W).rowwise().reverse()).sparseView();
  const Corner same = corner(reduce(other));
  EXPECT_NEAR(one.angle, same.angle, 1e-14);
  EXPECT_EQ(one.ways[0].hits.size(), same.ways[0].hits.size());
  EXPECT_VECTOR_NEAR(same.ways[0].u_plus, 1e3 * one.ways[0].u_plus, 1e-6);
}

TEST(Corner, RefusesWhatIsNone) {
  const ImpactProblem three = testing::chain(Vector::Ones(4), vector({1, 0, 0, 0}), 1);
  EXPECT_THROW(corner(reduce(three)), InputError);
  ImpactProblem apart = two_masses(1, 1);
  apart.u_minus = vector({1, 2});
  EXPECT_THROW(corner(reduce(apart)), InputError);
}

/// One contact: a corner of 180 degrees, whose one impact is Newton's, and the part along the surface goes on.
TEST(Corner, OneContactIsAnEdge) {
  Random random(13);
  for (int i = 0; i < 50; ++i) {
    const Vector masses = vector({0.1 + random.uniform(), 0.1 + random.uniform(), 1});
    Matrix W(3, 1);
    W << random.normal(), random.normal(), random.normal();
    Vector u = vector({random.normal(), random.normal(), random.normal()});
    if (W.col(0).dot(u) > 0) u = -u;
    const double e = i % 3 / 2.0;
    const ImpactProblem problem = testing::problem(MassMatrix::diagonal(masses), W, u, vector({e}));
    const Corner found = corner(reduce(problem));
    ASSERT_EQ(found.ways.size(), 1U);
    EXPECT_TRUE(found.is_edge);
    EXPECT_EQ(found.lossless, e == 1);
    EXPECT_EQ(found.ways[0].hits.size(), 1U);
    EXPECT_TRUE(found.ways[0].ends);
    EXPECT_NEAR(found.before.squaredNorm(), 2 * problem.M.kinetic_energy(u), 1e-12);
    EXPECT_VECTOR_NEAR(found.ways[0].u_plus, solve(problem, Newton{}).u_plus, 1e-12);
    EXPECT_NEAR(found.ways[0].velocities.back().x(), found.before.x(), 1e-14);
    EXPECT_NEAR(found.ways[0].velocities.back().y(), -e * found.before.y(), 1e-14);
  }
}

}  // namespace
}  // namespace carom::analysis
