// Keller's integration of one contact with friction: closed forms, brute force, properties over many random impacts.

#include "carom/laws/keller.h"

#include <Eigen/Dense>
#include <map>
#include <numbers>

#include "carom/base/random.h"
#include "laws/one_contact_support.h"
#include "random_share.h"

namespace carom::testing {
namespace {

constexpr std::array kAll = {one_contact::Restitution::newton, one_contact::Restitution::poisson,
                             one_contact::Restitution::stronge};

Matrix rod(double degrees) {  // a uniform rod of mass 1 and half length 1 that touches with its lower left end
  const double a = degrees * std::numbers::pi / 180, c = std::cos(a), s = std::sin(a);
  Matrix B(2, 2);
  B << 1 + 3 * c * c, -3 * c * s, -3 * c * s, 1 + 3 * s * s;
  return B;
}

TEST(Keller, SphereEndsByRollingOrSliding) {  // B_nt = 0: slip stops after ct / (3.5 mu), the sphere then rolls
  for (const double mu : {0.05, 0.1, 0.3}) {
    Matrix B(2, 2);
    B << 1, 0, 0, 3.5;
    const ImpactOutcome outcome = solve(contact_alone(B, vector({-1, 0.5}), mu, 0.8), Keller{});
    const double P_t = std::min(mu * 1.8, 0.5 / 3.5);
    EXPECT_VECTOR_NEAR(outcome.Lambda, vector({1.8, -P_t}), 1e-14);
    EXPECT_EQ(outcome.mode, mu == 0.05 ? "sliding" : mu == 0.1 ? "R-sticking" : "C-sticking");
  }
}

TEST(Keller, WithoutTangentsOrFrictionItIsTheFrictionlessImpact) {
  for (const one_contact::Restitution restitution : kAll) {
    const ImpactOutcome line =
        solve(contact_alone(Matrix::Constant(1, 1, 2), vector({-3}), 0, 0.5), Keller{.restitution = restitution});
    EXPECT_VECTOR_NEAR(line.Lambda, vector({2.25}), 1e-15);
    EXPECT_EQ(line.mode, "frictionless");
    const ImpactOutcome plane =
        solve(contact_alone(rod(30), vector({-1, 2}), 0, 0.5), Keller{.restitution = restitution});
    EXPECT_VECTOR_NEAR(plane.Lambda, vector({1.5 / 3.25, 0}), 1e-15);
    EXPECT_EQ(plane.mode, "sliding");
  }
}

TEST(Keller, TangentialImpactHasNoApproach) {  // reference rod_tangential_impact_painleve
  const ImpactProblem given = contact_alone(rod(45), vector({0, -1}), 2, 0.5);
  const ImpactOutcome poisson = solve(given, Keller{.restitution = one_contact::Restitution::poisson});
  EXPECT_VECTOR_NEAR(poisson.Lambda, vector({0.5625, 0.7375}), 1e-14);
  EXPECT_EQ(poisson.mode, "C-sticking");
  const ImpactProblem harmless = contact_alone(rod(45), vector({0, -1}), 1.5, 0.5);
  EXPECT_VECTOR_NEAR(solve(harmless, Keller{}).Lambda, vector({0, 0}), 0);
}

TEST(Keller, JammedContactStaysWhereItIsUnlessNewtonSaysOtherwise) {  // a pendulum whose end touches a wall: one degree
                                                                      // of freedom, wN || wT
  const double angle = std::numbers::pi / 6;
  Matrix W(1, 2);
  W << std::sin(angle), -std::cos(angle);
  ImpactProblem given;
  given.M = MassMatrix::diagonal(vector({1.0 / 3}));
  given.W = W.sparseView();
  given.u_minus = vector({-2});
  given.contacts = {{.name = "1", .tangents = 1, .e = 1, .mu = 0.8}};
  for (const one_contact::Restitution restitution : kAll) {
    const ImpactOutcome outcome = solve(given, Keller{.restitution = restitution});
    ASSERT_TRUE(outcome.solved());
    EXPECT_NEAR(outcome.u_plus[0], restitution == one_contact::Restitution::newton ? 2 : 0, 1e-14);
    EXPECT_EQ(outcome.mode, "jam");
    EXPECT_TRUE(outcome.certificate.consistent);
  }
  given.contacts[0].mu = 0.3;
  const ImpactOutcome free = solve(given, Keller{.restitution = one_contact::Restitution::poisson});
  const double tan = std::tan(angle), kept = (tan - 0.3) / (tan + 0.3);
  EXPECT_NEAR(free.u_plus[0], 2 * kept, 1e-14);
  EXPECT_NEAR(solve(given, Keller{}).u_plus[0], 2 * std::sqrt(kept), 1e-14);
}

TEST(Keller, WallThatMovesAlongMayWedgeAContact) {
  Matrix W(1, 2);
  W << 1, -2;
  ImpactProblem given;
  given.M = MassMatrix::diagonal(vector({1}));
  given.W = W.sparseView();
  given.u_minus = vector({-1});
  given.drift = vector({0, -3});  // slip -1 while it closes at 1: friction holds what it cannot stop
  given.contacts = {{.name = "edge", .tangents = 1, .e = 0, .mu = 2}};
  const ImpactOutcome outcome = solve(given, Keller{});
  EXPECT_EQ(outcome.status, Status::no_solution);
  EXPECT_NE(outcome.message.find("'edge'"), std::string::npos);
}

TEST(Keller, SingularContactsEndWithoutHugeImpulses) {  // fewer degrees of freedom than directions
  Random random(23);
  for (int i = 0; i < share_of(5000); ++i) {
    const Index n = pick(random, 1, 2);
    Matrix W = random_matrix(random, n, 3);
    ImpactProblem given;
    given.M = MassMatrix::diagonal(Vector::Ones(n));
    given.W = W.sparseView();
    given.u_minus = random_matrix(random, n, 1);
    given.contacts = {{.name = "1", .tangents = 2, .e = random.uniform(), .mu = std::exp(between(random, -2, 2))}};
    const one_contact::Restitution restitution = kAll[i % 3];
    const ImpactOutcome outcome = solve(given, Keller{.restitution = restitution});
    if (!outcome.solved()) continue;
    ASSERT_LE(outcome.certificate.relative.dynamics, 1e-11) << i;
    ASSERT_LE(outcome.certificate.relative.kinematic, 1e-9) << i;
    ASSERT_TRUE(outcome.certificate.consistent || restitution == one_contact::Restitution::newton) << i;
  }
}

TEST(Keller, WaveLossIsTakenFromTheWorkOfRestitution) {
  ImpactProblem given = contact_alone(rod(45), vector({-1, 0.2}), 0.3, 0.8);
  const ImpactOutcome without = solve(given, Keller{}), with = solve(given, Keller{.wave_loss = 0.05});
  EXPECT_NEAR(with.phases->restitution_work, without.phases->restitution_work - 0.05, 1e-15);
  const double all = -without.phases->compression_work;
  EXPECT_NEAR(solve(given, Keller{.wave_loss = all}).gamma_plus[0], 0, 1e-15);
  EXPECT_THROW(solve(given, Keller{.wave_loss = 1.001 * all}), InputError) << "more than compression takes";
  EXPECT_THROW(solve(given, Keller{.wave_loss = -1}), InputError);
}

TEST(Keller, PathIsTheOutcomeAtItsEnd) {
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const ImpactProblem given = random_friction(random, 1 + i % 2);
    Path path;
    const ImpactOutcome outcome = solve(given, Keller{}, &path);
    ASSERT_GE(path.states.size(), 2U);
    EXPECT_EQ(path.states.front().Lambda.norm(), 0);
    EXPECT_EQ(path.states.back().Lambda, outcome.Lambda);
    for (std::size_t k = 1; k < path.states.size(); ++k) EXPECT_GE(path.states[k].time, path.states[k - 1].time);
  }
}

/// The impact in many small steps of the normal impulse, each with the friction of its middle: slip that a step would
/// turn round is stopped, and from zero slip friction is what the projected gradients of 1/2 r'Tr + b'r over |r| <= mu
/// end at. Nothing of the law's own code is used; the error is of the order of a step.
class BruteForce {
 public:
  BruteForce(const ImpactProblem& problem, one_contact::Restitution restitution)
      : mu_(problem.contacts[0].mu), e_(problem.contacts[0].e), restitution_(restitution) {
    const Matrix W = problem.W, B = W.transpose() * problem.M.to_dense().llt().solve(W);
    B_.setZero();
    B_.topLeftCorner(B.rows(), B.rows()) = B;
    c_.setZero();
    c_.head(B.rows()) = W.transpose() * problem.u_minus;
    rebound_ = -e_ * c_[0];
    if (B.rows() == 2) B_(2, 2) = B_.norm();  // a second tangent that nothing moves
    step_ = 1e-4 * std::abs(c_[0]) / (B_.norm() * (1 + mu_));
    leave_zero_slip();
  }

