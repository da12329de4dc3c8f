#include "carom/numerics/friction_modes.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "carom/impact/force_problem.h"
#include "carom/numerics/polyhedron.h"
#include "random_problem.h"
#include "random_share.h"

namespace carom {
namespace {

using numerics::FrictionCone;
using numerics::FrictionModes;
using numerics::Polyhedron;
using testing::pick;
using testing::random_matrix;
using testing::share_of;
using testing::vector;

constexpr double kPlenty = 1e9, kSome = 1e8;

TEST(Polyhedron, ASquareHasFourCorners) {  // x, y <= 1 by slacks
  Matrix A(2, 4);
  A << 1, 0, 1, 0, 0, 1, 0, 1;
  Polyhedron square(A, vector({1, 1}));
  ASSERT_FALSE(square.empty());
  EXPECT_EQ(square.vertices(10)->size(), 4U);
  EXPECT_FALSE(square.vertices(3).has_value());
  EXPECT_TRUE(square.bounded());
  EXPECT_NEAR(*square.least(vector({-1, -2, 0, 0})), -3, 1e-12);
  EXPECT_TRUE(square.forbid(0));
  EXPECT_EQ(square.vertices(10)->size(), 2U);
  EXPECT_FALSE(square.forbid(2)) << "x and 1 - x cannot both vanish";
}

TEST(Polyhedron, KnowsNothingAndNoEnd) {
  Matrix A(1, 2);
  A << 1, 1;
  EXPECT_TRUE(Polyhedron(A, vector({-1})).empty());
  A << 1, -1;
  Polyhedron strip(A, vector({1}));
  EXPECT_FALSE(strip.bounded());
  EXPECT_FALSE(strip.least(vector({-1, 0})).has_value());
}

struct Planar {
  SparseMatrix A;
  Vector q, terms;
  std::vector<FrictionCone> cones;
  FrictionModes modes(bool with_vertices = false) const {
    return numerics::friction_modes({A, q, terms, cones, q, {}}, kPlenty, with_vertices);
  }
};

/// Up to four contacts; directions often of small integers, so that they are redundant or degenerate; q as Newton's law
/// makes it, for which there may be no solution.
Planar random_planar_cones(Random& random) {
  const Index m = pick(random, 1, 4), n = pick(random, 2, 5);
  const bool whole = random.uniform() < 0.5;
  const auto rounded = [&](Matrix values) { return whole ? Matrix((2 * values).array().round()) : values; };
  Matrix W = rounded(random_matrix(random, n, 2 * m));
  for (Index i = 0; i < m; ++i)
    if (W.col(2 * i).norm() == 0) W(0, 2 * i) = 1;
  const Vector u = rounded(random_matrix(random, n, 1));
  Planar result{
      Matrix(W.transpose() * W).sparseView(), W.transpose() * u, 2 * W.cwiseAbs().transpose() * u.cwiseAbs(), {}};
  for (Index i = 0; i < m; ++i) {
    result.cones.push_back({.row = 2 * i, .tangents = 1, .mu = random.uniform() < 0.3 ? 0 : 2 * random.uniform()});
    result.q[2 * i] *= 1 + (whole ? 0.5 : random.uniform());
  }
  return result;
}

/// Against every combination of modes tried by itself: the same verdict on none, one and several.
TEST(FrictionModes, AgreeWithTryingEveryCombination) {
  int none = 0, several = 0, unsure = 0;
  const int tries = share_of(6000);
  for (int seed = 0; seed < tries; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Planar problem = random_planar_cones(random);
    const FrictionModes modes = problem.modes();
    if (!modes.complete) {
      ++unsure;
      continue;
    }
    const std::vector<LastingForces> tried = solve_by_modes({problem.A, problem.q, problem.terms, problem.cones});
    ASSERT_EQ(modes.sets.empty(), tried.empty());
    if (tried.empty()) {
      ++none;
      continue;
    }
    const bool one = tried.size() == 1 && tried.front().isolated;
    several += one ? 0 : 1;
    ASSERT_EQ(modes.one_velocity, one);
    const Vector w = problem.A * modes.sets.front().x, other = problem.A * tried.front().lambda;
    if (one) {
      EXPECT_LT((w - other).cwiseAbs().maxCoeff(), 1e-7 * (1 + other.cwiseAbs().maxCoeff()));
      EXPECT_LE(modes.one_normal && modes.one_tangential, tried.front().unique);
    }
  }
  EXPECT_GT(none, tries / 50);
  EXPECT_GT(several, tries / 100);
  EXPECT_LE(unsure, tries / 500);
}

/// Every solution that is listed is one, and so is every vertex.
TEST(FrictionModes, ListSolutionsOnly) {
  const int tries = share_of(1000);
  for (int seed = 0; seed < tries; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Planar problem = random_planar_cones(random);
    for (const numerics::ModeSet& set : problem.modes(true).sets) {
      std::vector<Vector> all = set.vertices;
      all.push_back(set.x);
      for (const Vector& x : all) {
        const Vector w = problem.A * x + problem.q;
        const double size = 1e-7 * (1 + x.cwiseAbs().maxCoeff()) * (1 + w.cwiseAbs().maxCoeff());
        for (const FrictionCone& cone : problem.cones) {
          const double normal = x[cone.row], along = x[cone.row + 1], slip = w[cone.row + 1];
          EXPECT_GE(normal, -size);
          EXPECT_GE(w[cone.row], -size);
          EXPECT_LE(std::abs(normal * w[cone.row]), size);
          EXPECT_LE(std::abs(along), cone.mu * normal + size);
          EXPECT_LE(along * slip + cone.mu * normal * std::abs(slip), size);
        }
      }
    }
  }
}

/// Contacts of the plane with a second tangent that moves nothing else: solutions are those in the plane.
Planar across(const Planar& planar, Random& random) {
  const Index m = static_cast<Index>(planar.cones.size());
  const Matrix side = random_matrix(random, m + 1, m), A = planar.A;
  Matrix G = Matrix::Zero(3 * m, 3 * m);
  Planar result{{}, Vector::Zero(3 * m), Vector::Zero(3 * m), planar.cones};
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      G.block<2, 2>(3 * i, 3 * j) = A.block<2, 2>(2 * i, 2 * j);
      G(3 * i + 2, 3 * j + 2) = side.col(i).dot(side.col(j));
    }
    result.q.segment<2>(3 * i) = planar.q.segment<2>(2 * i);
    result.terms.segment<2>(3 * i) = planar.terms.segment<2>(2 * i);
    result.cones[i].row = 3 * i;
    result.cones[i].tangents = 2;
  }
  result.A = G.sparseView();
  return result;
}

