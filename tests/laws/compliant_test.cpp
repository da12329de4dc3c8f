// The law `compliant`: friction forces against a second integration, many contacts, walls, joints, scales.

#include "carom/laws/compliant.h"

#include <cmath>

#include "carom/forces/engine/frozen.h"
#include "carom/forces/engine/stepper.h"
#include "random_friction.h"
#include "random_problem.h"

namespace carom::testing {
namespace {

using Force = Compliant::Force;
using Rub = Compliant::Friction;

/// A sphere in the plane that meets a wall: x, y, angle.
ImpactProblem oblique(double along, double spin, const Contact& contact, double m = 1, double r = 0.1) {
  Matrix W(3, 2);
  W << 0, 1, 1, 0, 0, r;
  ImpactProblem result;
  result.M = MassMatrix::diagonal(vector({m, m, 0.4 * m * r * r}));
  result.W = W.sparseView();
  result.u_minus = vector({along, -1, spin});
  result.contacts = {contact};
  result.contacts[0].name = "wall";
  result.contacts[0].tangents = 1;
  return result;
}

/// The tangential impulse of that impact under F = k d^1.5 (1 + D d'/v0), by steps of the midpoint rule that cut the
/// spring after each half.
double dragged(Rub rub, double slip, double k, double D, double mu, double k_t, double nu, double v_s) {
  constexpr int kSteps = 20000;
  const double G_t = 3.5, v0 = 1, n = 1.5;
  const double dt = 4 * std::pow((n + 1) / (2 * k), 1 / (n + 1)) / kSteps;
  const auto normal = [&](double d, double rate) {
    return d > 0 ? std::max(0.0, k * std::pow(d, n) * (1 + D * rate / v0)) : 0;
  };
  double d = 0, rate = v0, v = slip, T = 0, impulse = 0;
  do {
    const double F = normal(d, rate), d_half = d + 0.5 * dt * rate, rate_half = rate - 0.5 * dt * F;
    const double F_half = normal(d_half, rate_half), F_end = normal(d + dt * rate_half, rate - dt * F_half);
    double T_half = 0;
    if (rub == Rub::regularised) {
      const double v_half = v - 0.5 * dt * G_t * mu * F * v / std::hypot(v, v_s);
      T_half = -mu * F_half * v_half / std::hypot(v_half, v_s);
    } else {
      const double stiff =
          rub == Rub::bristle ? k_t : 2 * (1 - nu) / (2 - nu) * n * k * std::sqrt(std::max(d_half, 0.0));
      const double fading = rub == Rub::mindlin && d_half > 0 ? std::min(0.0, (n - 1) * rate_half / d_half) : 0;
      const auto cut = [&](double value, double pressed) { return std::clamp(value, -mu * pressed, mu * pressed); };
      T_half = cut(T + 0.5 * dt * (-stiff * (v + 0.5 * dt * G_t * T) + T * fading), F_half);
      T = cut(T + dt * (-stiff * (v + 0.5 * dt * G_t * T_half) + T_half * fading), F_end);
    }
    d += dt * rate_half;
    rate -= dt * F_half;
    v += dt * G_t * T_half;
    impulse += dt * T_half;
  } while (d > 0);
  return impulse;
}

TEST(CompliantFriction, AgreesWithASecondIntegrationOfAnObliqueImpact) {
  for (const Rub rub : {Rub::regularised, Rub::bristle, Rub::mindlin})
    for (const double slip : {0.3, -1.0, 4.0}) {
      SCOPED_TRACE(std::string(word(rub)) + " at " + std::to_string(slip));
      const ImpactProblem given = oblique(slip, 0, {.e = 0.8, .mu = 0.3, .k = 1e5, .k_t = 8e3});
      const ImpactOutcome outcome =
          solve(given, Compliant{.force = Force::hunt_crossley, .friction = rub, .v_s = 0.05});
      ASSERT_TRUE(outcome.solved());
      EXPECT_NEAR(outcome.Lambda[1], dragged(rub, slip, 1e5, 0.3, 0.3, 8e3, 0.3, 0.05), 2e-7);
      EXPECT_TRUE(outcome.certificate.consistent);
    }
}

TEST(CompliantFriction, CoulombStopsASphereOrSlidesAllTheWayAsInClosedForm) {
  // Sliding throughout: mu times the normal impulse; else it stops: the slip over G_t.
  for (const double slip : {0.4, -3.0}) {
    const ImpactOutcome outcome =
        solve(oblique(slip, 0, {.e = 0.7, .mu = 0.2, .k = 1e5}), Compliant{.force = Force::exact});
    const double Lambda = 1.7, stops = std::abs(slip) / 3.5, slides = 0.2 * Lambda;
    EXPECT_NEAR(outcome.Lambda[0], Lambda, 1e-8);
    EXPECT_NEAR(outcome.Lambda[1], (slip > 0 ? -1 : 1) * std::min(stops, slides), 1e-8);
  }
}

TEST(CompliantFriction, InSpaceIsTheSameAsInThePlaneForSlipAlongALine) {
  for (const Rub rub : {Rub::coulomb, Rub::regularised, Rub::bristle, Rub::mindlin}) {
    SCOPED_TRACE(word(rub));
    ImpactProblem space = sphere_on_floor(vector({0.6, 0.8, -1, 0, 0, 0}), 0.8, 0.3);
    space.contacts[0].k = 1e5;
    space.contacts[0].k_t = 8e3;
    ImpactProblem plane = oblique(1, 0, space.contacts[0], 1, 1);
    const Compliant law{.force = Force::lee_wang, .friction = rub, .v_s = 0.02};
    const ImpactOutcome in_space = solve(space, law), in_plane = solve(plane, law);
    ASSERT_TRUE(in_space.solved());
    EXPECT_NEAR(in_space.Lambda[1], 0.6 * in_plane.Lambda[1], 1e-8);
    EXPECT_NEAR(in_space.Lambda[2], 0.8 * in_plane.Lambda[1], 1e-8);
    EXPECT_NEAR(in_space.energy.dissipated(), in_plane.energy.dissipated(), 1e-8);
  }
}

TEST(CompliantFriction, StaticFrictionHoldsLonger) {
  // A rod whose normal impulse drags its contact: sticking takes more than sliding where mu is between.
  Matrix W(2, 2);
  W << 1, 0.5, 0, 1;
  ImpactProblem given = problem(MassMatrix::diagonal(vector({1, 1})), W.leftCols(1), vector({-1, 0.5}), vector({0.9}));
  given.W = W.sparseView();
  given.contacts[0].tangents = 1;
  given.contacts[0].k = 1e4;
  given.contacts[0].mu = 0.3;
  const ImpactOutcome slides = solve(given, Compliant{.force = Force::exact});
  given.contacts[0].mu_s = 0.6;
  const ImpactOutcome sticks = solve(given, Compliant{.force = Force::exact});
  ASSERT_TRUE(slides.solved() && sticks.solved());
  EXPECT_GT(std::abs(slides.gamma_plus[1]), 0.05);
  EXPECT_NEAR(sticks.gamma_plus[1], 0, 1e-9);
  EXPECT_TRUE(sticks.certificate.consistent) << "the cone is that of mu_s";
}

TEST(Compliant, EveryPairOfForcesKeepsItsBooks) {
  Random random(7);
  for (int round = 0; round < 6; ++round) {
    ImpactProblem given = round % 2 == 0 ? random_planar(random, 3) : random_spatial(random, 2);
    for (Contact& contact : given.contacts) {
      contact.e = between(random, 0.2, 1);
      contact.k = std::exp(between(random, -2, 2));
      contact.eta = 1.5;
      contact.k_t = std::exp(between(random, -2, 2));
    }
    for (std::size_t normal = 0; normal < std::variant_size_v<forces::Normal>; ++normal)
      for (const Rub rub : {Rub::coulomb, Rub::regularised, Rub::bristle, Rub::mindlin}) {
        const Compliant law{.force = static_cast<Force>(normal), .friction = rub, .v_s = 0.01, .tolerance = 1e-8};
        SCOPED_TRACE(std::string(word(law.force)) + " " + std::string(word(rub)) + " " + std::to_string(round));
        const ImpactOutcome outcome = solve(given, law);
        if (!outcome.solved()) continue;
        EXPECT_TRUE(outcome.certificate.consistent) << outcome.message;
        EXPECT_LE(outcome.certificate.relative.ledger, 1e-9);
        EXPECT_GE(outcome.energy.dissipated(), -1e-8 * outcome.energy.before);
        EXPECT_GE(outcome.energy.dissipated_friction.minCoeff(), -1e-7 * outcome.energy.before);
      }
  }
}

TEST(Compliant, WithoutLossEqualsTheEngineOfSprings) {
  for (const Index balls : {3, 5, 8}) {
    const ImpactProblem given = chain(Vector::Ones(balls), Vector::Unit(balls, 0), 1);
    const ImpactOutcome springs = solve(given, Compliant{});
    for (const Force force : {Force::exact, Force::hunt_crossley, Force::hysteretic}) {
      const ImpactOutcome engine = solve(given, Compliant{.force = force});
      EXPECT_VECTOR_NEAR(engine.u_plus, springs.u_plus, 1e-9);
      EXPECT_NEAR(*engine.duration, *springs.duration, 1e-8);
      EXPECT_VECTOR_NEAR(*engine.peak_force, *springs.peak_force, 1e-8);
    }
  }
}

TEST(Compliant, KeepsTheAccuracyAskedFor) {
  ImpactProblem given = chain(vector({1, 2, 0.5, 1.5}), vector({1, 0, 0, -0.4}), 0.6);
  for (const Force force : {Force::exact, Force::spring_dashpot, Force::bi_stiffness}) {
    const ImpactOutcome best = solve(given, Compliant{.force = force, .tolerance = 1e-12});
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const ImpactOutcome outcome = solve(given, Compliant{.force = force, .tolerance = tolerance});
      EXPECT_VECTOR_NEAR(outcome.u_plus, best.u_plus, tolerance);
    }
  }
}

TEST(Compliant, FixedStepsOfItsMethodAreOfOrder8) {
  const ImpactProblem given = chain(vector({1, 1, 1}), vector({1, 0, -0.2}), 0.5);
  const ContactProblem reduced = reduce(given);
  const forces::Frozen frozen(reduced);
  const auto make = [](auto force) { return force; };
  const auto after = [&](int steps) {
    forces::Motion motion(frozen, forces::list_of_kind<forces::NormalList>(1, given.contacts, make),
                          forces::list_of_kind<forces::FrictionList>(0, given.contacts, make));
    for (forces::ContactState& one : motion.state) {
      one.phase = forces::Phase::pressing;
      one.memory.damping = 0.4;
    }
    forces::Scales scales{.speed = 1,
                          .noise = 0,
                          .mass = Vector::Ones(2),
                          .depth = Vector::Ones(2),
                          .force = Vector::Ones(2),
                          .time = Vector::Ones(2)};
    forces::Stepper stepper(motion, scales, 1);
    Vector y = Vector::Zero(motion.size());
    const double h = 1.5 / steps;
    for (int i = 0; i < steps; ++i) {
      stepper.start(i * h, y);
      stepper.attempt(i * h, h, y);
      y = stepper.end();
    }
    return y;
  };
  const Vector exact = after(64);
  const double coarse = (after(2) - exact).norm(), fine = (after(4) - exact).norm();
  EXPECT_GT(std::log2(coarse / fine), 7.5);
}

TEST(Compliant, ABodyBetweenTwoStopsComesToRestBetweenThem) {
  // The impact pair without clearance: a spring-dashpot on each side.
  Matrix W(1, 2);
  W << 1, -1;
  ImpactProblem given = problem(MassMatrix::diagonal(vector({1})), W, vector({-1}), vector({0.5, 0.5}));
  given.contacts[0].k = given.contacts[1].k = 100;
  const ImpactOutcome outcome = solve(given, Compliant{.force = Force::spring_dashpot});
  ASSERT_TRUE(outcome.solved()) << outcome.message;
  EXPECT_NEAR(outcome.u_plus[0], 0, 1e-9);
  EXPECT_NEAR(outcome.energy.dissipated(), 0.5, 1e-9);
}

TEST(Compliant, AMovingWallGivesItsSpeedAndItsWork) {
  // A wall that comes at 2 m/s meets a ball at rest: seen from the wall the ball leaves with e times that.
  for (const Force force : {Force::exact, Force::spring_dashpot, Force::hysteretic, Force::bi_stiffness}) {
    ImpactProblem given = problem(MassMatrix::diagonal(vector({3})), vector({1}), vector({0}), vector({0.4}));
    given.drift = vector({-2});
    const ImpactOutcome outcome = solve(given, Compliant{.force = force});
    ASSERT_TRUE(outcome.solved());
    EXPECT_NEAR(outcome.u_plus[0], 2.8, 1e-8);
    EXPECT_NEAR(outcome.energy.wall_work, 2 * 3 * 2.8, 1e-7);
    EXPECT_TRUE(outcome.certificate.consistent);
  }
}

TEST(Compliant, JointsCountInTheMassThatDampingIsFoundWith) {
  // Two bodies joined rigidly hit a wall: e holds for both together.
  ImpactProblem given = problem(MassMatrix::diagonal(vector({1, 4})), vector({1, 0}), vector({-1, -1}), vector({0.3}));
  Matrix J(2, 1);
  J << 1, -1;
  given.J = J.sparseView();
  const ImpactOutcome outcome = solve(given, Compliant{.force = Force::spring_dashpot});
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({0.3, 0.3}), 1e-9);
}

