// Keller's integration where contacts slip without closing and friction presses them together: closed forms, the limit
// of a second law, and what is claimed of uniqueness.

#include <Eigen/Dense>
#include <cmath>

#include "laws/one_contact_support.h"
#include "random_share.h"

namespace carom::testing {
namespace {

using one_contact::Restitution;

/// Two ends of rods at 45 degrees that slip without closing, with mu so large that friction presses each together, as
/// their contact velocities: B of one rod on the diagonal, coupled by c.
ImpactProblem two_rods(double c, const Vector& u, double eta) {
  Matrix G(4, 4);
  G << 2.5, -1.5, c, 0, -1.5, 2.5, 0, c, c, 0, 2.5, -1.5, 0, c, -1.5, 2.5;
  ImpactProblem result = contact_alone(G, u, 2, 0.5);
  result.contacts[0].tangents = 1;
  result.contacts[0].eta = eta;
  result.contacts.push_back(result.contacts[0]);
  result.contacts[1].name = "2";
  return result;
}

TEST(TangentialImpacts, ThatAreMirrorImagesAreOne) {  // both do the same: one contact with B + c
  for (const double c : {-0.5, -0.15, 0.2})
    for (const double eta : {1.0, 1.5, 2.0})
      for (const Restitution restitution : {Restitution::poisson, Restitution::stronge}) {
        Matrix B(2, 2);
        B << 2.5 + c, -1.5, -1.5, 2.5 + c;
        const Keller law{.restitution = restitution};
        const ImpactOutcome one = solve(contact_alone(B, vector({0, -1}), 2, 0.5), law);
        const ImpactOutcome both = solve(two_rods(c, vector({0, -1, 0, -1}), eta), law);
        ASSERT_TRUE(both.solved());
        // A difference between them dies out while they grow if eta (0.5 + c) < 0.5 - c; else one is the first.
        const bool together = eta * (0.5 + c) < 0.5 - c;
        const double error = together ? 1e-8 : 1e-4;
        EXPECT_VECTOR_NEAR(both.u_plus.head(2), one.u_plus, error);
        EXPECT_VECTOR_NEAR(both.u_plus.tail(2), one.u_plus, error);
        EXPECT_GT(one.u_plus[0], 0.05);
        EXPECT_TRUE(both.certificate.consistent);
        EXPECT_EQ(bool(both.unique.u_plus), together);
        EXPECT_EQ(both.remarks.empty(), together);
      }
}

TEST(TangentialImpacts, PressEachOtherWhereNoneIsPressedByItself) {  // C = (0.25, -0.5): grows along (1, 1) only
  for (const double eta : {1.0, 1.5, 2.0}) {
    Matrix B(2, 2);
    B << 2, -1.5, -1.5, 2;
    const ImpactOutcome one = solve(contact_alone(B, vector({0, -1}), 1.5, 0.5), Keller{});
    ImpactProblem given = two_rods(-0.5, vector({0, -1, 0, -1}), eta);
    for (Contact& contact : given.contacts) contact.mu = 1.5;
    const ImpactOutcome both = solve(given, Keller{});
    ASSERT_TRUE(both.solved());
    EXPECT_VECTOR_NEAR(both.u_plus.head(2), one.u_plus, 1e-8);
    EXPECT_VECTOR_NEAR(both.u_plus.tail(2), one.u_plus, 1e-8);
    EXPECT_GT(one.u_plus[0], 0.05);
    EXPECT_FALSE(both.unique.u_plus.is_known());  // no other start was found, and that is no proof
    given.contacts[1].mu = 0.5;                   // and no longer: C is positive definite
    const ImpactOutcome nothing = solve(given, Keller{});
    EXPECT_VECTOR_NEAR(nothing.u_plus, given.u_minus, 0);
    EXPECT_TRUE(nothing.unique.u_plus);
  }
}

/// Ends of rods that slip without closing and press each other a little: one of them has another stiffness.
ImpactProblem many_rods(Index count, Index other) {
  Matrix G = Matrix::Zero(2 * count, 2 * count);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) G(2 * i, 2 * j) = G(2 * i + 1, 2 * j + 1) = i == j ? 2.5 : -0.05;
    G(2 * i, 2 * i + 1) = G(2 * i + 1, 2 * i) = -1.5;
  }
  Vector u = Vector::Zero(2 * count);
  for (Index i = 0; i < count; ++i) u[2 * i + 1] = -1;
  ImpactProblem result = contact_alone(G, u, 2, 0.5);
  result.contacts[0].tangents = 1;
  result.contacts.resize(static_cast<std::size_t>(count), result.contacts[0]);
  result.contacts[other].k = 3;
  return result;
}

