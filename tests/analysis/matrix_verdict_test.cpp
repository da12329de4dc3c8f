#include "carom/analysis/matrix_verdict.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "carom/analysis/kinetic_metric.h"
#include "carom/analysis/restitution_matrix.h"
#include "carom/analysis/rocking_block.h"
#include "carom/impact/solve.h"
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
    EXPECT_TRUE(verdict->energetic || !everywhere.dissipative);
    EXPECT_LE(verdict->energy_ratio, everywhere.energy_ratio + 1e-9);
    safe_only_on_approach += verdict->energetic && !everywhere.dissipative;
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
    EXPECT_TRUE(everywhere->energetic || !equal) << e.transpose();
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

TEST(MatrixVerdict, RedundantContactsHaveNone) {
  const ImpactProblem problem = testing::table(vector({-1, 0, 0}), Vector::Ones(4));
  EXPECT_FALSE(matrix_verdict(reduce(problem), {Matrix::Identity(4, 4)}));
}

}  // namespace
}  // namespace carom::analysis
