#include "carom/analysis/matrix_verdict.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "carom/analysis/kinetic_metric.h"
#include "carom/analysis/restitution_matrix.h"
#include "carom/analysis/rocking_block.h"
#include "carom/impact/solve.h"
#include "carom/numerics/decompositions.h"
#include "carom/numerics/lcp.h"
#include "support.h"

namespace carom::analysis {
namespace {

using testing::chain;
using testing::vector;

double within(Random& random, double least, double largest) {
  return least + (largest - least) * random.uniform();
}

double ratio_of(const ImpactProblem& problem, const ImpactLaw& law) {
  const ImpactOutcome outcome = solve(problem, law);
  EXPECT_TRUE(outcome.solved());
  return outcome.energy.after / outcome.energy.before;
}

/// Symmetric, eigenvalues 1, 1, -1: Proposition 1 of the paper would have it lose energy.
TEST(MatrixVerdict, ThePapersCounterexampleGainsEnergyOnApproach) {
  Matrix E(3, 3);
  E << 0, 1, 0, 1, 0, 0, 0, 0, 1;
  ImpactProblem problem = chain(Vector::Ones(4), vector({1, 0, 0, 0}), 0);
  const auto verdict = matrix_verdict(reduce(problem), {E});
  ASSERT_TRUE(verdict);
  EXPECT_FALSE(verdict->energetic);
  EXPECT_FALSE(verdict->penetrates);
  EXPECT_GE(verdict->energy_ratio, 1.25);  // that of u- = (1, 0, 0, 0)
  EXPECT_LE(verdict->energy_ratio, dissipativity(reduce(problem), E).energy_ratio + 1e-12);
  problem.u_minus = verdict->u_minus;
  EXPECT_LE((problem.W.transpose() * verdict->u_minus).maxCoeff(), 1e-12);
  EXPECT_NEAR(ratio_of(problem, GeneralizedKinematic{.E_n = E, .E_tan = {}}), verdict->energy_ratio, 1e-9);
}

/// Copositive and not positive semidefinite: some velocity gains, none that closes both contacts does.
TEST(MatrixVerdict, WhatGainsEnergyOnlyWhereAContactOpensIsSafeOnApproach) {
  const RockingBlock block(1, 3, 1);
  const ImpactProblem problem = block.problem({0, -1, 0});
  ImpactProblem smooth = problem;
  smooth.W = Matrix(Matrix(problem.W)(Eigen::all, std::vector<Index>{0, 2})).sparseView();
  for (Contact& contact : smooth.contacts) contact.tangents = 0;
  Random random(7);
  int safe_only_on_approach = 0;
  for (int i = 0; i < 3000; ++i) {
    Matrix E(2, 2);
    for (double& entry : E.reshaped()) entry = within(random, -0.5, 1);
    const auto verdict = matrix_verdict(reduce(smooth), {E});
    const Dissipativity everywhere = dissipativity(reduce(smooth), E);
    EXPECT_TRUE(bool(verdict->energetic) || !everywhere.dissipative);
    EXPECT_LE(verdict->energy_ratio, everywhere.energy_ratio + 1e-9);
    safe_only_on_approach += bool(verdict->energetic) && !everywhere.dissipative;
  }
  EXPECT_GT(safe_only_on_approach, 5);
}

TEST(MatrixVerdict, NoApproachingVelocityGainsMoreThanTheWorst) {
  Random random(8);
  for (int i = 0; i < 30; ++i) {
    const Vector masses = vector({within(random, 0.2, 3), within(random, 0.2, 3), within(random, 0.2, 3), 1});
    ImpactProblem problem = chain(masses, vector({1, 0, 0, 0}), 0);
    Matrix E(3, 3);
    for (double& entry : E.reshaped()) entry = within(random, -0.3, 1);
    const GeneralizedKinematic law{.E_n = E, .E_tan = {}};
    const auto verdict = matrix_verdict(reduce(problem), {E});
    bool penetrates = false, pulls = false;
    for (int s = 0; s < 200; ++s) {
      // velocities that fall along the chain close all contacts
      for (Index k = 1; k < 4; ++k) problem.u_minus[k] = problem.u_minus[k - 1] - random.uniform() * (s % 3 != k % 3);
      problem.u_minus.array() -= masses.dot(problem.u_minus) / masses.sum();  // no motion as a whole
      const ImpactOutcome outcome = solve(problem, law);
      EXPECT_LE(outcome.energy.after, (verdict->energy_ratio + 1e-9) * outcome.energy.before);
      penetrates = penetrates || outcome.gamma_plus.minCoeff() < -1e-9;
      pulls = pulls || outcome.Lambda.minCoeff() < -1e-9;
      problem.u_minus[0] = 1;
    }
    EXPECT_TRUE(verdict->penetrates || !penetrates);
    EXPECT_TRUE(verdict->pulls || !pulls);
    for (const auto& failure : {verdict->penetrates, verdict->pulls}) {
      if (!failure) continue;
      const Matrix G = reduce(problem).G;
      problem.u_minus = problem.M.solve(Vector(problem.W * G.ldlt().solve(failure->gamma_minus)));
      const ImpactOutcome outcome = solve(problem, law);
      EXPECT_LT(std::min(outcome.gamma_plus[failure->contact], outcome.Lambda[failure->contact]), 0);
    }
  }
}

/// Newton's law with one e a contact: no energy from approaching velocities, and from others only if the e differ.
///                                                                                      [Glocker 2001, (3.5)]
TEST(MatrixVerdict, NewtonGainsEnergyOnlyWhereAContactOpensAndTheCoefficientsDiffer) {
  Random random(9);
  int gains = 0;
  for (int i = 0; i < 60; ++i) {
    const Vector masses = vector({within(random, 0.2, 3), within(random, 0.2, 3), within(random, 0.2, 3), 1});
    const ImpactProblem problem = chain(masses, vector({1, 0, 0, 0}), 0);
    const ContactProblem contacts = reduce(problem);
    const bool equal = i % 3 == 0;
    Vector e = Vector::Constant(3, random.uniform());
    if (!equal) e = vector({random.uniform(), random.uniform(), random.uniform()});
    const Restitution newton{in_kinetic_coordinates(contacts, e.asDiagonal()), Restitution::Form::inequality};
    EXPECT_TRUE(matrix_verdict(contacts, newton)->energetic) << e.transpose();
    const auto everywhere = matrix_verdict(contacts, newton, Velocities::all);
    EXPECT_TRUE(bool(everywhere->energetic) || !equal) << e.transpose();
    gains += !everywhere->energetic;
    if (everywhere->energetic) continue;
    ImpactProblem worst = testing::problem(problem.M, Matrix(problem.W), everywhere->u_minus, e);
    EXPECT_NEAR(ratio_of(worst, Newton{}), everywhere->energy_ratio, 1e-9);
    EXPECT_GT(everywhere->gamma_minus.maxCoeff(), 0);
  }
  EXPECT_GT(gains, 10);
}

TEST(MatrixVerdict, FremondsMatrixIsJudgedAsNewtonsLawUsesIt) {
  Random random(10);
  for (int i = 0; i < 40; ++i) {
    const Vector masses = vector({within(random, 0.2, 3), within(random, 0.2, 3), 1});
    ImpactProblem problem = chain(masses, vector({1, 0, 0}), 0);
    Matrix epsilon(2, 2);
    for (double& entry : epsilon.reshaped()) entry = within(random, 0, 1.2);
    const ContactProblem contacts = reduce(problem);
    const auto verdict =
        matrix_verdict(contacts, {in_kinetic_coordinates(contacts, epsilon), Restitution::Form::inequality});
    double sampled = 0;
    for (int s = 0; s <= 200; ++s) {
      const double angle = std::acos(0.0) * s / 200;
      const Vector gamma = vector({-std::cos(angle), -std::sin(angle)});
      problem.u_minus = problem.M.solve(Vector(problem.W * Matrix(contacts.G).ldlt().solve(gamma)));
      sampled = std::max(sampled, ratio_of(problem, Newton{.matrix = epsilon}));
    }
    EXPECT_LE(sampled, verdict->energy_ratio + 1e-9);
    EXPECT_GE(sampled, verdict->energy_ratio - 0.01 * (1 + verdict->energy_ratio));
  }
}

/// A table on four legs: three velocities, four contacts.
TEST(MatrixVerdict, RedundantContactsAreJudgedInTheVelocitiesThatTheyCanHave) {
  const ImpactProblem table = testing::table(vector({-1, 0, 0}), Vector::Ones(4));
  const ContactProblem contacts = reduce(table);
  for (const double e : {0.0, 0.4, 1.0}) {
    const auto verdict = matrix_verdict(contacts, {e * Matrix::Identity(4, 4)});
    ASSERT_TRUE(verdict);
    EXPECT_TRUE(verdict->energetic && verdict->exact);
    EXPECT_NEAR(verdict->energy_ratio, e * e, 1e-12);
    EXPECT_FALSE(verdict->impossible || verdict->penetrates || verdict->pulls);
  }
  const auto gains = matrix_verdict(contacts, {1.2 * Matrix::Identity(4, 4)});
  EXPECT_TRUE(gains->energetic.denied());
  EXPECT_NEAR(gains->energy_ratio, 1.44, 1e-12);
  const Matrix unequal = vector({1, 0.5, 0.5, 0.5}).asDiagonal();
  const auto torn = matrix_verdict(contacts, {unequal});
  ASSERT_TRUE(torn->impossible);  // three legs decide what the fourth does
  ImpactProblem proof = table;
  const Vector y = numerics::CompleteOrthogonal(Matrix(contacts.G)).solve(torn->impossible->gamma_minus);
  proof.u_minus = proof.M.solve(Vector(proof.W * y));
  EXPECT_VECTOR_NEAR(Vector(proof.W.transpose() * proof.u_minus), torn->impossible->gamma_minus, 1e-12);
  EXPECT_EQ(solve(proof, GeneralizedKinematic{.E_n = unequal, .E_tan = {}}).status, Status::no_solution);
  ImpactProblem worst = table;  // the energy is told where there is a solution
  worst.u_minus = torn->u_minus;
  EXPECT_NEAR(ratio_of(worst, GeneralizedKinematic{.E_n = unequal, .E_tan = {}}), torn->energy_ratio, 1e-9);
}

TEST(MatrixVerdict, NoApproachOfRedundantContactsGainsMoreThanTheWorst) {
  Random random(11);
  int gains = 0, pulls = 0;
  for (int i = 0; i < 30; ++i) {
    ImpactProblem table = testing::table(vector({-1, 0, 0}), Vector::Ones(4));
    table.M = MassMatrix::diagonal(vector({1, 3, 3}));  // its weight is outside of its legs
    const Matrix W = table.W;
    // a matrix that keeps the velocities of the legs together: it maps gamma = W'u to W'(B u)
    Matrix B(3, 3);
    for (double& entry : B.reshaped()) entry = 0.3 * random.normal();
    B += 0.7 * Matrix::Identity(3, 3);
    const ContactProblem contacts = reduce(table);
    const Matrix epsilon = W.transpose() * B * numerics::CompleteOrthogonal(Matrix(W.transpose())).pseudo_inverse();
    const Matrix E = in_kinetic_coordinates(contacts, epsilon);
    const auto verdict = matrix_verdict(contacts, {E});
    ASSERT_TRUE(verdict);
    EXPECT_FALSE(verdict->impossible);
    double sampled = 0;
    bool pulled = false;
    for (int k = 0; k < 300; ++k) {
      const Vector u = vector({random.normal(), random.normal(), random.normal()});
      const Vector gamma = W.transpose() * u;
      if (gamma.maxCoeff() > 0) continue;
      const Vector after = -B * u;
      sampled = std::max(sampled, table.M.kinetic_energy(after) / table.M.kinetic_energy(u));
      // some impulses >= 0 must make the jump
      const Vector jump = table.M.to_dense() * (after - u);
      const auto pressed = numerics::solve_lcp(Matrix(W.transpose() * W), Vector(-W.transpose() * jump));
      pulled = pulled || (W * pressed.x - jump).norm() > 1e-6 * jump.norm();
    }
    EXPECT_LE(sampled, verdict->energy_ratio * (1 + 1e-9));
    EXPECT_TRUE(verdict->pulls || !pulled) << i;
    gains += verdict->energetic.denied();
    pulls += verdict->pulls.has_value();
    table.u_minus = verdict->u_minus;
    EXPECT_NEAR(ratio_of(table, GeneralizedKinematic{.E_n = E, .E_tan = {}}), verdict->energy_ratio, 1e-8);
  }
  EXPECT_GT(gains, 3);
  EXPECT_GT(pulls, 3);
}

/// Newton's law of a table is an inequality: each leg its own e, and no approach gains energy.
TEST(MatrixVerdict, NewtonsLawOfRedundantContactsGainsNothingOnApproach) {
  const ImpactProblem table = testing::table(vector({-1, 0, 0}), Vector::Ones(4));
  const Matrix e = vector({0.2, 0.9, 0.5, 0.7}).asDiagonal();
  const auto verdict = matrix_verdict(reduce(table), {e, Restitution::Form::inequality});
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->energetic && verdict->exact);
}

/// More contacts than faces can be looked at: a gain that is found is one, and what is excluded is.
TEST(MatrixVerdict, ManyContactsAreSearched) {
  const Index balls = 25, m = balls - 1;
  ImpactProblem line = chain(Vector::Ones(balls), Vector::Unit(balls, 0), 0);
  const ContactProblem contacts = reduce(line);
  const auto kept = matrix_verdict(contacts, {Matrix::Identity(m, m)});
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->energetic && !kept->exact);
  EXPECT_LE(kept->energy_bound, 1 + 1e-9);
  Matrix E = Matrix::Identity(m, m);
  E(4, 3) = 0.3;
  const auto gains = matrix_verdict(contacts, {E});
  EXPECT_TRUE(gains->energetic.denied());
  EXPECT_GT(gains->searched, 0);
  EXPECT_GE(gains->energy_bound, gains->energy_ratio);
  EXPECT_LE(gains->energy_ratio, dissipativity(contacts, E).energy_ratio + 1e-9);
  line.u_minus = gains->u_minus;
  EXPECT_NEAR(ratio_of(line, GeneralizedKinematic{.E_n = E, .E_tan = {}}), gains->energy_ratio, 1e-8);
  Vector e(m);
  for (Index i = 0; i < m; ++i) e[i] = 0.5 * static_cast<double>(i % 3);
  const Restitution newton{in_kinetic_coordinates(contacts, e.asDiagonal()), Restitution::Form::inequality};
  EXPECT_TRUE(matrix_verdict(contacts, newton)->energetic);
  const auto same = matrix_verdict(contacts, {E, Restitution::Form::inequality});  // nothing pulls: all contacts press
  EXPECT_NEAR(same->energy_ratio, gains->energy_ratio, 1e-12);
  const auto everywhere = matrix_verdict(contacts, newton, Velocities::all);
  EXPECT_TRUE(everywhere->energetic.denied());
  const ImpactProblem worst = testing::problem(line.M, Matrix(line.W), everywhere->u_minus, e);
  EXPECT_NEAR(ratio_of(worst, Newton{}), everywhere->energy_ratio, 1e-7);
}

}  // namespace
}  // namespace carom::analysis
