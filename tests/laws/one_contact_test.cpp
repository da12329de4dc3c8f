// Laws of one closing contact that jump from before to after, tangential restitution, and what they share.

#include <Eigen/Dense>
#include <numbers>

#include "carom/laws/one_contact/friction_disc.h"
#include "carom/numerics/root.h"
#include "laws/one_contact_support.h"
#include "random_share.h"

namespace carom::testing {
namespace {

Matrix rod45() {
  Matrix B(2, 2);
  B << 2.5, -1.5, -1.5, 2.5;
  return B;
}

TEST(FrictionDisc, IsTheOnlyMinimum) {
  Random random(4);
  for (int i = 0; i < share_of(20000); ++i) {
    const Matrix A = random_matrix(random, 2, 2);
    Eigen::Matrix2d T = A * A.transpose();
    if (i % 10 == 0) T = Eigen::Matrix2d(A.col(0) * A.col(0).transpose());
    const Eigen::Vector2d q = random_matrix(random, 2, 1);
    const double R = std::exp(between(random, -4, 4));
    const one_contact::FrictionDisc disc = one_contact::friction_on_disc(T, q, R);
    const Eigen::Vector2d v = q + T * disc.P;
    const double scale = q.norm() + T.norm() * R;
    ASSERT_LE(disc.P.norm(), R * (1 + 1e-14));
    if (disc.sticks) {
      ASSERT_LE(v.norm(), 1e-12 * scale) << i;
    } else {
      ASSERT_LE((disc.P + R * v.normalized()).norm() * v.norm(), 1e-11 * R * scale) << i;
    }
  }
}

TEST(BracketedZero, IsFoundToRounding) {
  EXPECT_NEAR(numerics::bracketed_zero([](double x) { return std::cos(x); }, 0, 3), std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(numerics::bracketed_zero([](double x) { return x * x * x - 1e-9; }, 0, 1e3), 1e-3, 1e-17);
  EXPECT_EQ(numerics::bracketed_zero([](double x) { return x; }, 0, 1), 0);
}

/// Normal restitution, the friction cone and what each law says of the tangential impulse, for one and two tangents.
template <class L, class Says>
void expect_law(const L& law, Says&& says) {
  Random random(9);
  int solved = 0;
  for (int i = 0; i < share_of(6000); ++i) {
    const ImpactProblem given = random_friction(random, 1 + i % 2);
    const Contact& contact = given.contacts[0];
    const ImpactOutcome outcome = solve(given, law);
    if (!outcome.solved()) continue;
    ++solved;
    const double speed = outcome.gamma_minus.norm() + outcome.gamma_plus.norm();
    ASSERT_LE(outcome.certificate.relative.dynamics, 1e-12);
    ASSERT_NEAR(outcome.gamma_plus[0], -contact.e * outcome.gamma_minus[0], 1e-9 * speed) << i;
    ASSERT_GE(outcome.Lambda[0], 0);
    const Vector v = outcome.tangential(outcome.gamma_minus, 0), w = outcome.tangential(outcome.gamma_plus, 0);
    const Vector P_t = outcome.tangential(outcome.Lambda, 0);
    ASSERT_LE(P_t.norm(), contact.mu * outcome.Lambda[0] * (1 + 1e-9)) << i;
    says(contact.mu * outcome.Lambda[0], v, w, P_t, speed, i);
  }
  EXPECT_GT(solved, share_of(6000) * 7 / 10);
}

constexpr double kSmall = 1e-7;

TEST(Whittaker, FrictionOpposesTheSlipBefore) {
  expect_law(Whittaker{}, [](double R, const Vector& v, const Vector&, const Vector& P_t, double speed, int i) {
    if (v.norm() > 1e-9 * speed) {
      ASSERT_LE((P_t + R * v.normalized()).norm(), kSmall * R + 1e-300) << i;
    }
  });
}

TEST(KaneLevinson, FrictionOpposesTheSlipAfterOrThereIsNone) {
  expect_law(KaneLevinson{}, [](double R, const Vector&, const Vector& w, const Vector& P_t, double speed, int i) {
    ASSERT_LE((P_t * w.norm() + R * w).norm(), kSmall * R * speed + 1e-300) << i;
  });
}

TEST(Smith, FrictionOpposesTheWeightedMeanOfSlip) {
  expect_law(Smith{}, [](double R, const Vector& v, const Vector& w, const Vector& P_t, double speed, int i) {
    if (v.norm() <= 1e-9 * speed) return;
    const Vector mean = (v.norm() * v + w.norm() * w) / (v.squaredNorm() + w.squaredNorm());
    ASSERT_LE((P_t + R * mean).norm(), kSmall * R + 1e-300) << i;
  });
}

TEST(Brach, RatioIsCappedWhereSlipWouldReverse) {
  expect_law(Brach{}, [](double R, const Vector& v, const Vector& w, const Vector& P_t, double speed, int i) {
    if (v.norm() <= 1e-9 * speed || R == 0) return;
    const double along = -P_t.dot(v.normalized());
    ASSERT_GE(along, -kSmall * R) << i;
    const bool capped = along < R * (1 - 1e-9);
    if (capped && along > kSmall * R) {
      ASSERT_LE(std::abs(w.dot(v.normalized())), kSmall * speed) << i;
    }
    if (!capped) {
      ASSERT_GE(w.dot(v), -kSmall * speed * speed) << i;
    }
  });
}

TEST(Brach, UncappedIsWhittaker) {
  const ImpactProblem given = contact_alone(rod45(), vector({-1, 0.7}), 0.4, 0.6);
  const ImpactOutcome brach = solve(given, Brach{.capped = false, .moment = {}, .moment_directions = {}});
  EXPECT_VECTOR_NEAR(brach.Lambda, solve(given, Whittaker{}).Lambda, 1e-15);
}

TEST(OneContact, LawsAgreeWhereSlipDoesNotStop) {  // Gilardi, Sharf 2002, 2.5, first point
  const ImpactProblem given = contact_alone(rod45(), vector({-1, 3}), 0.3, 0.5);
  const Vector expected = solve(given, Keller{}).Lambda;
  for (const auto restitution : {one_contact::Restitution::newton, one_contact::Restitution::poisson})
    EXPECT_VECTOR_NEAR(solve(given, Keller{.restitution = restitution}).Lambda, expected, 1e-14);
  EXPECT_VECTOR_NEAR(solve(given, Whittaker{}).Lambda, expected, 1e-14);
  EXPECT_VECTOR_NEAR(solve(given, KaneLevinson{}).Lambda, expected, 1e-13);
  EXPECT_VECTOR_NEAR(solve(given, Smith{}).Lambda, expected, 1e-14);
  EXPECT_VECTOR_NEAR(solve(given, Brach{}).Lambda, expected, 1e-14);
}

TEST(OneContact, PlaneAndSpaceAgree) {
  Random random(8);
  const auto expect_same = [&](const auto& law, const ImpactProblem& planar, const ImpactProblem& spatial) {
    const ImpactOutcome flat = solve(planar, law), deep = solve(spatial, law);
    ASSERT_EQ(deep.status, flat.status) << law.name;
    if (!flat.solved()) return;
    const Vector difference = deep.u_plus.head(planar.M.size()) - flat.u_plus;
    const double size = kinetic_norm(planar.M, planar.u_minus) + kinetic_norm(planar.M, flat.u_plus);
    ASSERT_LE(kinetic_norm(planar.M, difference), 1e-8 * size) << law.name;
  };
  for (int i = 0; i < share_of(3000); ++i) {
    const ImpactProblem planar = random_friction(random, 1);
    const ImpactProblem spatial = turned_into_space(planar, between(random, 0, 6));
    ASSERT_NO_FATAL_FAILURE(expect_same(Brach{}, planar, spatial)) << i;
    ASSERT_NO_FATAL_FAILURE(expect_same(Whittaker{}, planar, spatial)) << i;
    ASSERT_NO_FATAL_FAILURE(expect_same(KaneLevinson{}, planar, spatial)) << i;
    ASSERT_NO_FATAL_FAILURE(expect_same(Smith{}, planar, spatial)) << i;
  }
}

TEST(OneContact, FrictionThatPressesMoreThanItPartsHasNoWhittakerImpulse) {
  const ImpactOutcome outcome = solve(contact_alone(rod45(), vector({-1, -1}), 2, 0.5), Whittaker{});
  EXPECT_EQ(outcome.status, Status::no_solution);  // mu B_nt = 3 > B_nn = 2.5
  EXPECT_TRUE(solve(contact_alone(rod45(), vector({-1, -1}), 2, 0.5), Keller{}).solved());
}

TEST(TangentialRestitution, ReversesEveryClosingContactAndNoOther) {
  Random random(13);
  for (int i = 0; i < share_of(2000); ++i) {
    const Index n = 12;
    const Matrix A = random_matrix(random, n, n), W = random_matrix(random, n, 6);  // n t | n t t | n
    ImpactProblem given;
    given.M = MassMatrix::dense(A * A.transpose() + Matrix::Identity(n, n));
    given.W = W.sparseView();
    given.u_minus = random_matrix(random, n, 1);
    for (const int tangents : {1, 2, 0})
      given.contacts.push_back({.name = std::to_string(tangents),
                                .tangents = tangents,
                                .e = random.uniform(),
                                .e_t = between(random, -1, 1)});
    const ImpactOutcome outcome = solve(given, TangentialRestitution{});
    ASSERT_TRUE(outcome.solved());
    for (std::size_t k = 0; k < 3; ++k) {
      const Contact& contact = given.contacts[k];
      const Index row = outcome.row[k];
      const bool closes = outcome.gamma_minus[row] < 0;
      for (Index t = 0; t <= contact.tangents; ++t) {
        if (closes) {
          ASSERT_NEAR(outcome.gamma_plus[row + t], -(t == 0 ? contact.e : contact.e_t) * outcome.gamma_minus[row + t],
                      1e-9 * outcome.gamma_minus.norm());
        } else {
          ASSERT_EQ(outcome.Lambda[row + t], 0);
        }
      }
    }
  }
}

TEST(TangentialRestitution, RefusesCoefficientsOutOfRange) {
  ImpactProblem given = contact_alone(rod45(), vector({-1, 0.7}), 0, 0.6);
  const auto place_of = [&](const TangentialRestitution& law) {
    try {
      solve(given, law);
      return std::string("accepted");
    } catch (const InputError& error) {
      return error.place;
    }
  };
  Matrix direction(1, 2);
  direction << 0, 1;
  EXPECT_EQ(place_of({.moment = vector({2}), .moment_directions = direction}), "law.moment[0]");
  EXPECT_EQ(place_of({.moment = vector({0.5}), .moment_directions = {}}), "law.moment_directions");
  EXPECT_EQ(place_of({.moment = vector({0.5}), .moment_directions = Matrix::Zero(1, 2)}), "law.moment_directions[0]");
  given.contacts[0].e_t = 1.5;
  EXPECT_EQ(place_of({}), "contacts[0].e_t");
}

TEST(TangentialRestitution, JointsHoldWhatMomentsTurn) {  // the rod's end on a rail: its joint takes the moment's push
  Matrix W(3, 2), rotation(1, 3);
  W << 0, 1, 1, 0, 0.5, 0;
  rotation << 0, 0, 1;
  ImpactProblem given;
  given.M = MassMatrix::diagonal(vector({1, 1, 1.0 / 3}));
  given.W = W.sparseView();
  given.u_minus = vector({0, -1, 0.4});
  given.J = Matrix(vector({1, 0, 0})).sparseView();
  given.contacts = {{.name = "1", .tangents = 1, .e = 0.5, .e_t = -1}};
  const ImpactOutcome outcome =
      solve(given, TangentialRestitution{.moment = vector({0.25}), .moment_directions = rotation});
  EXPECT_NEAR(outcome.u_plus[0], 0, 1e-15);
  EXPECT_NEAR(outcome.u_plus[2], -0.1, 1e-14);
  EXPECT_NEAR(outcome.gamma_plus[0], 0.4, 1e-14);
  EXPECT_LE(outcome.certificate.relative.ledger, 1e-14);
}

}  // namespace
}  // namespace carom::testing
