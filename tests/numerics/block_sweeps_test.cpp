// Sweeps over contacts against the solver that forms the matrix between them.

#include "carom/numerics/block_sweeps.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/impact/delassus.h"
#include "carom/impact/mass_matrix.h"
#include "carom/numerics/cone_problem.h"

namespace carom::numerics {
namespace {

/// Balls of radius 1 in a row of columns on a floor, pressed by gravity and shaken a little, in the plane.
struct Columns {
  MassMatrix M;
  SparseMatrix W;
  Vector u_free;
  std::vector<FrictionCone> cones;

  explicit Columns(int columns, int height, double mass = 1) {
    const int bodies = columns * height;
    Vector masses(3 * bodies);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> shake(-0.1, 0.1);
    u_free.resize(3 * bodies);
    for (int b = 0; b < bodies; ++b) {
      masses.segment<3>(3 * b) << mass, mass, 0.5 * mass;
      u_free.segment<3>(3 * b) << shake(random), -1 + shake(random), shake(random);
    }
    M = MassMatrix::diagonal(masses);
    std::vector<Eigen::Triplet<double>> entries;
    const auto touch = [&](int below, int body, const Eigen::Vector2d& n) {
      const int row = 2 * static_cast<int>(cones.size());
      const Eigen::Vector2d t(-n.y(), n.x());
      for (const auto& [who, sign] : {std::pair(below, -1.0), std::pair(body, 1.0)}) {
        if (who < 0) continue;
        for (int i = 0; i < 2; ++i) {
          entries.emplace_back(3 * who + i, row, sign * n[i]);
          entries.emplace_back(3 * who + i, row + 1, sign * t[i]);
        }
        entries.emplace_back(3 * who + 2, row + 1, -1.0);  // the arm is -n on the upper body, n on the lower one
      }
      cones.push_back({.row = row, .tangents = 1, .mu = 0.3});
    };
    for (int c = 0; c < columns; ++c)
      for (int level = 0; level < height; ++level) {
        const int body = c * height + level;
        touch(level == 0 ? -1 : body - 1, body, {0, 1});
        if (c > 0) touch(body - height, body, {1, 0});
      }
    W.resize(3 * bodies, 2 * static_cast<Index>(cones.size()));
    W.setFromTriplets(entries.begin(), entries.end());
  }

  BlockProblem blocks() const {
    const Vector q = W.transpose() * u_free;
    return {3, W, inverse_blocks(M, 3), u_free, Vector::Zero(q.size()), q.cwiseAbs(), cones};
  }
};

TEST(BlockSweeps, FindTheVelocitiesOfTheSolverWithAMatrix) {
  const Columns pile(6, 4);
  const BlockSolution swept = solve_by_sweeps(pile.blocks(), 1e-5, {});
  ASSERT_TRUE(swept.solved);
  const ConeSolution exact =
      solve_cone_problem(delassus(pile.W, pile.M), Vector(pile.W.transpose() * pile.u_free), pile.cones);
  ASSERT_TRUE(exact.solved);
  const Vector u = pile.u_free + pile.M.solve(Vector(pile.W * exact.x));
  EXPECT_LT((swept.u - u).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT((swept.u - pile.u_free - pile.M.solve(Vector(pile.W * swept.x))).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(BlockSweeps, DoNotKnowUnits) {
  const BlockSolution one = solve_by_sweeps(Columns(5, 3).blocks(), 1e-3, {});
  const BlockSolution heavy = solve_by_sweeps(Columns(5, 3, 1024).blocks(), 1e-3, {});
  EXPECT_EQ(one.sweeps, heavy.sweeps);
  EXPECT_LT((one.u - heavy.u).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((1024 * one.x - heavy.x).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(BlockSweeps, StartFromAGuessThatIsGoodEnough) {
  const Columns pile(5, 3);
  const BlockSolution first = solve_by_sweeps(pile.blocks(), 1e-6, {});
  const BlockSolution again = solve_by_sweeps(pile.blocks(), 1e-6, first.x);
  EXPECT_EQ(again.sweeps, 0);
  EXPECT_LE(again.residual, 1e-6);
}

TEST(BlockSweeps, KnowWhichContactsHaveBlocks) {
  const Columns pile(2, 2);
  EXPECT_TRUE(has_blocks(pile.W, pile.cones, 3));
  EXPECT_FALSE(has_blocks(pile.W, pile.cones, 5));
  std::vector<FrictionCone> wide = {{.row = 0, .tangents = static_cast<int>(pile.W.cols()) - 1}};
  EXPECT_FALSE(has_blocks(pile.W, wide, 3)) << "four bodies";
}

}  // namespace
}  // namespace carom::numerics
