// Sweeps over the contacts of many bodies, in the world's frame.

#include "carom/simulate/crowd/contact_sweeps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "carom/numerics/block_sweeps.h"
#include "carom/simulate/crowd/ball_sweeps.h"
#include "carom/simulate/crowd/crowd_order.h"

namespace carom::testing {

using namespace simulate;
namespace {

/// Balls on a grid that fall onto a floor, each with a contact to the one below and to the one on its left; contacts
/// in the order of sweeps.
struct SweptGrid {
  SweptBodies bodies;
  SweptContacts swept;
};

Swept sweep_alone(double accuracy, double weight, SweptGrid& grid) {
  Crew alone(1);
  return sweep_to(accuracy, weight, grid.swept, grid.bodies, alone);
}

SweptGrid swept_grid(int columns, int rows, bool is_round) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  SweptGrid grid;
  const auto place = [&](int column, int row) { return column * rows + row; };
  std::vector<OrderedContact> ordered;
  std::vector<SweptContact> contacts;
  const auto add = [&](int a, int b, const Vector3& normal, double height) {
    SweptContact one;
    one.a = a;
    one.b = b;
    one.axes.col(0) = normal;
    one.axes.col(1) = Vector3::UnitY();
    one.axes.col(2) = normal.cross(Vector3::UnitY());
    one.arm_a = 0.5 * normal;
    one.arm_b = -0.5 * normal;
    one.mu = 0.4;
    contacts.push_back(one);
    ordered.push_back({height, 0, a, b});
  };
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows; ++row) {
      SweptBody ball;
      ball.velocity = Vector3(0.3 * number(random), 0.3 * number(random), -1 + 0.1 * number(random));
      ball.angular = Vector3(number(random), number(random), number(random));
      ball.inverse_mass = 1 / (1.5 + number(random));
      ball.inverse_inertia = 10 * ball.inverse_mass;
      grid.bodies.bodies.push_back(ball);
      if (!is_round) grid.bodies.inverse_inertia.push_back(ball.inverse_inertia * Matrix3::Identity());
      add(row > 0 ? place(column, row - 1) : -1, place(column, row), Vector3::UnitZ(), row);
      if (column > 0) add(place(column - 1, row), place(column, row), Vector3::UnitX(), row + 0.5);
    }
  CrowdOrdering ordering;
  const CrowdOrder& order = ordering.of(ordered, grid.bodies.bodies.size());
  grid.swept.colours = order.colours;
  for (const std::size_t i : order.order) {
    grid.swept.contacts.push_back(contacts[i]);
    prepare(grid.swept.contacts.back(), grid.bodies);
  }
  return grid;
}

TEST(ContactSweeps, FindTheVelocitiesThatBlocksOfAMatrixHave) {
  SweptGrid grid = swept_grid(4, 3, true);
  const Index bodies = static_cast<Index>(grid.bodies.bodies.size()),
              m = static_cast<Index>(grid.swept.contacts.size());
  Matrix W = Matrix::Zero(6 * bodies, 3 * m), inverse = Matrix::Zero(6, 6 * bodies);
  Vector u = Vector::Zero(6 * bodies);
  std::vector<numerics::FrictionCone> cones;
  for (Index i = 0; i < bodies; ++i) {
    const SweptBody& body = grid.bodies.bodies[i];
    u.segment<3>(6 * i) = body.velocity;
    u.segment<3>(6 * i + 3) = body.angular;
    for (Index k = 0; k < 3; ++k) {
      inverse(k, 6 * i + k) = body.inverse_mass;
      inverse(k + 3, 6 * i + k + 3) = body.inverse_inertia;
    }
  }
  for (Index c = 0; c < m; ++c) {
    const SweptContact& one = grid.swept.contacts[c];
    cones.push_back({.row = 3 * c, .tangents = 2, .mu = one.mu});
    for (Index t = 0; t < 3; ++t) {
      const Vector3 axis = one.axes.col(t);
      if (one.a >= 0) W.block<6, 1>(6 * one.a, 3 * c + t) << -axis, -one.arm_a.cross(axis);
      if (one.b >= 0) W.block<6, 1>(6 * one.b, 3 * c + t) << axis, one.arm_b.cross(axis);
    }
  }
  const SparseMatrix sparse = W.sparseView();
  const numerics::BlockSolution known = numerics::solve_by_sweeps(
      {6, sparse, inverse, u, Vector::Zero(3 * m), Vector::Ones(3 * m), cones}, 1e-9, Vector());
  ASSERT_TRUE(known.solved);
  const Swept swept = sweep_alone(1e-9, 1, grid);
  ASSERT_TRUE(swept.solved) << swept.residual << " after " << swept.sweeps;
  for (Index i = 0; i < bodies; ++i) {
    EXPECT_LE((grid.bodies.bodies[i].velocity - known.u.segment<3>(6 * i)).norm(), 1e-6);
    EXPECT_LE((grid.bodies.bodies[i].angular - known.u.segment<3>(6 * i + 3)).norm(), 1e-5);
  }
}