  /// The impulse, or nothing if the impact takes too many steps.
  std::optional<Eigen::Vector3d> impulse() {
    for (int i = 0; i < 300000; ++i) {
      const double before = missing();
      advance();
      if (missing() > 0) continue;
      const double back = before == missing() ? 0 : missing() / (before - missing());  // < 0, of a step
      P_ += back * step_ * press_;
      c_ += back * step_ * B_ * press_;
      work_ += back * step_ * c_[0];
      if (compressed_) return P_;
      compressed_ = true;
      P_c_ = P_[0];
      W_c_ = work_;
      if (e_ == 0) return P_;
    }
    return std::nullopt;
  }

 private:
  double missing() const {
    if (!compressed_) return -c_[0];
    if (restitution_ == one_contact::Restitution::newton) return rebound_ - c_[0];
    if (restitution_ == one_contact::Restitution::poisson) return (1 + e_) * P_c_ - P_[0];
    return -e_ * e_ * W_c_ - (work_ - W_c_);
  }

  void advance() {
    if (!at_zero_slip_ && mu_ > 0) {
      const Eigen::Vector2d now = c_.tail<2>().normalized();
      const Eigen::Vector2d turn = B_.bottomRows<2>() * Eigen::Vector3d(1, -mu_ * now[0], -mu_ * now[1]);
      const Eigen::Vector2d middle = c_.tail<2>() + 0.5 * step_ * turn, end = c_.tail<2>() + step_ * turn;
      if (end.dot(now) <= 0) {  // slip stops within this step
        c_.tail<2>().setZero();
        leave_zero_slip();
      } else {
        press_.tail<2>() = -mu_ * middle.normalized();
      }
    }
    work_ += step_ * (c_[0] + 0.5 * step_ * B_.row(0).dot(press_));
    P_ += step_ * press_;
    c_ += step_ * B_ * press_;
    if (at_zero_slip_) c_.tail<2>().setZero();
  }

