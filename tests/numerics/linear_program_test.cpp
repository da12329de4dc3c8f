#include "carom/numerics/linear_program.h"

#include <gtest/gtest.h>

#include <random>

namespace carom::numerics {
namespace {

TEST(LinearProgram, SmallOnesByHand) {
  Matrix A(1, 2);
  A << 1, 2;
  const LinearProgramSolution best = solve_linear_program((Vector(2) << 3, 4).finished(), A, Vector::Constant(1, 6));
  ASSERT_EQ(best.status, LinearProgramStatus::solved);
  EXPECT_NEAR(best.value, 12, 1e-12);  // x = (0, 3)
  EXPECT_EQ(solve_linear_program(Vector::Ones(2), A, Vector::Constant(1, -6)).status, LinearProgramStatus::infeasible);
  A << 1, -1;
  EXPECT_EQ(solve_linear_program(-Vector::Ones(2), A, Vector::Zero(1)).status, LinearProgramStatus::unbounded);
}

/// Optimal by duality: c - A'y >= 0 with equality where x > 0 is checked through a known optimum.
TEST(LinearProgram, RandomOnesWithAKnownOptimum) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 500; ++round) {
    const Index rows = 1 + round % 5, n = rows + round % 20;
    const Matrix A = Matrix::NullaryExpr(rows, n, [&] { return normal(random); });
    const Vector y = Vector::NullaryExpr(rows, [&] { return normal(random); });
    Vector x = Vector::Zero(n), slack = Vector::NullaryExpr(n, [&] { return std::abs(normal(random)); });
    for (Index i = 0; i < rows; ++i) {
      x[i] = std::abs(normal(random));
      slack[i] = 0;
    }
    const LinearProgramSolution best = solve_linear_program(A.transpose() * y + slack, A, A * x);
    ASSERT_EQ(best.status, LinearProgramStatus::solved);
    EXPECT_NEAR(best.value, y.dot(A * x), 1e-9 * (1 + std::abs(best.value)));
  }
}

/// Corners where many unknowns vanish, and equations that follow from each other: the optimum must still be feasible.
TEST(LinearProgram, RedundantAndDegenerateOnes) {
  std::mt19937_64 random(2);
  std::uniform_int_distribution<int> digit(-2, 2);
  for (int round = 0; round < 500; ++round) {
    const Index rows = 2 + round % 5, n = rows + round % 7;
    Matrix A = Matrix::NullaryExpr(rows, n, [&] { return digit(random); });
    A.row(rows - 1) = A.topRows(rows - 1).colwise().sum();
    Vector x = Vector::Zero(n), slack = Vector::NullaryExpr(n, [&] { return std::abs(digit(random)); });
    x[round % n] = 1 + round % 3;
    slack[round % n] = 0;
    const Vector y = Vector::NullaryExpr(rows, [&] { return digit(random); }), b = A * x;
    const LinearProgramSolution best = solve_linear_program(A.transpose() * y + slack, A, b);
    ASSERT_EQ(best.status, LinearProgramStatus::solved) << round;
    EXPECT_NEAR(best.value, y.dot(b), 1e-9 * (1 + std::abs(best.value))) << round;
    EXPECT_LE((A * best.x - b).cwiseAbs().maxCoeff(), 1e-9) << round;
    EXPECT_GE(best.x.minCoeff(), -1e-9) << round;
  }
}

}  // namespace
}  // namespace carom::numerics
