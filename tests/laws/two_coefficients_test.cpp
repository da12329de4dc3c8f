// Friction with two coefficients: mu_s for what sticks, and mu that depends on the direction.

#include <Eigen/Dense>
#include <cmath>

#include "laws/one_contact_support.h"
#include "support.h"

namespace carom::testing {
namespace {

ImpactProblem held_by(ImpactProblem given, double mu_s) {
  for (Contact& contact : given.contacts) contact.mu_s = mu_s;
  return given;
}

Matrix sphere_alone(Index rows) {
  Vector diagonal = Vector::Constant(rows, 3.5);
  diagonal[0] = 1;
  return diagonal.asDiagonal();
}

/// Without coupling P_n = 1 + e. Newton sticks if c_t / 3.5 <= mu_s P_n; Poisson decides in each phase.
TEST(TwoCoefficients, WhatSticksIsHeldByMuS) {
  const double mu = 0.1, mu_s = 0.3, e = 0.5;
  for (const double c_t : {0.3, 0.9, 1.3, 1.8}) {
    const ImpactProblem given = held_by(contact_alone(sphere_alone(2), vector({-1, c_t}), mu, e), mu_s);
    const double needed = c_t / 3.5;
    const ImpactOutcome newton = solve(given, Newton{}), poisson = solve(given, Poisson{});
    EXPECT_VECTOR_NEAR(newton.Lambda, vector({1.5, -(needed <= mu_s * 1.5 ? needed : mu * 1.5)}), 1e-10);
    double first = needed <= mu_s ? needed : mu, left = needed - first;
    const double second = left <= mu_s * e ? left : mu * e;
    EXPECT_VECTOR_NEAR(poisson.Lambda, vector({1.5, -(first + second)}), 1e-10);
    EXPECT_TRUE(newton.certificate.consistent);
    EXPECT_TRUE(poisson.certificate.consistent);
    EXPECT_FALSE(bool(newton.unique.u_plus)) << "it could often slip as well";
  }
}

/// Slip stops under mu; then the contact sticks if |B_nt / B_tt| <= mu_s, else slip reverses with mu.
TEST(TwoCoefficients, KellersSlipStopsForGoodIfMuSHoldsIt) {
  Matrix B(2, 2);
  B << 1, -0.6, -0.6, 1.5;  // sticking takes a ratio of 0.4
  const ImpactProblem given = contact_alone(B, vector({-1, 0.1}), 0.3, 0.5);
  EXPECT_EQ(solve(given, Keller{}).mode, "C-reversed");
  EXPECT_VECTOR_NEAR(solve(held_by(given, 0.39), Keller{}).Lambda, solve(given, Keller{}).Lambda, 1e-14);
  const ImpactOutcome sticks = solve(held_by(given, 0.41), Keller{});
  EXPECT_EQ(sticks.mode, "C-sticking");
  EXPECT_NEAR(sticks.gamma_plus[1], 0, 1e-14);
  const double stop = 0.1 / (0.6 + 0.3 * 1.5);  // P_n at which slip stops
  EXPECT_NEAR(sticks.Lambda[1], -0.3 * stop + 0.4 * (sticks.Lambda[0] - stop), 1e-12);
}

TEST(TwoCoefficients, LzbIsKellersLawAtOneContact) {
  Random random(11);
  for (int i = 0; i < 60; ++i) {
    ImpactProblem given = random_friction(random, 1);
    given.contacts[0].mu_s = given.contacts[0].mu * (1 + 2 * random.uniform());
    const ImpactOutcome keller = solve(given, Keller{}), lzb = solve(given, Lzb{});
    EXPECT_VECTOR_NEAR(lzb.u_plus, keller.u_plus, 1e-7 * (1 + keller.u_plus.norm()));
  }
}

TEST(TwoCoefficients, ContactsMayBeNumberedAnyhow) {
  Random random(3);
  for (int i = 0; i < 30; ++i) {
    const Matrix A = random_matrix(random, 5, 5), W = random_matrix(random, 5, 4);
    ImpactProblem one;
    one.M = MassMatrix::dense(A * A.transpose() + 0.3 * Matrix::Identity(5, 5));
    one.W = W.sparseView();
    one.u_minus = random_matrix(random, 5, 1);
    one.contacts = {{.name = "1", .tangents = 1, .e = 0.2, .mu = 0.1, .mu_s = 0.8},
                    {.name = "2", .tangents = 1, .e = 0.2, .mu = 0.2, .mu_s = 0.5}};
    ImpactProblem other = one;
    Matrix turned(5, 4);
    turned << W.rightCols(2), W.leftCols(2);
    other.W = turned.sparseView();
    std::swap(other.contacts[0], other.contacts[1]);
    const ImpactOutcome first = solve(one, Newton{}), second = solve(other, Newton{});
    ASSERT_EQ(first.status, second.status);
    if (!first.solved()) continue;
    EXPECT_VECTOR_NEAR(first.u_plus, second.u_plus, 1e-8 * (1 + first.u_plus.norm()));
  }
}

ImpactProblem elliptic(const Matrix& B, const Vector& c, double mu, double mu_2, double e) {
  ImpactProblem given = contact_alone(B, c, mu, e);
  given.contacts[0].mu_2 = mu_2;
  return given;
}

TEST(TwoCoefficients, AlongATangentItsOwnCoefficientActs) {
  const double fast = 5, e = 0.4;
  for (int axis = 1; axis <= 2; ++axis) {
    Vector c = vector({-1, 0, 0});
    c[axis] = fast;
    const ImpactProblem given = elliptic(sphere_alone(3), c, 0.2, 0.5, e);
    for (const ImpactOutcome& outcome :
         {solve(given, Newton{}), solve(given, Poisson{}), solve(given, Keller{}), solve(given, Lzb{})}) {
      EXPECT_NEAR(outcome.Lambda[axis], -(axis == 1 ? 0.2 : 0.5) * 1.4, 1e-8) << outcome.law;
      EXPECT_NEAR(outcome.Lambda[3 - axis], 0, 1e-8) << outcome.law;
      EXPECT_TRUE(outcome.certificate.consistent) << outcome.law;
    }
  }
}

/// Friction loses as much power as the ellipse allows: Lambda_T = -Lambda_N S^2 gamma_T / |S gamma_T|.
TEST(TwoCoefficients, SlipIsAgainstTheNormalOfTheEllipse) {
  Random random(8);
  const Eigen::Vector2d S(0.2, 0.6);
  int slipped = 0;
  for (int i = 0; i < 40; ++i) {
    ImpactProblem given = random_friction(random, 2);
    given.contacts[0].mu = S[0];
    given.contacts[0].mu_2 = S[1];
    const ImpactOutcome outcome = solve(given, Newton{});
    if (!outcome.solved() || outcome.Lambda[0] <= 0) continue;
    const Eigen::Vector2d slip = outcome.gamma_plus.tail(2), friction = outcome.Lambda.tail(2);
    EXPECT_LE(friction.cwiseQuotient(S).norm(), (1 + 1e-9) * outcome.Lambda[0]);
    if (slip.norm() < 1e-6) continue;
    ++slipped;
    const Eigen::Vector2d expected =
        -outcome.Lambda[0] * S.cwiseAbs2().cwiseProduct(slip) / S.cwiseProduct(slip).norm();
    EXPECT_LE((friction - expected).norm(), 1e-7 * outcome.Lambda[0]) << i;
  }
  EXPECT_GT(slipped, 5);
}

/// Keller's law against small steps of the same equation, and lzb against Keller's.
TEST(TwoCoefficients, KellersAndLzbsSlipFollowTheEllipse) {
  Matrix B(3, 3);
  B << 1, 0.2, -0.1, 0.2, 3, 0.3, -0.1, 0.3, 2.5;
  const Eigen::Vector2d S(0.15, 0.4);
  const ImpactProblem given = elliptic(B, vector({-1, 2, -1.5}), S[0], S[1], 1);
  Eigen::Vector3d c(-1, 2, -1.5), P = Eigen::Vector3d::Zero();
  const double h = 1e-5;
  double work = 0;
  for (bool compressed = false; !compressed || work < 0;) {  // Stronge, e = 1: until all work is returned
    const Eigen::Vector2d t = c.tail<2>(), friction = -S.cwiseAbs2().cwiseProduct(t) / S.cwiseProduct(t).norm();
    const Eigen::Vector3d dP(h, h * friction[0], h * friction[1]);
    const double before = c[0];
    c += B * dP;
    P += dP;
    work += 0.5 * (before + c[0]) * h;
    compressed = compressed || c[0] > 0;
  }
  EXPECT_VECTOR_NEAR(solve(given, Keller{}).Lambda, P, 1e-4);
  EXPECT_VECTOR_NEAR(solve(given, Lzb{}).Lambda, solve(given, Keller{}).Lambda, 1e-7);
}

TEST(TwoCoefficients, LawsOfOneCoefficientRefuseTwo) {
  const ImpactProblem given = elliptic(sphere_alone(3), vector({-1, 1, 1}), 0.2, 0.5, 0.4);
  EXPECT_THROW(solve(given, Brach{}), InputError);
  EXPECT_THROW(solve(given, Compliant{}), InputError);
  EXPECT_THROW(solve(elliptic(sphere_alone(3), vector({-1, 1, 1}), 0, 0.5, 0.4), Newton{}), InputError);
  EXPECT_THROW(solve(elliptic(sphere_alone(3), vector({-1, 1, 1}), 0.2, -1, 0.4), Newton{}), InputError);
}

TEST(TwoCoefficients, TangentialRestitutionMayDependOnTheDirection) {
  ImpactProblem given = contact_alone(sphere_alone(3), vector({-1, 1, 2}), 0, 0.5);
  given.contacts[0].e_t = 0.25;
  given.contacts[0].e_t_2 = -1;
  EXPECT_VECTOR_NEAR(solve(given, TangentialRestitution{}).gamma_plus, vector({0.5, -0.25, 2}), 1e-13);
}

}  // namespace
}  // namespace carom::testing
