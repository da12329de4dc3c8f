// LZB with Coulomb friction: outcomes found by two independent methods (tests/data/lzb_friction.json), limits of mu,
// and what must hold for every impact.

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "carom/scene/json.h"
#include "carom/scene/problem_reader.h"
#include "json.h"
#include "random_friction.h"
#include "random_share.h"

namespace carom::testing {
namespace {

TEST(LzbFriction, ReproducesOutcomesOfIndependentMethods) {
  Json document;
  std::ifstream(CAROM_SOURCE_DIR "/tests/data/lzb_friction.json") >> document;
  ASSERT_EQ(document.at("cases").size(), 76U);
  for (const Json& given : document["cases"]) {
    SCOPED_TRACE(given.at("name").get<std::string>());
    const scene::ProblemFile file = scene::read_problem(scene::parse_json(given.at("problem").dump(), "case.json"));
    const ImpactProblem& problem = file.problem;
    const ImpactOutcome outcome = solve(problem, *file.law);
    ASSERT_TRUE(outcome.solved()) << outcome.message;
    EXPECT_TRUE(outcome.certificate.consistent);
    const double speed = problem.u_minus.cwiseAbs().maxCoeff(), allowed = 1e-9;
    const Vector impulse = to_vector(given["impulse"]);
    EXPECT_VECTOR_NEAR(outcome.u_plus, to_vector(given["u_plus"]), allowed * speed);
    EXPECT_VECTOR_NEAR(outcome.normal(outcome.Lambda), impulse, allowed * impulse.maxCoeff());
    EXPECT_VECTOR_NEAR(outcome.energy.dissipated_normal, to_vector(given["dissipated_normal"]),
                       allowed * outcome.energy.before);
    EXPECT_VECTOR_NEAR(outcome.energy.dissipated_friction, to_vector(given["dissipated_friction"]),
                       allowed * outcome.energy.before);
    EXPECT_EQ(outcome.unique.tangential_impulse, given["tangential_unique"].get<bool>());
    Vector along = outcome.Lambda;
    along(outcome.row).setZero();
    EXPECT_VECTOR_NEAR(problem.W * along, to_vector(given["tangential_generalized"]), allowed * impulse.maxCoeff());
    if (given["tangential_unique"])
      for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const Vector expected = to_vector(given["tangential_impulse"][i]),
                     found = outcome.tangential(outcome.Lambda, i);
        EXPECT_VECTOR_NEAR(found, expected.size() > 0 ? expected : Vector(0 * found), allowed * impulse.maxCoeff());
      }
    if (given["collapsed"]) continue;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      if (impulse[static_cast<Index>(i)] > 0) {
        EXPECT_EQ(outcome.history->compressions[i], given["compressions"][i].get<long>());
      }
    }
    EXPECT_NEAR(*outcome.duration, given["duration"], 1e-7 * given["duration"].get<double>());
  }
}

Lzb law_of(int seed) {
  return {.stiffness = seed % 3 == 0 ? Lzb::Stiffness::mono : Lzb::Stiffness::bi, .tolerance = 1e-8};
}

void expect_consistent(const ImpactOutcome& outcome) {
  ASSERT_TRUE(outcome.solved()) << outcome.message;
  const Certificate::Residuals& misses = outcome.certificate.relative;
  EXPECT_TRUE(outcome.certificate.consistent) << "penetration " << misses.kinematic << " pull " << misses.kinetic
                                              << " energy " << misses.energetic << " ledger " << misses.ledger;
  EXPECT_GE(outcome.energy.dissipated_friction.minCoeff(), -1e-9 * outcome.energy.before);
}

TEST(LzbFriction, RandomPlanarImpactsAreConsistentAndMirrorAndTheirSpatialFormsAgree) {
  for (int seed = 0; seed < share_of(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const ImpactProblem problem = random_planar(random, 4);
    const Lzb law = law_of(seed);
    const ImpactOutcome outcome = solve(problem, law);
    expect_consistent(outcome);
    if (HasFatalFailure() || *outcome.events > 40) continue;  // errors may have grown
    const double speed = problem.u_minus.cwiseAbs().maxCoeff();
    ImpactProblem mirrored = problem;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) mirrored.W.col(2 * static_cast<Index>(i) + 1) *= -1;
    EXPECT_VECTOR_NEAR(solve(mirrored, law).u_plus, outcome.u_plus, 1e-6 * speed);
    const ImpactOutcome spatial = solve(as_spatial(problem), law);
    ASSERT_TRUE(spatial.solved()) << spatial.message;
    EXPECT_VECTOR_NEAR(spatial.u_plus.head(problem.u_minus.size()), outcome.u_plus, 1e-6 * speed);
  }
}

