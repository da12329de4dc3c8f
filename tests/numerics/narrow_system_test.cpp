#include "carom/numerics/narrow_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "carom/numerics/decompositions.h"

namespace carom::numerics::testing {
namespace {

std::vector<Eigen::Triplet<double>> entries_of(const Matrix& A) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j)
      if (A(i, j) != 0) entries.emplace_back(i, j, A(i, j));
  return entries;
}

/// Entries within `band` of the diagonal.
Matrix random_band(Index n, Index band, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Matrix A = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = std::max<Index>(0, i - band); j <= std::min(n - 1, i + band); ++j) A(i, j) = number(random);
  return A;
}

TEST(NarrowSystem, SolvesWhatAFullFactorizationSolves) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + trial % 40, band = trial % 5;
    Matrix A = random_band(n, band, random);
    A.diagonal().array() += 3;
    const Vector x = Vector::LinSpaced(n, -1, 2);
    const NarrowSolution found = solve_narrow(n, entries_of(A), A * x, 1e-10);
    EXPECT_EQ(found.kernel.cols(), 0);
    EXPECT_GT(found.least_pivot, 1e-10);
    EXPECT_LT((found.x - x).cwiseAbs().maxCoeff(), 1e-9) << n << ' ' << band;
  }
}

TEST(NarrowSystem, OfASingularSystemItFindsASolutionAndTheWholeKernel) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 4 + trial % 30, rank = n - 1 - trial % 3;
    const Matrix C = random_band(n, 2, random).leftCols(rank);
    const Matrix A = C * C.transpose();
    const Vector b = A * Vector::Ones(n);
    const NarrowSolution found = solve_narrow(n, entries_of(A), b, 1e-10);
    EXPECT_LT((A * found.x - b).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_EQ(found.kernel.cols(), CompleteOrthogonal(A, 1e-10).kernel().cols()) << n << ' ' << rank;
    if (found.kernel.cols() > 0) {
      EXPECT_LT((A * found.kernel).cwiseAbs().maxCoeff(), 1e-8 * found.kernel.cwiseAbs().maxCoeff());
    }
  }
}

TEST(NarrowSystem, RegularOnesAreSolvedAlikeAndOthersAreTold) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = 4 + trial % 30;
    Matrix A = random_band(n, 2, random);
    A.diagonal().array() += 3;
    const Vector b = A * Vector::LinSpaced(n, -1, 2);
    const std::optional<Vector> found = solve_regular_narrow(n, entries_of(A), b, 1e-10);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, solve_narrow(n, entries_of(A), b, 1e-10).x);
    A.col(n / 2) = 2 * A.col(n / 2 - 1);
    EXPECT_FALSE(solve_regular_narrow(n, entries_of(A), b, 1e-10).has_value()) << n;
  }
}

TEST(NarrowSystem, AMatrixOfZerosLeavesEverythingOpen) {
  const NarrowSolution found = solve_narrow(3, {}, Vector::Zero(3), 1e-10);
  EXPECT_EQ(found.x, Vector::Zero(3));
  EXPECT_EQ(found.kernel, Matrix::Identity(3, 3));
}

TEST(NarrowSystem, AChainInAnyOrderIsPutInLine) {
  std::vector<Index> name(50);
  for (Index i = 0; i < 50; ++i) name[i] = i;
  std::shuffle(name.begin(), name.end(), std::mt19937(3));
  std::vector<std::pair<Index, Index>> links;
  for (Index i = 0; i + 1 < 50; ++i)
    if (i != 24) links.emplace_back(name[i], name[i + 1]);  // two chains of 25
  const std::vector<std::vector<Index>> parts = narrow_order(50, links);
  ASSERT_EQ(parts.size(), 2u);
  for (const std::vector<Index>& part : parts) {
    ASSERT_EQ(part.size(), 25u);
    for (std::size_t k = 0; k + 1 < part.size(); ++k) {
      const auto place = [&](Index i) { return std::find(name.begin(), name.end(), i) - name.begin(); };
      EXPECT_EQ(std::abs(place(part[k]) - place(part[k + 1])), 1);
    }
  }
}

}  // namespace
}  // namespace carom::numerics::testing