TEST(ContactSweeps, BallsMoveAsBodiesOfAnyKindDo) {
  SweptGrid balls = swept_grid(8, 6, true), any = swept_grid(8, 6, false);
  ASSERT_TRUE(BallSweeps::suits(balls.swept, balls.bodies));
  ASSERT_FALSE(BallSweeps::suits(any.swept, any.bodies));
  for (SweptGrid* grid : {&balls, &any}) {
    grid->swept.contacts[3].acts = false;                      // is passed over
    grid->swept.contacts[5].offset = Vector3(0.1, -0.2, 0.3);  // a wall that moves
    ASSERT_TRUE(sweep_alone(1e-10, 1, *grid).solved);
  }
  for (std::size_t i = 0; i < balls.bodies.bodies.size(); ++i) {
    EXPECT_LE((balls.bodies.bodies[i].velocity - any.bodies.bodies[i].velocity).norm(), 1e-7) << i;
    EXPECT_LE((balls.bodies.bodies[i].angular - any.bodies.bodies[i].angular).norm(), 1e-6) << i;
  }
  for (std::size_t i = 0; i < balls.swept.contacts.size(); ++i) {  // the impulses are those of the velocities
    const SweptContact& one = balls.swept.contacts[i];
    EXPECT_LE(one.x.tail<2>().norm(), one.mu * one.x[0] + 1e-12) << i;
  }
}

/// Steps along directions may leave an open contact friction that it has no normal impulse for.
TEST(ContactSweeps, OpenContactsLoseTheirFriction) {
  for (const bool is_round : {true, false}) {
    SweptGrid grid = swept_grid(4, 3, is_round);
    SweptContact& open = grid.swept.contacts[2];
    open.offset = Vector3(10, 0, 0);
    push(open, Vector3(0, 0.3, -0.2), grid.bodies);
    ASSERT_EQ(open.x, Vector3(0, 0.3, -0.2));
    ASSERT_TRUE(sweep_alone(1e-9, 1, grid).solved);
    EXPECT_EQ(open.x, Vector3(Vector3::Zero()));
  }
}

TEST(ContactSweeps, ArmsBesideTheNormalAreNoBalls) {
  SweptGrid grid = swept_grid(3, 3, true);
  grid.swept.contacts[4].arm_b += Vector3(1e-6, 2e-6, 3e-6);
  EXPECT_FALSE(BallSweeps::suits(grid.swept, grid.bodies));
}

TEST(ContactSweeps, AnyNumberOfThreadsFindsTheSameBits) {
  for (const bool is_round : {true, false}) {
    SweptGrid one = swept_grid(30, 20, is_round);
    ASSERT_GE(one.swept.colours[1], 256u);  // many of a colour: they are shared
    sweep_alone(1e-4, 1, one);
    for (const int threads : {2, 3, 4}) {
      SweptGrid other = swept_grid(30, 20, is_round);
      Crew crew(threads);
      sweep_to(1e-4, 1, other.swept, other.bodies, crew);
      for (std::size_t i = 0; i < one.swept.contacts.size(); ++i)
        ASSERT_EQ(one.swept.contacts[i].x, other.swept.contacts[i].x) << threads;
      for (std::size_t i = 0; i < one.bodies.bodies.size(); ++i)
        ASSERT_EQ(one.bodies.bodies[i].velocity, other.bodies.bodies[i].velocity) << threads;
    }
  }
}

TEST(ContactSweeps, ContactsOfAColourShareNoBody) {
  const SweptGrid grid = swept_grid(9, 9, true);
  for (std::size_t c = 0; c + 1 < grid.swept.colours.size(); ++c) {
    std::vector<int> seen;
    for (std::size_t i = grid.swept.colours[c]; i < grid.swept.colours[c + 1]; ++i)
      for (const int body : {grid.swept.contacts[i].a, grid.swept.contacts[i].b})
        if (body >= 0) seen.push_back(body);
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  }
}

TEST(ContactSweeps, ABodyThatTouchesVeryManyIsLeftWithoutColours) {
  std::vector<OrderedContact> star;
  for (int i = 1; i <= 100; ++i) star.push_back({0, 0, 0, i});
  CrowdOrdering ordering;
  const CrowdOrder& order = ordering.of(star, 101);
  EXPECT_EQ(order.order.size(), star.size());
  EXPECT_LT(order.colours.back(), star.size());
}

TEST(ContactSweeps, NothingThatMovesIsSolved) {
  SweptGrid grid = swept_grid(2, 2, true);
  for (SweptBody& body : grid.bodies.bodies) body.velocity = body.angular = Vector3::Zero();
  const Swept swept = sweep_alone(1e-3, 0, grid);
  EXPECT_TRUE(swept.solved);
  EXPECT_EQ(swept.sweeps, 0);
}

}  // namespace
}  // namespace carom::testing