TEST(FrictionModes, SectorsOfSlipInSpaceContradictWhereThePlaneDoes) {
  int none = 0, proved = 0;
  for (int seed = 1; seed <= share_of(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Planar planar = random_planar_cones(random), space = across(planar, random);
    const FrictionModes expected = planar.modes();
    if (!expected.complete) continue;
    const FrictionModes found =
        numerics::friction_modes({space.A, space.q, space.terms, space.cones, space.q, {}}, kSome, false, 24);
    none += expected.sets.empty();
    if (!found.complete || !found.sets.empty()) continue;
    ++proved;
    EXPECT_TRUE(expected.sets.empty());
  }
  EXPECT_GT(none, 0);
  EXPECT_GE(proved, 0.85 * none);
}

/// A solution in space with contacts of every mode, and bodies of masses apart by some powers of ten: no proof may
/// exclude it.
TEST(FrictionModes, SectorsOfSlipInSpaceContainEverySolution) {
  int decided = 0;
  const int tries = share_of(300);
  for (int seed = 1; seed <= tries; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Index m = pick(random, 1, 4), n = pick(random, 3, 9);
    Matrix W = random_matrix(random, n, 3 * m);
    for (Index i = 0; i < n; ++i) W.row(i) *= std::pow(10, 3 * random.uniform() - 1.5);
    const Matrix A = W.transpose() * W;
    Vector x = Vector::Zero(3 * m), w = Vector::Zero(3 * m);
    std::vector<FrictionCone> cones;
    for (Index i = 0; i < m; ++i) {
      cones.push_back({.row = 3 * i, .tangents = 2, .mu = 2 * random.uniform()});
      const double angle = 6.2832 * random.uniform();
      const Vector along = vector({std::cos(angle), std::sin(angle)});
      const double mode = random.uniform();
      const double size = 1 / std::sqrt(A(3 * i, 3 * i));
      if (mode < 0.3) {
        w.segment<3>(3 * i) << random.uniform(), along;
        continue;
      }
      x[3 * i] = size * random.uniform();
      x.segment<2>(3 * i + 1) = cones.back().mu * x[3 * i] * (mode < 0.6 ? random.uniform() : 1.0) * along;
      if (mode >= 0.6) w.segment<2>(3 * i + 1) = -random.uniform() * along;
    }
    const Vector q = w - A * x, terms = w.cwiseAbs() + A.cwiseAbs() * x.cwiseAbs();
    for (const int sectors : {8, 16}) {
      const FrictionModes found =
          numerics::friction_modes({A.sparseView(), q, terms, cones, q, {}}, kSome, false, sectors);
      EXPECT_FALSE(found.complete && found.sets.empty());
      decided += !found.sets.empty();
    }
  }
  EXPECT_GE(decided, 1.6 * tries) << "most are found, not only not excluded";
}

}  // namespace
}  // namespace carom