  void leave_zero_slip() {
    press_ = Eigen::Vector3d(1, 0, 0);
    at_zero_slip_ = c_.tail<2>().norm() <= 1e-13 * std::abs(c_[0]);
    if (!at_zero_slip_) return;
    const Eigen::Matrix2d T = B_.bottomRightCorner<2, 2>();
    const Eigen::Vector2d b = B_.col(0).tail<2>();
    Eigen::Vector2d r = -T.inverse() * b;
    at_zero_slip_ = r.norm() <= mu_;
    for (int i = 0; i < 20000 && !at_zero_slip_; ++i) {
      r -= (T * r + b) / T.norm();
      if (r.norm() > mu_) r *= mu_ / r.norm();
    }
    press_.tail<2>() = r;
    if (!at_zero_slip_) c_.tail<2>() = 1e-9 * step_ * (b + T * r);  // slips off
  }

  Eigen::Matrix3d B_;
  Eigen::Vector3d c_, P_ = Eigen::Vector3d::Zero(), press_;
  double mu_, e_, rebound_ = 0, step_ = 0, work_ = 0, P_c_ = 0, W_c_ = 0;
  one_contact::Restitution restitution_;
  bool compressed_ = false, at_zero_slip_ = false;
};

TEST(Keller, AgreesWithBruteForce) {
  Random random(11);
  const int count = share_of(100);
  int compared = 0;
  for (int i = 0; i < count; ++i) {
    const ImpactProblem given = random_friction(random, 1 + i % 2);
    const one_contact::Restitution restitution = kAll[i % 3];
    const ImpactOutcome outcome = solve(given, Keller{.restitution = restitution});
    ASSERT_TRUE(outcome.solved());
    const std::optional<Eigen::Vector3d> P = BruteForce(given, restitution).impulse();
    if (!P) continue;
    ++compared;
    ASSERT_LE((outcome.Lambda - P->head(outcome.Lambda.size())).norm(), 1e-3 * P->norm()) << i;
  }
  EXPECT_GE(compared, count * 2 / 3);
}

double relative(const ImpactProblem& problem, const Vector& difference, const ImpactOutcome& outcome) {
  return kinetic_norm(problem.M, difference) /
         (kinetic_norm(problem.M, problem.u_minus) + kinetic_norm(problem.M, outcome.u_plus));
}

TEST(Keller, PlaneAndSpaceAgree) {
  Random random(3);
  for (int i = 0; i < share_of(3000); ++i) {
    const ImpactProblem planar = random_friction(random, 1);
    const ImpactProblem spatial = turned_into_space(planar, between(random, 0, 6));
    for (const one_contact::Restitution restitution : kAll) {
      const Keller law{.restitution = restitution};
      const ImpactOutcome flat = solve(planar, law), deep = solve(spatial, law);
      ASSERT_EQ(deep.status, flat.status);
      ASSERT_LE(relative(planar, deep.u_plus.head(planar.M.size()) - flat.u_plus, flat), 1e-8) << i;
      ASSERT_EQ(deep.mode, flat.mode) << i;
    }
  }
}

void expect_mechanics(const ImpactProblem& problem, const ImpactOutcome& outcome,
                      one_contact::Restitution restitution) {
  const Contact& contact = problem.contacts[0];
  ASSERT_TRUE(outcome.solved()) << outcome.message;
  const Certificate& certificate = outcome.certificate;
  ASSERT_LE(certificate.relative.dynamics, 1e-12);
  ASSERT_LE(certificate.relative.ledger, 1e-9);
  ASSERT_LE(certificate.relative.kinematic, 1e-9);
  ASSERT_LE(certificate.relative.kinetic, 1e-9) << "inside the friction cone";
  ASSERT_LE(outcome.tangential(outcome.Lambda, 0).norm(), contact.mu * outcome.Lambda[0] * (1 + 1e-9));
  const TwoPhases& phases = *outcome.phases;
  const double scale = outcome.energy.before + outcome.energy.after + std::abs(phases.compression_work);
  ASSERT_GE(outcome.energy.dissipated_friction[0], -1e-9 * scale) << "friction takes energy";
  const double created = outcome.energy.after - outcome.energy.before;
  if (restitution != one_contact::Restitution::newton) {
    ASSERT_LE(created, 1e-12 * scale);
    ASSERT_TRUE(certificate.consistent);
  } else if (created > 1e-7 * scale) {
    ASSERT_FALSE(certificate.consistent) << "energy from nowhere is seen";
  }
  // What the coefficient says, unless slip has closed the contact again.
  const double e = contact.e, e_work = -e * e * phases.compression_work;
  switch (restitution) {
    case one_contact::Restitution::newton:
      ASSERT_NEAR(outcome.gamma_plus[0], -e * outcome.gamma_minus[0], 1e-8 * outcome.gamma_minus.norm());
      break;
    case one_contact::Restitution::poisson:
      ASSERT_GE(phases.restitution_impulse, e * phases.compression_impulse * (1 - 1e-8));
      break;
    case one_contact::Restitution::stronge:
      ASSERT_NEAR(phases.restitution_work, e_work, 1e-8 * scale);
      break;
  }
}

TEST(Keller, ThirtyThousandPlanarImpactsObeyMechanics) {
  Random random(1);
  std::map<std::string, int> modes;
  int created = 0;
  for (int i = 0; i < share_of(30000); ++i) {
    const ImpactProblem given = random_friction(random, 1);
    const one_contact::Restitution restitution = kAll[i % 3];
    const ImpactOutcome outcome = solve(given, Keller{.restitution = restitution});
    ASSERT_NO_FATAL_FAILURE(expect_mechanics(given, outcome, restitution)) << i;
    ++modes[outcome.mode];
    if (!outcome.certificate.consistent) ++created;
  }
  if (share_of(30000) < 30000) return;
  for (const char* mode : {"sliding", "C-sticking", "R-sticking", "C-reversed", "R-reversed", "sticking(initial)"})
    EXPECT_GT(modes[mode], 50) << mode;
  EXPECT_GT(created, 0) << "Newton's coefficient creates energy sometimes";
}

TEST(Keller, FiveThousandSpatialImpactsObeyMechanics) {
  Random random(2);
  std::map<std::string, int> modes;
  for (int i = 0; i < share_of(5000); ++i) {
    const ImpactProblem given = random_friction(random, 2);
    const one_contact::Restitution restitution = kAll[i % 3];
    const ImpactOutcome outcome = solve(given, Keller{.restitution = restitution});
    ASSERT_NO_FATAL_FAILURE(expect_mechanics(given, outcome, restitution)) << i;
    ++modes[outcome.mode];
  }
  if (share_of(5000) < 5000) return;
  for (const char* mode : {"sliding", "C-sticking", "R-sticking", "C-reversed", "sticking(initial)"})
    EXPECT_GT(modes[mode], 10) << mode;
}

TEST(Keller, MirrorImagesAndUnitsChangeNothing) {
  Random random(5);
  for (int i = 0; i < share_of(3000); ++i) {
    const int tangents = 1 + i % 2;
    const ImpactProblem given = random_friction(random, tangents);
    const Keller law{.restitution = kAll[i % 3]};
    const ImpactOutcome expected = solve(given, law);

    ImpactProblem mirrored = given;  // the first tangent points the other way
    mirrored.W.col(1) *= -1;
    const ImpactOutcome mirror = solve(mirrored, law);
    ASSERT_LE(relative(given, mirror.u_plus - expected.u_plus, expected), 1e-9) << i;
    ASSERT_EQ(mirror.mode, expected.mode);
    ASSERT_NEAR(mirror.Lambda[1], -expected.Lambda[1], 1e-8 * expected.Lambda.norm());

    ImpactProblem scaled = given;  // grams and millimetres
    scaled.M = MassMatrix::dense(1e3 * given.M.to_dense());
    scaled.u_minus *= 1e3;
    const ImpactOutcome units = solve(scaled, law);
    ASSERT_LE(relative(given, 1e-3 * units.u_plus - expected.u_plus, expected), 1e-9) << i;
    ASSERT_EQ(units.mode, expected.mode);
    ASSERT_EQ(units.certificate.consistent, expected.certificate.consistent);
  }
}

TEST(Keller, KeepsItsTolerance) {
  Random random(17);
  for (int i = 0; i < share_of(600); ++i) {
    const ImpactProblem given = random_friction(random, 2);
    const one_contact::Restitution restitution = kAll[i % 3];
    const ImpactOutcome exact = solve(given, Keller{.restitution = restitution, .tolerance = 1e-12});
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      const ImpactOutcome outcome = solve(given, Keller{.restitution = restitution, .tolerance = tolerance});
      ASSERT_LE(relative(given, outcome.u_plus - exact.u_plus, exact), tolerance) << i;
    }
  }
}

}  // namespace
}  // namespace carom::testing
