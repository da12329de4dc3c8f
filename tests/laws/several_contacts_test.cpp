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

}  // namespace
}  // namespace carom::testing
