// Moments that reverse rotations, beside the contact of every law of one contact.

#include "carom/laws/moments.h"

#include <cmath>

#include "laws/one_contact_support.h"
#include "random_share.h"

namespace carom::testing {
namespace {

Matrix rotation() {
  Matrix D(1, 3);
  D << 0, 0, 1;
  return D;
}

template <class L>
L with_moment(double e_m) {
  L law;
  law.moment = vector({e_m});
  law.moment_directions = rotation();
  return law;
}

/// A body of mass m and inertia I that touches at (x, y) from its centre, in the plane.
ImpactProblem body(double m, double I, double x, double y, const Vector& u, double e, double mu) {
  Matrix W(3, 2);
  W << 0, 1, 1, 0, x, -y;
  ImpactProblem result;
  result.M = MassMatrix::diagonal(vector({m, m, I}));
  result.W = W.sparseView();
  result.u_minus = u;
  result.contacts = {{.name = "1", .tangents = 1, .e = e, .mu = mu}};
  return result;
}

ImpactProblem random_body(Random& random) {
  for (;;) {
    const ImpactProblem given =
        body(std::exp(random.normal()), std::exp(random.normal()), random.normal(), random.normal(),
             random_matrix(random, 3, 1), random_restitution(random), random.uniform() < 0.1 ? 0 : random.uniform());
    if (Vector(given.W.transpose() * given.u_minus)[0] < 0) return given;
  }
}

template <class L, class Says>
void expect_moments(Says&& says) {
  Random random(19);
  int acted = 0;
  for (int i = 0; i < share_of(3000); ++i) {
    const ImpactProblem given = random_body(random);
    const double e_m = between(random, -1, 1);
    const ImpactOutcome outcome = solve(given, with_moment<L>(e_m));
    ASSERT_TRUE(outcome.solved()) << i << " " << outcome.message;
    ASSERT_NEAR(outcome.u_plus[2], -e_m * given.u_minus[2], 1e-9 * given.u_minus.norm()) << i;
    ASSERT_LE(outcome.certificate.relative.dynamics, 1e-11) << i;
    ASSERT_LE(outcome.certificate.relative.ledger, 1e-9) << i;
    ASSERT_GE(outcome.Lambda[0], 0) << i;
    ASSERT_LE(std::abs(outcome.Lambda[1]), given.contacts[0].mu * outcome.Lambda[0] * (1 + 1e-9) + 1e-12) << i;
    if (outcome.Lambda[0] == 0) continue;
    ++acted;
    says(given, outcome, i);
  }
  EXPECT_GT(acted, share_of(1500));
}

void expect_rebound(const ImpactProblem& given, const ImpactOutcome& outcome, int i) {
  ASSERT_NEAR(outcome.gamma_plus[0], -given.contacts[0].e * outcome.gamma_minus[0], 1e-9 * outcome.gamma_minus.norm())
      << i;
}

TEST(Moments, WhittakerRubsAgainstTheSlipBefore) {
  expect_moments<Whittaker>([](const ImpactProblem& given, const ImpactOutcome& outcome, int i) {
    expect_rebound(given, outcome, i);
    const double mu = given.contacts[0].mu, sign = outcome.gamma_minus[1] > 0 ? 1 : -1;
    ASSERT_NEAR(outcome.Lambda[1], -mu * sign * outcome.Lambda[0], 1e-9 * outcome.Lambda[0]) << i;
  });
}

TEST(Moments, KaneAndLevinsonRubsAgainstTheSlipAfter) {
  expect_moments<KaneLevinson>([](const ImpactProblem& given, const ImpactOutcome& outcome, int i) {
    expect_rebound(given, outcome, i);
    const double mu = given.contacts[0].mu, w = outcome.gamma_plus[1];
    if (std::abs(w) <= 1e-9 * outcome.gamma_minus.norm()) return;
    ASSERT_NEAR(outcome.Lambda[1], -mu * (w > 0 ? 1 : -1) * outcome.Lambda[0], 1e-8 * outcome.Lambda[0]) << i;
  });
}

TEST(Moments, SmithRubsAgainstTheirMean) {
  expect_moments<Smith>([](const ImpactProblem& given, const ImpactOutcome& outcome, int i) {
    expect_rebound(given, outcome, i);
    const double v = outcome.gamma_minus[1], w = outcome.gamma_plus[1], mu = given.contacts[0].mu;
    const double mean = (std::abs(v) * v + std::abs(w) * w) / (v * v + w * w);
    ASSERT_NEAR(outcome.Lambda[1], -mu * mean * outcome.Lambda[0], 1e-7 * outcome.Lambda[0]) << i;
  });
}

TEST(Moments, KellerHoldsTheRotation) {  // after the moment a body without rotation: a mass point
  expect_moments<Keller>([](const ImpactProblem& given, const ImpactOutcome& outcome, int i) {
    const double m = given.M.to_dense()(0, 0), x = Matrix(given.W)(2, 0), y = -Matrix(given.W)(2, 1);
    const double omega = outcome.u_plus[2], mu = given.contacts[0].mu, e = given.contacts[0].e;
    const double c_n = given.u_minus[1] + x * omega, c_t = given.u_minus[0] - y * omega;
    const double P_n = -m * (1 + e) * c_n, P_t = -std::copysign(std::min(mu * P_n, m * std::abs(c_t)), c_t);
    ASSERT_NEAR(outcome.Lambda[0], P_n, 1e-9 * P_n) << i;
    ASSERT_NEAR(outcome.Lambda[1], P_t, 1e-9 * P_n) << i;
  });
}

TEST(Moments, SameVelocitiesByRestitutionInAllDirections) {  // a second way: no friction law at all
  Random random(6);
  for (int i = 0; i < share_of(500); ++i) {
    ImpactProblem given = random_body(random);
    const double e_m = between(random, -1, 1);
    const ImpactOutcome smith = solve(given, with_moment<Smith>(e_m));
    if (smith.Lambda[0] == 0 || std::abs(smith.gamma_plus[1]) > std::abs(smith.gamma_minus[1])) continue;
    given.contacts[0].e_t = -smith.gamma_plus[1] / smith.gamma_minus[1];
    const ImpactOutcome same = solve(given, with_moment<TangentialRestitution>(e_m));
    ASSERT_LE((same.u_plus - smith.u_plus).norm(), 1e-8 * given.u_minus.norm()) << i;
    ASSERT_LE((same.generalized_impulse - smith.generalized_impulse).norm(), 1e-7 * given.u_minus.norm()) << i;
  }
}

TEST(Moments, WrongOnesAreRefusedByEveryLawOfOneContact) {
  const ImpactProblem given = body(1, 1, 0.5, 1, vector({1, -1, 0}), 0.5, 0.3);
  EXPECT_THROW(solve(given, with_moment<Smith>(2)), InputError);
  EXPECT_THROW(solve(given, with_moment<Whittaker>(-1.5)), InputError);
  EXPECT_THROW(solve(given, with_moment<Keller>(2)), InputError);
  KaneLevinson law;
  law.moment = vector({0.5});
  EXPECT_THROW(solve(given, law), InputError) << "no direction";
}

}  // namespace
}  // namespace carom::testing