TEST(Compliant, StoredEnergyComesBackLessWhatTheContactTakes) {
  for (const double e : {1.0, 0.5, 0.0}) {
    ImpactProblem given = problem(MassMatrix::diagonal(vector({2})), vector({1}), vector({0}), vector({e}));
    given.contacts[0].E0 = 4;
    const ImpactOutcome outcome = solve(given, Compliant{.force = Force::bi_stiffness});
    EXPECT_NEAR(outcome.u_plus[0], 2 * e, 1e-8);
    EXPECT_NEAR(outcome.losses->loops[0], 4 * (1 - e * e), 1e-8);
    EXPECT_TRUE(outcome.certificate.consistent);
  }
}

TEST(Compliant, APlasticDentIsHeldWhileOthersPressIt) {
  // Two balls in a row on a wall, the first contact plastic: the second ball presses the first one against its dent.
  ImpactProblem given = chain(vector({1, 1}), vector({-1, -1}), 0.6);
  Matrix W(2, 2);
  W << 1, -1, 0, 1;
  given.W = W.sparseView();
  given.contacts = {{.name = "wall", .e = 0, .k = 50, .eta = 1}, {.name = "balls", .e = 0.6, .k = 1, .eta = 1}};
  for (const Force force : {Force::bi_stiffness, Force::hysteretic}) {
    const ImpactOutcome outcome = solve(given, Compliant{.force = force});
    ASSERT_TRUE(outcome.solved()) << outcome.message;
    EXPECT_NEAR(outcome.u_plus[0], 0, 1e-8);
    EXPECT_NEAR(outcome.u_plus[1], 0.6, 0.1);
    EXPECT_TRUE(outcome.certificate.consistent);
  }
}