/// Among them slip that crawls, contacts that stick together redundantly, and slip of one that makes another let go.
TEST(LzbFriction, RandomSpatialImpactsAreConsistent) {
  std::vector<int> seeds = {1315, 1720, 1769, 1930, 4246, 8618};
  for (int seed = 0; seed < share_of(500); ++seed) seeds.push_back(seed);
  for (const int seed : seeds) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const ImpactProblem problem = random_spatial(random, 4);
    const Lzb law = law_of(seed);
    const ImpactOutcome outcome = solve(problem, law);
    expect_consistent(outcome);
  }
}

/// A point mass falls straight into a groove whose walls stand at an angle a to its path. Friction slows it down with
/// mu cos a for every sin a of the springs; with mu > tan a it also holds the springs when everything has stopped.
TEST(LzbFriction, AGrooveThatIsSteepEnoughKeepsWhatFallsIntoIt) {
  const double a = 0.2, mu = 0.5, e = 0.8;
  ASSERT_GT(mu, std::tan(a));
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(vector({2, 2}));
  Matrix W(2, 4);
  W.col(0) << std::cos(a), std::sin(a);
  W.col(1) << -std::sin(a), std::cos(a);
  W.col(2) << -std::cos(a), std::sin(a);
  W.col(3) << std::sin(a), std::cos(a);
  problem.W = W.sparseView();
  problem.u_minus = vector({0, -3});
  for (const char* name : {"left", "right"})
    problem.contacts.push_back({.name = name, .tangents = 1, .e = e, .mu = mu, .k = 7});
  const double before = 9, springs = std::sin(a) / (std::sin(a) + mu * std::cos(a)) * before;
  for (const Lzb::Stiffness stiffness : {Lzb::Stiffness::bi, Lzb::Stiffness::mono}) {
    const ImpactOutcome outcome = solve(problem, Lzb{.stiffness = stiffness});
    ASSERT_TRUE(outcome.solved()) << outcome.message;
    EXPECT_VECTOR_NEAR(outcome.u_plus, vector({0, 0}), 1e-8);
    EXPECT_NEAR(outcome.energy.dissipated_friction.sum(), before - springs, 1e-8);
    EXPECT_NEAR(outcome.energy.dissipated_normal.sum(), springs, 1e-8);
    EXPECT_TRUE(outcome.certificate.consistent);
    EXPECT_FALSE(outcome.duration);
    EXPECT_VECTOR_NEAR(outcome.normal(outcome.Lambda), Vector::Constant(2, 6 / (2 * (std::sin(a) + mu * std::cos(a)))),
                       1e-8);
    EXPECT_NE(outcome.message.find(fmt::format("{:.3g} J stay", e * e * springs)), std::string::npos)
        << outcome.message;
  }
}

TEST(LzbFriction, WithoutFrictionIsLzbToTheLastDigit) {
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    ImpactProblem rough = random_planar(random, 4);
    for (Contact& contact : rough.contacts) contact.mu = 0;
    ImpactProblem smooth = rough;
    const Matrix W = rough.W;
    Matrix normals(W.rows(), W.cols() / 2);
    for (Index j = 0; j < normals.cols(); ++j) normals.col(j) = W.col(2 * j);
    smooth.W = normals.sparseView();
    for (Contact& contact : smooth.contacts) contact.tangents = 0;
    const ImpactOutcome a = solve(rough, Lzb{}), b = solve(smooth, Lzb{});
    EXPECT_EQ(a.u_plus, b.u_plus);
    EXPECT_EQ(a.normal(a.Lambda), b.Lambda);
  }
}

TEST(LzbFriction, ASphereSlidesThroughOrStartsToRoll) {
  const double e = 0.6;
  const Vector u = vector({3, -4, -1, 0, 0, 0});
  const ImpactOutcome slides = solve(sphere_on_floor(u, e, 0.1), Lzb{});
  EXPECT_VECTOR_NEAR(slides.tangential(slides.Lambda, 0), 0.1 * (1 + e) * vector({-0.6, 0.8}), 1e-9);
  const ImpactOutcome rolls = solve(sphere_on_floor(u, e, 5), Lzb{});
  EXPECT_VECTOR_NEAR(rolls.u_plus.head(2), 5.0 / 7 * u.head(2), 1e-9);
  EXPECT_VECTOR_NEAR(rolls.tangential(rolls.gamma_plus, 0), vector({0, 0}), 1e-9);
}

