// Outcomes that can be written down.

#include <Eigen/QR>

#include "random_share.h"
#include "support.h"

namespace carom::testing {
namespace {

/// Laws whose contacts press or open, all at once.
template <class Check>
void for_each_complementarity_law(Check&& check) {
  check(Newton{});
  check(Poisson{});
  check(Moreau{});
}

TEST(Moreau, CradleOfAnyLength) {
  // u1+ = (1 - e (N - 1)) / N, all others (1 + e) / N
  for (const Index N : {2, 3, 5, 17, 60})
    for (const double e : {0.0, 0.3, 1.0}) {
      Vector expected = Vector::Constant(N, (1 + e) / static_cast<double>(N));
      expected[0] = (1 - e * static_cast<double>(N - 1)) / static_cast<double>(N);
      EXPECT_VECTOR_NEAR(solve(chain(Vector::Ones(N), Vector::Unit(N, 0), e), Moreau{}).u_plus, expected, 1e-13);
    }
}

TEST(Newton, FremondMatrixSendsTheLastBallAway) {
  for (const Index N : {3, 5, 9}) {
    Matrix eps = Matrix::Zero(N - 1, N - 1);
    eps(N - 2, 0) = 1;
    const ImpactOutcome outcome = solve(chain(Vector::Ones(N), Vector::Unit(N, 0), 0), Newton{.matrix = eps});
    EXPECT_VECTOR_NEAR(outcome.u_plus, Vector::Unit(N, N - 1), 1e-13);
    EXPECT_TRUE(outcome.certificate.consistent);
  }
}

TEST(Newton, RockingRodComesToRestBeyondTheCriticalDistance) {
  // omega+/omega- = (J/m - a^2/4) / (J/m + a^2/4) for a < l/sqrt(3), else 0; e = 0, rod of length l turning about one
  // obstacle.
  for (const double l : {1.0, 2.5})
    for (const double share : {0.1, 0.4, 0.57, 0.5773502691896258, 0.6, 0.99}) {
      const double a = share * l, m = 1.7, J = m * l * l / 12;
      Matrix W(2, 2);
      W << 1, 1, -a / 2, a / 2;
      const ImpactOutcome outcome =
          solve(problem(MassMatrix::diagonal(vector({m, J})), W, vector({-a / 2, 1}), vector({0, 0})), Newton{});
      EXPECT_NEAR(outcome.u_plus[1], std::max(0.0, (J / m - a * a / 4) / (J / m + a * a / 4)), 1e-14);
    }
}

TEST(Newton, GainsEnergyWithUnequalRestitutionAndAnOpeningContact) {
  Matrix W(2, 2);
  W << 1, 1, -0.5, 0.5;
  const ImpactOutcome outcome =
      solve(problem(MassMatrix::diagonal(vector({1, 1.0 / 12})), W, vector({-0.25, 1.5}), vector({1, 0})), Newton{});
  EXPECT_VECTOR_NEAR(outcome.Lambda, vector({7.0 / 12, 1.0 / 6}), 1e-14);
  EXPECT_NEAR(outcome.certificate.absolute.energetic, 1.0 / 24, 1e-14);
  EXPECT_FALSE(outcome.certificate.consistent);
  EXPECT_EQ(outcome.certificate.penetrating, -1);
  EXPECT_EQ(outcome.certificate.pulling, -1);
}

TEST(Newton, MayLeaveAnOpeningContactPenetrating) {
  // Equal e = 1 reflects the opening velocity too: gamma+ = (1, -1/2).
  Matrix W(2, 2);
  W << 1, 1, -0.5, 0.5;
  const ImpactOutcome outcome =
      solve(problem(MassMatrix::diagonal(vector({1, 1.0 / 12})), W, vector({-0.25, 1.5}), vector({1, 1})), Newton{});
  EXPECT_VECTOR_NEAR(outcome.gamma_plus, vector({1, -0.5}), 1e-14);
  EXPECT_EQ(outcome.certificate.penetrating, 1);
  EXPECT_FALSE(outcome.certificate.consistent);
}

TEST(Poisson, InequalityFormForbidsPenetrationWhereTheEqualityFormPenetrates) {
  Matrix W(2, 2);
  W << 1, -0.9, 0, std::sqrt(0.19);
  const Vector u = -W * Vector::Ones(2);
  const ImpactOutcome outcome = solve(problem(MassMatrix::diagonal(Vector::Ones(2)), W, u, vector({1, 0})), Poisson{});
  EXPECT_VECTOR_NEAR(outcome.Lambda, vector({2, 1.9}), 1e-13);
  EXPECT_TRUE(outcome.certificate.consistent);
}

TEST(Poisson, OfManyCompressionsTakesTheOneOfLeastEnergy) {
  // A table on four legs with unequal e: scans all compressions Lambda_c + z (1, -1, 1, -1) as a second way.
  const Vector e = vector({1, 0.2, 0.5, 0.4});
  const ImpactProblem given = table(vector({-1, 0.3, 0.1}), e);
  const ImpactOutcome outcome = solve(given, Poisson{});
  ASSERT_TRUE(outcome.solved());
  EXPECT_FALSE(outcome.unique.impulse);
  EXPECT_FALSE(outcome.unique.u_plus);
  EXPECT_TRUE(outcome.certificate.consistent);

  const Matrix W = given.W, G = W.transpose() * given.M.solve(given.W);
  const Vector gamma = W.transpose() * given.u_minus;
  const Vector kernel = vector({1, -1, 1, -1}), centre = Matrix(G).completeOrthogonalDecomposition().solve(-gamma);
  double least = 1e9;
  for (int i = 0; i <= 4000; ++i) {
    const Vector compression = centre + (-1 + i / 2000.0) * kernel;
    if (compression.minCoeff() < 0) continue;
    // The expansion with this compression is Newton's problem with gamma_c + G e Lambda_c in place of gamma.
    ImpactProblem expansion = given;
    expansion.u_minus = given.u_minus + given.M.solve(W * (compression + e.cwiseProduct(compression)));
    least = std::min(least, solve(expansion, Moreau{.e = 0}).energy.after);
  }
  EXPECT_LE(outcome.energy.after, least + 1e-12);
  EXPECT_GE(outcome.energy.after, least - 1e-4) << "the scan comes close";
}

TEST(GeneralizedKinematic, DiagonalMatrixIsNewtonWhereAllContactsClose) {
  const ImpactProblem given = chain(vector({1, 2, 3}), vector({3, 1, -2}), 0.7);
  const GeneralizedKinematic law{.E_n = 0.7 * Matrix::Identity(2, 2), .E_tan = {}};
  EXPECT_VECTOR_NEAR(solve(given, law).u_plus, solve(given, Newton{}).u_plus, 1e-14);
}

TEST(GeneralizedKinematic, RedundantContactsAreSolvedOnlyIfCompatible) {
  const ImpactProblem given = table(vector({-1, 0.3, 0.1}), Vector::Zero(4));
  const ImpactOutcome good = solve(given, GeneralizedKinematic{.E_n = 0.5 * Matrix::Identity(4, 4), .E_tan = {}});
  ASSERT_TRUE(good.solved());
  EXPECT_VECTOR_NEAR(good.u_plus, vector({0.5, -0.15, -0.05}), 1e-13);
  EXPECT_FALSE(good.unique.impulse);
  Matrix E = 0.5 * Matrix::Identity(4, 4);
  E(0, 0) = 0.9;
  EXPECT_EQ(solve(given, GeneralizedKinematic{.E_n = E, .E_tan = {}}).status, Status::no_solution);
}

TEST(GeneralizedKinematic, TangentialMatrixOfMinusOneChangesNothing) {
  const ImpactProblem given = chain(vector({1, 2, 3}), vector({3, 1, -2}), 0);
  const Matrix E_n = 0.4 * Matrix::Identity(2, 2);
  const ImpactOutcome plain = solve(given, GeneralizedKinematic{.E_n = E_n, .E_tan = {}});
  const ImpactOutcome explicit_one = solve(given, GeneralizedKinematic{.E_n = E_n, .E_tan = -Matrix::Identity(1, 1)});
  EXPECT_VECTOR_NEAR(explicit_one.u_plus, plain.u_plus, 1e-14);
  const ImpactOutcome reversed = solve(given, GeneralizedKinematic{.E_n = E_n, .E_tan = Matrix::Identity(1, 1)});
  EXPECT_NEAR(reversed.u_plus.dot(vector({1, 2, 3})), -plain.u_plus.dot(vector({1, 2, 3})), 1e-13)
      << "the tangential direction of a chain is its common motion";
  EXPECT_LE(reversed.certificate.relative.ledger, 1e-14);
}

TEST(Poisson, StopsABallBetweenAnyNumberOfWalls) {
  // Regular polygons of walls around a ball, e = 0: compression stops it, and what is left of gamma is rounding.
  Random random(61);
  for (const int walls : {3, 4, 5, 7})
    for (int trial = 0; trial < 40; ++trial) {
      Matrix W(2, walls);
      for (int i = 0; i < walls; ++i) W.col(i) << std::cos(2 * M_PI / walls * i), std::sin(2 * M_PI / walls * i);
      const ImpactProblem given = problem(MassMatrix::diagonal(vector({1, 1})), W,
                                          vector({random.normal(), random.normal()}), Vector::Zero(walls));
      for_each_complementarity_law([&](auto law) {
        const ImpactOutcome outcome = solve(given, law);
        ASSERT_TRUE(outcome.solved()) << law.name << ": " << outcome.message;
        EXPECT_LE(outcome.u_plus.norm(), 1e-12);
        EXPECT_TRUE(outcome.certificate.consistent) << law.name;
      });
    }
}

TEST(Newton, NeverCallsAPinchSolved) {
  // More walls than degrees of freedom, some moving: solved means complementarity, otherwise it says no.
  Random random(62);
  for (int trial = 0; trial < 3000; ++trial) {
    const Index n = 1 + trial % 4, m = n + 1 + trial % 2;
    Matrix W(n, m);
    Vector u(n), e(m), drift(m);
    for (double& value : W.reshaped()) value = random.normal();
    for (double& value : u) value = random.normal();
    for (double& value : e) value = random.uniform();
    for (double& value : drift) value = random.uniform() < 0.5 ? 0 : random.normal();
    ImpactProblem given = problem(MassMatrix::diagonal(Vector::Ones(n)), W, u, e);
    given.drift = drift;
    const ImpactOutcome outcome = solve(given, Newton{});
    if (!outcome.solved()) continue;
    EXPECT_LE(outcome.certificate.relative.complementarity, 1e-9);
    EXPECT_GE((outcome.gamma_plus + e.cwiseProduct(outcome.gamma_minus)).minCoeff(), -1e-7);
  }
}

TEST(Newton, UnequalMassesAreSolvedOrNotCertified) {
  // The contacts of an open chain are independent: there is always a solution, so none may be denied.
  Random random(63);
  for (const double decades : {3.0, 6.0, 9.0})
    for (int trial = 0; trial < 60; ++trial) {
      const Index n = 3 + trial % 18;
      Vector masses(n), u(n);
      for (double& mass : masses) mass = std::pow(10, decades * (2 * random.uniform() - 1));
      for (double& velocity : u) velocity = random.normal();
      const ImpactProblem given = chain(masses, u, 0.5);
      for_each_complementarity_law([&](auto law) {
        const ImpactOutcome outcome = solve(given, law);
        EXPECT_NE(outcome.status, Status::no_solution) << law.name << " " << masses.transpose();
        if (decades <= 6) {
          EXPECT_TRUE(outcome.solved()) << law.name << ": " << outcome.message << " " << masses.transpose();
        }
        if (!outcome.solved()) {
          EXPECT_FALSE(outcome.certificate.consistent);
        }
      });
    }
}

TEST(Certificate, BystandersDoNotExcuse) {
  ImpactProblem given = problem(MassMatrix::diagonal(vector({1, 1e12})), vector({1, 0}), vector({-1, 1}), vector({0}));
  const ImpactOutcome gain = solve(given, GeneralizedKinematic{.E_n = Matrix::Constant(1, 1, 5), .E_tan = {}});
  EXPECT_NEAR(gain.certificate.absolute.energetic, 12, 1e-9);
  EXPECT_FALSE(gain.certificate.consistent);
  const ImpactOutcome depth = solve(given, GeneralizedKinematic{.E_n = Matrix::Constant(1, 1, -0.001), .E_tan = {}});
  EXPECT_EQ(depth.certificate.penetrating, 0);
  EXPECT_TRUE(solve(given, Newton{}).certificate.consistent);
}

/// Discs of mass 1 in a hexagonal packing of `side` x `side` that falls on a floor: more contacts than it needs, G
/// singular.
ImpactProblem packing(Index side) {
  ImpactProblem result;
  const Index n = 2 * side * side;
  std::vector<Eigen::Triplet<double>> entries;
  Index column = 0;
  const auto pair = [&](Index disc, Index other, double x, double y) {  // the direction points from other to disc
    for (const auto& [body, sign] : {std::pair<Index, double>{disc, 1}, {other, -1}}) {
      if (body < 0) continue;
      entries.emplace_back(2 * body, column, sign * x);
      entries.emplace_back(2 * body + 1, column, sign * y);
    }
    result.contacts.push_back({.name = std::to_string(++column), .e = 0.5});
  };
  for (Index row = 0; row < side; ++row)
    for (Index i = 0; i < side; ++i) {
      const Index disc = row * side + i;
      if (i > 0) pair(disc, disc - 1, 1, 0);
      if (row == 0) pair(disc, -1, 0, 1);
      const Index left = row % 2 == 1 ? i : i - 1;  // the two discs below
      if (row > 0 && left >= 0) pair(disc, (row - 1) * side + left, 0.5, std::sqrt(0.75));
      if (row > 0 && left + 1 < side) pair(disc, (row - 1) * side + left + 1, -0.5, std::sqrt(0.75));
    }
  result.M = MassMatrix::diagonal(Vector::Ones(n));
  result.W.resize(n, column);
  result.W.setFromTriplets(entries.begin(), entries.end());
  result.u_minus = Vector::Zero(n);
  for (Index i = 1; i < n; i += 2) result.u_minus[i] = -1;
  return result;
}

TEST(Laws, FallingPackingIsSolved) {
  const ImpactProblem given = packing(share_of(100) < 100 ? 7 : 14);  // of 14: 547 contacts, 392 degrees of freedom
  for_each_complementarity_law([&](auto law) {
    const ImpactOutcome outcome = solve(given, law);
    ASSERT_TRUE(outcome.solved()) << law.name << ": " << outcome.message;
    EXPECT_TRUE(outcome.certificate.consistent) << law.name;
    EXPECT_LE(outcome.certificate.relative.complementarity, 1e-11);
    // The impulses are unique if the loaded contacts are independent (none is at rest without load here).
    std::vector<Index> loaded;
    for (Index i = 0; i < outcome.Lambda.size(); ++i)
      if (outcome.Lambda[i] > 1e-9) loaded.push_back(i);
    const Matrix directions = Matrix(given.W)(Eigen::all, loaded);
    EXPECT_EQ(outcome.unique.impulse, directions.colPivHouseholderQr().rank() == directions.cols()) << law.name;
  });
}

TEST(Laws, RefuseFrictionAndParametersOutOfRange) {
  ImpactProblem given = chain(vector({1, 1}), vector({1, 0}), 0.5);
  EXPECT_THROW(solve(given, Moreau{.e = 1.5}), InputError);
  EXPECT_THROW(solve(given, GeneralizedKinematic{}), InputError);
  EXPECT_THROW(solve(given, (Newton{.matrix = Matrix::Zero(2, 2)})), InputError);
  given.contacts[0].e = 1.2;
  EXPECT_THROW(solve(given, Newton{}), InputError);
  EXPECT_THROW(solve(given, Poisson{}), InputError);
  EXPECT_NO_THROW(solve(given, (Newton{.matrix = Matrix::Zero(1, 1)}))) << "the matrix replaces e";
  given.contacts[0] = {.name = "1", .e = 0.5, .mu = 0.1};
  for_each_law([&]<class L>(const L& law) {
    if (!reads<L>("mu") && !reads<L>("e_t")) {
      EXPECT_THROW(solve(given, law), InputError) << law.name;
    }
  });
  ImpactProblem unequal = chain(vector({1, 1, 1}), vector({1, 0, 0}), 0.5);
  unequal.contacts[1].e = 0.6;
  EXPECT_THROW(solve(unequal, Moreau{}), InputError);
  EXPECT_NO_THROW(solve(unequal, Moreau{.e = 0.5}));
}

}  // namespace
}  // namespace carom::testing
