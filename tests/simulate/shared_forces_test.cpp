#include "carom/simulate/shared_forces.h"

#include <gtest/gtest.h>

namespace carom::simulate {
namespace {

/// Constraints C between neighbours of a row of unit masses, each of them twice; forces act along F, which is C turned
/// by `friction` towards the next mass.
struct TwofoldChain {
  SparseMatrix S;
  Vector r, wanted;  // (constraints) forces that share evenly
};
TwofoldChain twofold_chain(Index links, double friction) {
  Matrix C = Matrix::Zero(links + 2, links);
  for (Index i = 0; i < links; ++i) {
    C(i, i) = -1;
    C(i + 1, i) = 1;
  }
  Matrix F = C;
  for (Index i = 0; i < links; ++i) F(i + 2, i) += friction;
  Matrix twice_C(C.rows(), 2 * links), twice_F(C.rows(), 2 * links);
  Vector wanted(2 * links);
  for (Index i = 0; i < links; ++i)
    for (Index k = 2 * i; k < 2 * i + 2; ++k) {
      twice_C.col(k) = C.col(i);
      twice_F.col(k) = F.col(i);
      wanted[k] = 1 + 0.1 * static_cast<double>(i % 5);
    }
  const Matrix S = twice_C.transpose() * twice_F;
  return {S.sparseView(), S * wanted, wanted};
}

TEST(SharedForces, TwoEqualConstraintsCarryHalfEach) {
  for (const double friction : {0.0, 0.2})
    for (const Index links : {3, 5, 20, 60}) {
      const TwofoldChain chain = twofold_chain(links, friction);
      const SharedForces found = share_forces(chain.S, chain.r, {});
      EXPECT_TRUE(found.redundant);
      EXPECT_NEAR((found.x - chain.wanted).cwiseAbs().maxCoeff(), 0, 1e-9) << links << " links, friction " << friction;
    }
}

TEST(SharedForces, WhatTheEquationsDetermineIsNotOpen) {
  TwofoldChain chain = twofold_chain(20, 0.2);
  Matrix S = Matrix::Zero(43, 43);
  S.topLeftCorner(40, 40) = Matrix(chain.S);
  S.bottomRightCorner(3, 3) << 2, 0.5, 0, 0.3, 2, 0.5, 0, 0.5, 2;
  Vector r(43);
  r << chain.r, 1, 2, 3;
  const SharedForces found = share_forces(S.sparseView(), r, {});
  ASSERT_EQ(found.open.size(), 43u);
  for (std::size_t i = 0; i < 43; ++i) EXPECT_EQ(found.open[i] != 0, i < 40) << i;
  EXPECT_NEAR((S * found.x - r).cwiseAbs().maxCoeff(), 0, 1e-10);
}

/// One of two equal constraints is a contact that the other, of a force given by itself, would have pull.
TEST(SharedForces, AContactDoesNotPullWhereOthersCanCarry) {
  TwofoldChain chain = twofold_chain(20, 0);
  const SharedForces found = share_forces(chain.S, -chain.r, {{0, 0, 0}, {6, 0, 0}});
  EXPECT_GE(found.x[0], -1e-10);
  EXPECT_GE(found.x[6], -1e-10);
  EXPECT_NEAR((chain.S * found.x + chain.r).cwiseAbs().maxCoeff(), 0, 1e-10);
}

/// Whatever it was used for before.
TEST(SharedForces, AnOrderThatIsKeptChangesNothing) {
  ForceOrder order;
  for (int round = 0; round < 2; ++round)
    for (const double friction : {0.0, 0.2})
      for (const Index links : {5, 20, 21}) {
        const TwofoldChain chain = twofold_chain(links, friction);
        EXPECT_EQ(share_forces(chain.S, chain.r, {}, order).x, share_forces(chain.S, chain.r, {}).x)
            << links << " links, friction " << friction;
      }
}

}  // namespace
}  // namespace carom::simulate
