// Keller's integration where several contacts with friction act: closed forms, a second method, random properties.

#include <Eigen/Dense>
#include <cmath>

#include "carom/laws/contact_springs.h"
#include "laws/one_contact_support.h"
#include "random_friction.h"
#include "random_share.h"

namespace carom::testing {
namespace {

using one_contact::Restitution;

constexpr std::array kRestitutions = {Restitution::newton, Restitution::poisson, Restitution::stronge};

/// A body of mass 1 and inertia I in the plane, feet at (-a, -h) and (a, -h), that meets the floor.
ImpactProblem two_feet(double a, double h, double inertia, const Vector& u, double e, double mu) {
  Matrix W(3, 4);
  W << 0, 1, 0, 1, 1, 0, 1, 0, -a, h, a, h;
  ImpactProblem result;
  result.M = MassMatrix::diagonal(vector({1, 1, inertia}));
  result.W = W.sparseView();
  result.u_minus = u;
  result.contacts = {{.name = "left", .tangents = 1, .e = e, .mu = mu},
                     {.name = "right", .tangents = 1, .e = e, .mu = mu}};
  return result;
}

/// The same, in the mirror: x and the angle change their sign, the feet their place.
ImpactProblem in_the_mirror(const ImpactProblem& given) {
  const Vector sign = vector({-1, 1, -1});
  ImpactProblem result = given;
  Matrix W = sign.asDiagonal() * Matrix(given.W);
  W.col(1) *= -1;
  W.col(3) *= -1;
  result.W = W.sparseView();
  result.u_minus = sign.cwiseProduct(given.u_minus);
  return result;
}

TEST(SeveralContacts, ThatDoNotMoveEachOtherAreSingleImpacts) {
  Random random(3);
  for (int i = 0; i < share_of(600); ++i) {
    const Restitution restitution = kRestitutions[i % 3];
    const int tangents = 1 + i % 2;
    std::vector<ImpactProblem> alone;
    Index n = 0, rows = 0;
    for (Index k = 0; k < 2 + i % 3; ++k) {
      alone.push_back(random_friction(random, tangents));
      n += alone.back().M.size();
      rows += 1 + tangents;
    }
    Matrix M = Matrix::Zero(n, n), W = Matrix::Zero(n, rows);
    ImpactProblem all;
    all.u_minus.resize(n);
    n = rows = 0;
    for (const ImpactProblem& one : alone) {
      const Index size = one.M.size();
      M.block(n, n, size, size) = one.M.to_dense();
      W.block(n, rows, size, 1 + tangents) = Matrix(one.W);
      all.u_minus.segment(n, size) = one.u_minus;
      all.contacts.push_back(one.contacts[0]);
      all.contacts.back().name = std::to_string(rows);
      n += size;
      rows += 1 + tangents;
    }
    all.M = MassMatrix::dense(M);
    all.W = W.sparseView();
    const Keller law{.restitution = restitution};
    const ImpactOutcome together = solve(all, law);
    rows = 0;
    bool solved = true;
    for (const ImpactProblem& one : alone) {
      const ImpactOutcome own = solve(one, law);
      solved = solved && own.solved();
      if (!solved) break;
      ASSERT_LE((together.Lambda.segment(rows, 1 + tangents) - own.Lambda).norm(), 1e-8 * own.Lambda.norm()) << i;
      rows += 1 + tangents;
    }
    ASSERT_EQ(together.solved(), solved) << i;
  }
}

TEST(SeveralContacts, WhatTheImpactDoesNotPressIsLeftAlone) {  // a rod that hits with one end while the other opens
  const ImpactProblem both = two_feet(1, 0.3, 0.4, vector({0.5, -0.2, -0.9}), 0.6, 0.4);
  ImpactProblem right = both;
  right.W = Matrix(Matrix(both.W).rightCols(2)).sparseView();
  right.contacts = {both.contacts[1]};
  const ImpactOutcome one = solve(right, Keller{}), two = solve(both, Keller{});
  EXPECT_EQ(two.mode, one.mode);
  EXPECT_VECTOR_NEAR(two.u_plus, one.u_plus, 1e-15);
  EXPECT_EQ(two.Lambda.head(2), Vector::Zero(2));
}

TEST(SeveralContacts, FlatBarSlidesOrStopsAsOnePoint) {  // no arm: both feet do what one point of the same mass does
  for (const double mu : {0.1, 0.3, 0.8})
    for (const double e : {0.0, 0.5, 1.0})
      for (const Restitution restitution : {Restitution::poisson, Restitution::stronge}) {
        const ImpactOutcome outcome =
            solve(two_feet(1, 0, 0.2, vector({1, -1, 0}), e, mu), Keller{.restitution = restitution});
        ASSERT_TRUE(outcome.solved()) << outcome.message;
        EXPECT_VECTOR_NEAR(outcome.u_plus, vector({std::max(0.0, 1 - mu * (1 + e)), e, 0}), 1e-8);
        EXPECT_NEAR(outcome.Lambda[0], 0.5 * (1 + e), 1e-8);
        EXPECT_NEAR(outcome.Lambda[2], 0.5 * (1 + e), 1e-8);
        EXPECT_TRUE(outcome.certificate.consistent);
      }
}

TEST(SeveralContacts, MirrorsWithTheProblem) {
  Random random(8);
  for (int i = 0; i < share_of(400); ++i) {
    ImpactProblem given =
        two_feet(between(random, 0.1, 2), between(random, 0, 2), between(random, 0.1, 2),
                 vector({random.normal(), -1, 0.3 * random.normal()}), random.uniform(), 1.2 * random.uniform());
    given.contacts[1].e = random.uniform();
    const Keller law{.restitution = i % 2 == 0 ? Restitution::stronge : Restitution::poisson};
    const ImpactOutcome one = solve(given, law), other = solve(in_the_mirror(given), law);
    ASSERT_EQ(one.status, other.status) << i;
    if (!one.solved()) continue;
    ASSERT_LE((one.u_plus - vector({-1, 1, -1}).cwiseProduct(other.u_plus)).norm(), 1e-8 * given.u_minus.norm()) << i;
  }
}

TEST(SeveralContacts, PressedContactsAtRestTakePart) {  // three balls, two of them at rest: a cradle
  for (const double k : {1.0, 4.0}) {
    ImpactProblem given = chain(vector({1, 1, 1}), vector({1, 0, 0}), 1);
    given.contacts[1].k = k;
    const ImpactOutcome keller = solve(given, Keller{}), lzb = solve(given, Lzb{});
    EXPECT_VECTOR_NEAR(keller.u_plus, lzb.u_plus, 1e-12);
    EXPECT_TRUE(keller.certificate.consistent);
    EXPECT_NEAR(keller.energy.after, 0.5, 1e-8);
  }
}

TEST(SeveralContacts, WithoutFrictionStrongeIsLzb) {
  Random random(5);
  for (int i = 0; i < share_of(300); ++i) {
    ImpactProblem given = random_planar(random, 4);
    for (Contact& contact : given.contacts) contact.mu = 0;
    const ImpactOutcome keller = solve(given, Keller{}), lzb = solve(given, Lzb{});
    if (!keller.solved() || !lzb.solved() || keller.events.value_or(0) > 60) continue;
    const double scale = kinetic_norm(given.M, given.u_minus);
    ASSERT_LE(kinetic_norm(given.M, keller.u_plus - lzb.u_plus), 1e-7 * scale) << i;
  }
}

TEST(SeveralContacts, NewtonIsRefusedWhereOneMovesTheOther) {
  try {
    solve(chain(vector({1, 1, 1}), vector({1, 0, -1}), 1), Keller{.restitution = Restitution::newton});
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place, "law.restitution");
    EXPECT_NE(error.rule.find("'1', '2'"), std::string::npos) << error.rule;
  }
  EXPECT_THROW(solve(chain(vector({1, 1, 1}), vector({1, 0, -1}), 1), Keller{.wave_loss = 0.1}), InputError);
}

TEST(SeveralContacts, SpringsThatEndByImpulseArePoissonsContact) {  // the same contact in impulse, exactly
  Random random(12);
  const auto force = [](const Contact& contact) -> springs::Force { return springs::BiStiffness(contact); };
  int compared = 0;
  for (int i = 0; i < share_of(500); ++i) {
    const ImpactProblem given = random_friction(random, 1);
    const ImpactOutcome exact = solve(given, Keller{.restitution = Restitution::poisson});
    if (!exact.solved() || exact.mode == "jam") continue;
    const ContactProblem reduced = reduce(given);
    const Impulses followed = spring_impulses(reduced, force, 1e-9, "keller", nullptr, springs::Ends::impulse);
    ASSERT_EQ(followed.status, Status::solved) << i << " " << followed.message;
    const double scale = kinetic_norm(given.M, given.u_minus);
    const Vector change = given.M.solve(Vector(given.W * (followed.Lambda - exact.Lambda)));
    ASSERT_LE(kinetic_norm(given.M, change), 1e-7 * scale) << i;
    ASSERT_NEAR(followed.dissipated_normal[0], exact.energy.dissipated_normal[0], 1e-7 * scale * scale) << i;
    ++compared;
  }
  EXPECT_GT(compared, share_of(500) / 2);
}

/// The same model in steps of a fixed length, without events: forces of the step before, friction that stops slip as
/// far as it can, contact after contact until nothing changes. First order.
Vector stepped(const ImpactProblem& given, Restitution restitution, double dt) {
  const ContactProblem problem = reduce(given);
  const Matrix G = problem.G;
  const Index m = problem.size();
  Vector Lambda = Vector::Zero(G.rows()), gamma = problem.gamma_free;
  Vector s = Vector::Zero(m), pressed = Vector::Zero(m), to_come = Vector::Zero(m), fall = Vector::Zero(m);
  std::vector<char> expands(static_cast<std::size_t>(m), 0);
  bool quiet = false;
  for (long step = 0; step < 4'000'000 && !quiet; ++step) {
    Vector impulse = Vector::Zero(G.rows());
    for (Index i = 0; i < m; ++i) {
      const Contact& contact = given.contacts[i];
      const double v = gamma[2 * i], e = contact.e;
      if (v < 0) {
        if (expands[i]) pressed[i] = e > 0 ? to_come[i] / e : 0;
        expands[i] = 0;
        s[i] -= v * dt;
      } else if (s[i] > 0) {
        if (!expands[i]) {
          to_come[i] = e * pressed[i];
          const double energy = contact.k * std::pow(s[i], contact.eta + 1) / (contact.eta + 1);
          fall[i] = to_come[i] > 0 ? energy / to_come[i] : 0;
        }
        expands[i] = 1;
        s[i] -= restitution == Restitution::poisson ? fall[i] * dt : v * dt / (e * e);
        if (s[i] <= 0 || e == 0) s[i] = pressed[i] = to_come[i] = 0;
      }
      impulse[2 * i] = contact.k * std::pow(s[i], contact.eta) * dt;
      (expands[i] ? to_come : pressed)[i] += (expands[i] ? -1 : 1) * impulse[2 * i];
    }
    Vector after = gamma + G * impulse;
    for (int sweep = 0; sweep < 60; ++sweep)
      for (Index i = 0; i < m; ++i) {
        const double most = given.contacts[i].mu * impulse[2 * i];
        const double wanted = impulse[2 * i + 1] - after[2 * i + 1] / G(2 * i + 1, 2 * i + 1);
        const double change = std::clamp(wanted, -most, most) - impulse[2 * i + 1];
        impulse[2 * i + 1] += change;
        after += G.col(2 * i + 1) * change;
      }
    Lambda += impulse;
    gamma = problem.gamma_free + G * Lambda;
    quiet = s.isZero(0);
    for (Index i = 0; i < m; ++i) quiet = quiet && gamma[2 * i] >= -1e-9;
  }
  return given.u_minus + given.M.solve(Vector(given.W * Lambda));
}

TEST(SeveralContacts, AgreeWithStepsOfFixedLength) {
  Random random(31);
  int compared = 0;
  for (int i = 0; i < 24; ++i) {
    ImpactProblem given = two_feet(between(random, 0.3, 1.5), between(random, 0.1, 1.5), between(random, 0.2, 1),
                                   vector({random.normal(), -1, 0.2 * random.normal()}), between(random, 0.3, 0.9),
                                   between(random, 0.1, 0.9));
    given.contacts[1].e = between(random, 0.3, 0.9);
    given.contacts[1].k = std::exp(between(random, -1, 1));
    const Restitution restitution = i % 2 == 0 ? Restitution::stronge : Restitution::poisson;
    const ImpactOutcome outcome = solve(given, Keller{.restitution = restitution});
    ASSERT_TRUE(outcome.solved()) << outcome.message;
    if (*outcome.events > 40) continue;
    const double coarse = (stepped(given, restitution, 4e-4) - outcome.u_plus).norm();
    const double fine = (stepped(given, restitution, 1e-4) - outcome.u_plus).norm();
    EXPECT_LE(fine, 5e-3) << i << " " << coarse;
    EXPECT_LE(fine, 0.5 * coarse + 2e-4) << i;
    ++compared;
  }
  EXPECT_GT(compared, 15);
}

TEST(SeveralContacts, StrongeNeverCreatesEnergy) {
  Random random(77);
  for (int i = 0; i < share_of(3000); ++i) {
    const ImpactProblem given = i % 5 == 0 ? random_spatial(random, 3) : random_planar(random, 4);
    const ImpactOutcome outcome = solve(given, Keller{.tolerance = 1e-8});
    if (outcome.u_plus.size() == 0) continue;
    ASSERT_TRUE(outcome.u_plus.allFinite()) << i;
    ASSERT_LE(outcome.energy.after, outcome.energy.before * (1 + 1e-7)) << i;
    if (!outcome.solved() || !outcome.message.empty()) continue;
    ASSERT_TRUE(outcome.certificate.consistent) << i;
    ASSERT_GE(outcome.energy.dissipated_friction.minCoeff(), -1e-7 * outcome.energy.before) << i;
  }
}

TEST(SeveralContacts, PoissonIsCertifiedOrSaysThatItCreatesEnergy) {
  Random random(78);
  for (int i = 0; i < share_of(1000); ++i) {
    ImpactProblem given = random_planar(random, 4);
    for (Contact& contact : given.contacts) contact.k = std::exp(between(random, -4, 4));
    const ImpactOutcome outcome = solve(given, Keller{.restitution = Restitution::poisson, .tolerance = 1e-8});
    if (!outcome.solved() || !outcome.message.empty()) continue;
    ASSERT_TRUE(outcome.u_plus.allFinite()) << i;
    ASSERT_TRUE(outcome.certificate.consistent || outcome.energy.after > outcome.energy.before) << i;
    ASSERT_LE(outcome.certificate.relative.ledger, 1e-6) << i;
  }
}

TEST(SeveralContacts, PathEndsAtTheOutcome) {
  const ImpactProblem given = two_feet(1, 0.5, 0.4, vector({0.7, -1, 0.1}), 0.6, 0.4);
  for (const Restitution restitution : {Restitution::poisson, Restitution::stronge}) {
    Path path;
    const ImpactOutcome outcome = solve(given, Keller{.restitution = restitution}, &path);
    ASSERT_GT(path.states.size(), 5u);
    EXPECT_VECTOR_NEAR(path.states.back().u, outcome.u_plus, 1e-12);
    EXPECT_EQ(path.states.back().force.size(), 2);
  }
}

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

TEST(SeveralContacts, TangentialImpactsThatAreMirrorImagesAreOne) {  // both do the same: one contact with B + c
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

TEST(SeveralContacts, PressEachOtherWhereNoneIsPressedByItself) {  // C = (0.25, -0.5): grows along (1, 1) only
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

TEST(SeveralContacts, ClaimsOfManyTangentialImpactsDoNotDependOnNumbers) {
  const ImpactOutcome first = solve(many_rods(14, 0), Keller{}), last = solve(many_rods(14, 13), Keller{});
  ASSERT_TRUE(first.solved() && last.solved());
  EXPECT_EQ(first.unique.u_plus, last.unique.u_plus);
  EXPECT_FALSE(first.unique.u_plus);
  EXPECT_VECTOR_NEAR(first.u_plus.head(2), last.u_plus.tail(2), 1e-5);
}

/// Contacts whose normals do not move each other, but one's friction the other's slip: who grows faster is first, and
/// the other one has its impact after it, with the slip that it finds.
TEST(SeveralContacts, TangentialImpactsThatAreLeftBehindComeLater) {
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
TEST(SeveralContacts, TangentialImpactIsTheLimitOfOnesThatClose) {
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

TEST(SeveralContacts, TangentialImpactsFollowTheNumberingAndTheUnits) {
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

}  // namespace
}  // namespace carom::testing