/// One planar contact is Darboux and Keller's with Stronge's end, whichever way it unloads.
TEST(LzbFriction, OnePlanarContactIsKellers) {
  int closing = 0;
  for (int seed = 0; seed < share_of(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const ImpactProblem problem = random_planar(random, 1);
    const ImpactOutcome keller = solve(problem, Keller{});
    ASSERT_TRUE(keller.solved()) << keller.message;
    if (keller.gamma_minus[0] < 0) ++closing;
    for (const Lzb::Stiffness stiffness : {Lzb::Stiffness::bi, Lzb::Stiffness::mono}) {
      const ImpactOutcome lzb = solve(problem, Lzb{.stiffness = stiffness});
      ASSERT_TRUE(lzb.solved()) << lzb.message;
      EXPECT_VECTOR_NEAR(lzb.u_plus, keller.u_plus, 1e-8 * problem.u_minus.cwiseAbs().maxCoeff());
      EXPECT_NEAR(lzb.energy.dissipated_friction[0], keller.energy.dissipated_friction[0], 1e-8 * lzb.energy.before);
    }
  }
  EXPECT_GT(closing, 0.3 * share_of(400));
}

TEST(LzbFriction, MuchFrictionSticks) {
  Random random(17);
  for (int i = 0; i < share_of(40); ++i) {
    ImpactProblem problem = random_planar(random, 1);
    problem.contacts[0].mu = 1e6;
    const ImpactOutcome outcome = solve(problem, Lzb{});
    ASSERT_TRUE(outcome.solved());
    if (outcome.gamma_minus[0] >= 0) continue;
    EXPECT_NEAR(outcome.gamma_plus[1], 0, 1e-7 * problem.u_minus.norm());
  }
}

/// A disc falls between two equal discs at rest on a floor: left and right are the same.
TEST(LzbFriction, SymmetricProblemsStaySymmetric) {
  const double c = std::sqrt(0.75), s = 0.5;
  Matrix W = Matrix::Zero(9, 8);
  const auto pair = [&](Index column, Index body, double sign, double nx, double ny, double arm) {
    W.col(column).segment(3 * body, 3) << sign * nx, sign * ny, 0;
    W.col(column + 1).segment(3 * body, 3) << -sign * ny, sign * nx, arm;
  };
  pair(0, 0, 1, s, c, -1);  // top over left
  pair(0, 1, -1, s, c, -1);
  pair(2, 0, 1, -s, c, -1);  // top over right
  pair(2, 2, -1, -s, c, -1);
  pair(4, 1, 1, 0, 1, -1);  // left on the floor
  pair(6, 2, 1, 0, 1, -1);
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(vector({1, 1, 0.5, 1, 1, 0.5, 1, 1, 0.5}));
  problem.W = W.sparseView();
  problem.u_minus = vector({0, -1, 0, 0, 0, 0, 0, 0, 0});
  for (int i = 0; i < 4; ++i)
    problem.contacts.push_back({.name = std::to_string(i), .tangents = 1, .e = 0.7, .mu = 0.2});
  const Vector u = solve(problem, Lzb{}).u_plus;
  EXPECT_NEAR(u[0], 0, 1e-12);
  EXPECT_NEAR(u[2], 0, 1e-12);
  EXPECT_VECTOR_NEAR(u.segment(3, 3), vector({-u[6], u[7], -u[8]}), 1e-12);
}

/// A piston on a guide: friction along the wall it hits pushes against the guide alone.
TEST(LzbWithFriction, APistonOnAGuideBouncesAsWithoutFriction) {
  ImpactProblem piston;
  piston.M = MassMatrix::diagonal(Vector::Ones(2));
  piston.W.resize(2, 2);
  piston.W.setIdentity();
  piston.J = SparseMatrix(piston.W.col(1));
  piston.u_minus = -Vector::Unit(2, 0);
  piston.contacts = {{.name = "floor", .tangents = 1, .e = 0.5, .mu = 0.5}};
  const ImpactOutcome outcome = solve(piston, Lzb{});
  ASSERT_TRUE(outcome.solved()) << outcome.message;
  EXPECT_NEAR(outcome.u_plus[0], 0.5, 1e-9);
  EXPECT_NEAR(outcome.u_plus[1], 0, 1e-15);
}

}  // namespace
}  // namespace carom::testing