TEST(TangentialImpacts, ClaimsOfManyDoNotDependOnNumbers) {
  const ImpactOutcome first = solve(many_rods(14, 0), Keller{}), last = solve(many_rods(14, 13), Keller{});
  ASSERT_TRUE(first.solved() && last.solved());
  EXPECT_EQ(first.unique.u_plus, last.unique.u_plus);
  EXPECT_FALSE(first.unique.u_plus);
  EXPECT_VECTOR_NEAR(first.u_plus.head(2), last.u_plus.tail(2), 1e-5);
}

/// Contacts whose normals do not move each other, but one's friction the other's slip: who grows faster is first, and
/// the other one has its impact after it, with the slip that it finds.
TEST(TangentialImpacts, ThatAreLeftBehindComeLater) {
  ImpactProblem given = two_rods(0, vector({0, -1, 0, -1}), 1);
  Matrix G = given.M.to_dense().inverse();
  G(1, 3) = G(3, 1) = 0.4;
  given.M = MassMatrix::dense(G.inverse());
  given.contacts[0].k = 4;
  const auto in_turn = [&](Index first) {
    Vector u = given.u_minus;
    for (const Index i : {first, 1 - first}) {
      ImpactProblem alone = given;
      alone.u_minus = u;
      alone.W = Matrix(Matrix(given.W).middleCols(2 * i, 2)).sparseView();
      alone.contacts = {given.contacts[i]};
      u = solve(alone, Keller{}).u_plus;
    }
    return u;
  };
  ASSERT_GT((in_turn(0) - in_turn(1)).norm(), 1e-3);
  const ImpactOutcome outcome = solve(given, Keller{});
  ASSERT_TRUE(outcome.solved());
  EXPECT_VECTOR_NEAR(outcome.u_plus, in_turn(0), 1e-5);  // starts with 1e-6, because several could be first
  EXPECT_FALSE(outcome.unique.u_plus);                   // the other one may be first
  EXPECT_TRUE(outcome.certificate.consistent);
  EXPECT_LE(outcome.certificate.relative.ledger, 1e-8);
}

/// A second way: the same impact with a little approach, under lzb. It tends to the tangential one as that vanishes.
TEST(TangentialImpacts, AreTheLimitOfOnesThatClose) {
  for (const Vector& u : {vector({0, -1, 0, -1}), vector({0, -1, 0, -0.6}), vector({0, -1, 0, 0})}) {
    const ImpactOutcome tangential = solve(two_rods(-0.3, u, 1), Keller{});
    ASSERT_TRUE(tangential.solved());
    EXPECT_GT(tangential.Lambda[2], 0.01);  // the second one is pressed too, slip or no slip
    double last = 1;
    for (const double approach : {1e-3, 1e-4, 1e-5}) {
      const Vector closing = vector({approach, 0, u[3] < 0 ? 0.5 * approach : 0, 0});
      const double error =
          (solve(two_rods(-0.3, u - closing, 1), Lzb{.tolerance = 1e-6}).u_plus - tangential.u_plus).norm();
      EXPECT_LT(error, 0.6 * last);
      last = error;
    }
    EXPECT_LT(last, 0.01);
  }
}