TEST(Compliant, DependsNeitherOnTheOrderOfContactsNorOnAMirror) {
  Random random(11);
  for (int round = 0; round < 8; ++round) {
    ImpactProblem given = random_planar(random, 3);
    for (Contact& contact : given.contacts) {
      contact.e = between(random, 0.3, 1);
      contact.k = std::exp(between(random, -2, 2));
      contact.k_t = std::exp(between(random, -2, 2));
    }
    ImpactProblem turned = given;  // the last contact first, tangents the other way round
    const Matrix W = given.W;
    Matrix W_turned(W.rows(), W.cols());
    const Index m = static_cast<Index>(given.contacts.size());
    ASSERT_EQ(W.cols(), 2 * m);
    for (Index i = 0; i < m; ++i) {
      W_turned.col(2 * i) = W.col(2 * (m - 1 - i));
      W_turned.col(2 * i + 1) = -W.col(2 * (m - 1 - i) + 1);
    }
    turned.W = W_turned.sparseView();
    std::reverse(turned.contacts.begin(), turned.contacts.end());
    for (const Force force : {Force::power, Force::spring_dashpot, Force::exact, Force::hysteretic})
      for (const Rub rub : {Rub::coulomb, Rub::regularised, Rub::bristle, Rub::mindlin}) {
        SCOPED_TRACE(std::string(word(force)) + " " + std::string(word(rub)) + " " + std::to_string(round));
        const Compliant law{.force = force, .friction = rub, .v_s = 0.02};
        const ImpactOutcome expected = solve(given, law), actual = solve(turned, law);
        EXPECT_EQ(actual.status, expected.status);
        if (!expected.solved() || !expected.message.empty()) continue;
        EXPECT_VECTOR_NEAR(actual.u_plus, expected.u_plus, 1e-7);
      }
  }
}

