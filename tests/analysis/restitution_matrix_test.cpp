#include "carom/analysis/restitution_matrix.h"

#include <Eigen/Dense>
#include <numbers>

#include "carom/analysis/kinetic_metric.h"
#include "random_problem.h"

namespace carom::testing {

using namespace analysis;
namespace {

double energy_ratio(const ContactProblem& problem, const Matrix& E, const Vector& q) {
  const Matrix A = kinetic_cosines(problem);
  const Vector after = -E * q;
  return after.dot(A.llt().solve(after)) / q.dot(A.llt().solve(q));
}

TEST(Dissipativity, TheNormIsTheLargestEnergyRatio) {
  Random random(31);
  for (int trial = 0; trial < 50; ++trial) {
    const ImpactProblem given = random_problem(random, Kind::dense, 5);
    const ContactProblem reduced = reduce(given);
    const Matrix E = random_matrix(random, reduced.size(), reduced.size()) * 0.5;
    const Dissipativity found = dissipativity(reduced, E);
    EXPECT_NEAR(energy_ratio(reduced, E, found.worst), found.energy_ratio, 1e-6 * found.energy_ratio);
    for (int k = 0; k < 100; ++k)
      EXPECT_LE(energy_ratio(reduced, E, random_matrix(random, reduced.size(), 1)), found.energy_ratio * (1 + 1e-6));
  }
}

TEST(Dissipativity, SymmetricMatrixWithEigenvaluesOfOneIsNotDissipative) {
  // Counterexample to Proposition 1 of the 2012 paper: the chain of four balls gains a quarter.
  const ImpactProblem given = chain(Vector::Ones(4), Vector::Unit(4, 0), 0);
  Matrix E(3, 3);
  E << 0, 1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_NEAR(E.selfadjointView<Eigen::Lower>().eigenvalues().cwiseAbs().maxCoeff(), 1, 1e-14);
  const Dissipativity found = dissipativity(reduce(given), E);
  EXPECT_FALSE(found.dissipative);
  EXPECT_GE(found.energy_ratio, 1.25);
  EXPECT_TRUE(dissipativity(reduce(given), Matrix::Identity(3, 3)).dissipative);
}

TEST(Dissipativity, BlockOfThePaper) {
  Matrix W(3, 2);
  W << 0, 0, 1, 1, 0.5, -0.5;
  const ImpactProblem given = problem(MassMatrix::diagonal(Vector::Ones(3)), W, vector({0, -1, 0}), Vector::Zero(2));
  Matrix E(2, 2);
  E << -0.4, 0.9, 0.9, 0.4;
  EXPECT_NEAR(dissipativity(reduce(given), E).norm, 1.3296, 5e-5);
}

TEST(RestitutionMatrix, ReproducesAMeasuredVelocityWithLeastChange) {
  Random random(32);
  for (int trial = 0; trial < 50; ++trial) {
    ImpactProblem given = random_problem(random, Kind::dense, 5);
    set_restitution(given, random, true);
    const ContactProblem reduced = reduce(given);
    const Index m = reduced.size();
    const Vector measured = solve(given, Moreau{}).u_plus;
    const Matrix guess = random_matrix(random, m, m);
    const Matrix E = restitution_matrix(reduced, measured, guess);
    const ImpactOutcome outcome = solve(given, GeneralizedKinematic{.E_n = E, .E_tan = {}});
    EXPECT_VECTOR_NEAR(outcome.u_plus, measured, 1e-8 * (1 + measured.norm()));
    // Any other matrix that does the same is farther from the guess.
    const Vector q = kinetic_normal_velocities(reduced, reduced.gamma_minus);
    Matrix other = random_matrix(random, m, m);
    other -= other * q * q.transpose() / q.squaredNorm();
    EXPECT_LE((E - guess).norm(), (E + other - guess).norm() + 1e-12);
  }
}

TEST(KineticAngles, OfChainsAndWedges) {
  const ImpactProblem four = chain(Vector::Ones(4), Vector::Unit(4, 0), 0);
  const Matrix chain_angles = kinetic_angles(reduce(four));
  EXPECT_NEAR(chain_angles(0, 1), std::numbers::pi / 3, 1e-14);
  EXPECT_NEAR(chain_angles(0, 2), std::numbers::pi / 2, 1e-14);
  EXPECT_NEAR(chain_angles(1, 1), std::numbers::pi, 1e-7);
}

TEST(RigidRestitution, VanishesWhereRigidAndFlexibleMotionShareTheImpulse) {
  EXPECT_NEAR(rigid_restitution(1, 4, 4), 0, 1e-15);
  EXPECT_NEAR(rigid_restitution(0.7, 4, 0), 0.7, 1e-15) << "at a node the mode takes nothing";
  EXPECT_LT(rigid_restitution(0.5, 1, 2), 0);
}

}  // namespace
}  // namespace carom::testing