TEST(TangentialImpacts, FollowTheNumberingAndTheUnits) {
  Random random(17);
  for (int i = 0; i < share_of(60); ++i) {
    const ImpactProblem given =
        two_rods(between(random, -0.6, 0.3), vector({0, -1, 0, -random.uniform()}), i % 2 == 0 ? 1 : 1.5);
    ImpactProblem renumbered = given;
    Matrix order = Matrix::Zero(4, 4);
    order.topRightCorner(2, 2).setIdentity();
    order.bottomLeftCorner(2, 2).setIdentity();
    renumbered.W = Matrix(Matrix(given.W) * order).sparseView();
    const ImpactOutcome one = solve(given, Keller{}), other = solve(renumbered, Keller{});
    ASSERT_EQ(one.status, other.status);
    EXPECT_VECTOR_NEAR(one.u_plus, other.u_plus, one.unique.u_plus ? 1e-7 : 1e-3);
    ImpactProblem faster = given;
    faster.u_minus *= 1e3;
    EXPECT_VECTOR_NEAR(solve(faster, Keller{}).u_plus / 1e3, one.u_plus, one.unique.u_plus ? 1e-7 : 1e-3);
    EXPECT_LE(one.energy.after, one.energy.before);
  }
}

/// Two contacts that slip and part each other's slip, C = (2, -c; -c, 2): e = 1 may return an impulse twice.
TEST(TangentialImpacts, StartNothingUnderPoissonWhereImpulsesAreBound) {
  for (const double c : {0.5, 0.9, 1.1, 1.9}) {
    Matrix G = Matrix::Identity(4, 4) * 2;
    G(0, 2) = G(2, 0) = -c;
    ImpactProblem given = contact_alone(G, vector({0, -1, 0, -1}), 0.3, 1);
    given.contacts[0].tangents = 1;
    given.contacts.resize(2, given.contacts[0]);
    const ImpactOutcome poisson = solve(given, Keller{.restitution = Restitution::poisson});
    const ImpactOutcome stronge = solve(given, Keller{.restitution = Restitution::stronge});
    EXPECT_VECTOR_NEAR(poisson.u_plus, given.u_minus, 0);
    EXPECT_TRUE(stronge.unique.u_plus) << c;                  // C is positive definite
    EXPECT_EQ(poisson.unique.u_plus.is_known(), c < 1) << c;  // the M-matrix: 2 > c (1 + e)
    for (Contact& contact : given.contacts) contact.e = 0;
    EXPECT_TRUE(solve(given, Keller{.restitution = Restitution::poisson}).unique.u_plus) << c;
  }
}

/// The bound itself: where the proof holds, a small closing of contacts at rest leaves impulses of its size.
TEST(TangentialImpacts, OfWhichNoneIsClaimedStayAsSmallAsWhatDisturbsThem) {
  Random random(23);
  int claimed = 0;
  for (int i = 0; i < share_of(200); ++i) {
    Matrix A(6, 6);
    for (Index k = 0; k < A.size(); ++k) A.data()[k] = between(random, -1, 1);
    const Matrix G = A * A.transpose() + 0.3 * Matrix::Identity(6, 6);
    ImpactProblem given = contact_alone(G, vector({0, -1, 0, 1, 0, -0.5}), between(random, 0.1, 0.8), random.uniform());
    given.contacts[0].tangents = 1;
    given.contacts.resize(3, given.contacts[0]);
    const Keller law{.restitution = Restitution::poisson};
    const ImpactOutcome rest = solve(given, law);
    ASSERT_TRUE(rest.solved());
    if (!rest.unique.u_plus || rest.u_plus != given.u_minus) continue;
    ++claimed;
    for (const double size : {1e-4, 1e-6}) {
      given.u_minus = vector({-size * random.uniform(), -1, -size * random.uniform(), 1, -size, -0.5});
      EXPECT_LE((solve(given, law).u_plus - given.u_minus).norm(), 1e3 * size);
    }
  }
  EXPECT_GE(claimed, share_of(200) / 10);
}

}  // namespace
}  // namespace carom::testing