TEST(Compliant, DependsOnNoUnit) {
  const double kg = 1e3, m = 1e-3, s = 10;
  const double N = kg * m / (s * s);
  for (const Force force : {Force::spring_dashpot, Force::hunt_crossley, Force::hysteretic})
    for (const Rub rub : {Rub::coulomb, Rub::regularised, Rub::bristle, Rub::mindlin}) {
      SCOPED_TRACE(std::string(word(force)) + " " + std::string(word(rub)));
      const Compliant law{.force = force, .friction = rub, .v_s = 0.05};
      Compliant scaled_law = law;
      scaled_law.v_s *= m / s;
      const Contact contact{.e = 0.6,
                            .mu = 0.4,
                            .k = 2e4,
                            .c = force == Force::hunt_crossley ? std::optional(5e3) : std::nullopt,
                            .k_t = 1e4};
      Contact scaled = contact;
      const double eta = force == Force::spring_dashpot ? 1 : 1.5;
      scaled.k *= N / std::pow(m, eta);
      if (scaled.c) *scaled.c *= N * s / std::pow(m, eta + 1);
      *scaled.k_t *= N / m;
      const ImpactProblem given = oblique(0.8, 3, contact);
      ImpactProblem other = oblique(0.8, 3, scaled);
      other.M = MassMatrix::diagonal(kg * vector({1, 1, 0.4 * 0.01 * m * m}));
      Matrix W(3, 2);
      W << 0, 1, 1, 0, 0, 0.1 * m;
      other.W = W.sparseView();
      other.u_minus = vector({0.8 * m / s, -m / s, 3 / s});
      const ImpactOutcome expected = solve(given, law), actual = solve(other, scaled_law);
      ASSERT_TRUE(expected.solved() && actual.solved());
      EXPECT_VECTOR_NEAR(Vector(actual.Lambda / (kg * m / s)), expected.Lambda, 1e-9);
      EXPECT_NEAR(*actual.duration / s, *expected.duration, 1e-9 * *expected.duration);
    }
}

}  // namespace
}  // namespace carom::testing
