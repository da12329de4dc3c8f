// The generalized kinematic law at contacts with friction: blocks of a restitution matrix for normals and tangents.

#include <Eigen/Dense>

#include "carom/analysis/rocking_block.h"
#include "laws/one_contact_support.h"
#include "support.h"

namespace carom::testing {
namespace {

using analysis::BlockImpact;
using analysis::RockingBlock;

Matrix antidiagonal_of(double e) {
  return Matrix{{0, e}, {e, 0}};
}

TEST(RestitutionBlocks, CornersThatStickRockAsThePaperSays) {
  for (const double l : {0.5, 2.0, 4.0})
    for (const double e : {0.2, 0.7}) {
      const RockingBlock block(1.5, l, 1);
      const BlockImpact told = block.sticking_rocking(-1, e);
      const GeneralizedKinematic law{.E_n = antidiagonal_of(e), .E_tan = {}, .E_t = Matrix{{0}}};
      const GeneralizedKinematic angular{.E_n = {}, .E_tan = {}, .E_t = Matrix{{0}}, .r = -e};
      const ImpactProblem given = block.problem(told.before, 10);
      const ImpactOutcome outcome = solve(given, law), same = solve(given, angular);
      ASSERT_TRUE(outcome.solved()) << outcome.message;
      EXPECT_VECTOR_NEAR(outcome.u_plus, vector({told.after.x, told.after.y, told.after.theta}), 1e-12);
      EXPECT_VECTOR_NEAR(outcome.normal(outcome.Lambda), vector({told.p_n1, told.p_n2}), 1e-11);
      EXPECT_NEAR(outcome.Lambda[1] + outcome.Lambda[3], told.p_t, 1e-11);
      EXPECT_NEAR(outcome.energy.after - outcome.energy.before, told.energy_change, 1e-12);
      EXPECT_VECTOR_NEAR(same.u_plus, outcome.u_plus, 1e-13);
      EXPECT_FALSE(outcome.unique.tangential_impulse);
    }
}

/// At Housner's ratio the corner that it turned about carries nothing, so the other one must carry all friction.
TEST(RestitutionBlocks, ImpulsesAlongRedundantTangentsAreSharedWithinTheCones) {
  const RockingBlock block(1, 2, 1);
  const BlockImpact told = block.sticking_rocking(-1, -block.housner_ratio());
  ASSERT_NEAR(told.p_n2, 0, 1e-12);
  const double ratio = std::abs(told.p_t) / told.p_n1;
  const GeneralizedKinematic law{.E_n = {}, .E_tan = {}, .E_t = Matrix{{0}}, .r = block.housner_ratio()};
  const ImpactOutcome held = solve(block.problem(told.before, 1.01 * ratio), law);
  EXPECT_TRUE(held.certificate.consistent);
  EXPECT_NEAR(held.Lambda[3], 0, 1e-9);
  const ImpactOutcome left = solve(block.problem(told.before, 0.9 * ratio), law);
  EXPECT_FALSE(left.certificate.consistent);
  EXPECT_GT(left.certificate.relative.kinetic, 1e-3) << "the certificate tells where the cone is left";
  EXPECT_VECTOR_NEAR(left.u_plus, held.u_plus, 1e-12);
  ImpactProblem sticky = block.problem(told.before, 0.9 * ratio);
  for (Contact& contact : sticky.contacts) contact.mu_s = 1.01 * ratio;
  EXPECT_TRUE(solve(sticky, law).certificate.consistent) << "mu_s holds what sticks";
}

TEST(RestitutionBlocks, OneContactWithTwoNumbersIsTangentialRestitution) {
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    ImpactProblem given = random_friction(random, 1 + i % 2);
    const double e = given.contacts[0].e, e_t = given.contacts[0].e_t;
    const ImpactOutcome expected = solve(given, TangentialRestitution{});
    const ImpactOutcome outcome =
        solve(given, GeneralizedKinematic{.E_n = Matrix{{e}}, .E_tan = {}, .E_t = Matrix{{e_t}}});
    EXPECT_VECTOR_NEAR(outcome.u_plus, expected.u_plus, 1e-9 * (1 + expected.u_plus.norm()));
  }
}

/// E_tn turns an approach into slip: q_t+ = -E_tn q_n-.
TEST(RestitutionBlocks, MixedBlocksActOnKineticVelocities) {
  Matrix B(2, 2);
  B << 4, 1, 1, 9;
  const ImpactProblem given = contact_alone(B, vector({-2, 3}), 0.5, 0);
  const GeneralizedKinematic law{
      .E_n = Matrix{{0.5}}, .E_tan = {}, .E_t = Matrix{{0.25}}, .E_nt = Matrix{{0.3}}, .E_tn = Matrix{{-0.6}}};
  const double q_n = -2 / 2.0, q_t = 3 / 3.0;
  const ImpactOutcome outcome = solve(given, law);
  EXPECT_VECTOR_NEAR(outcome.gamma_plus, vector({2 * (-0.5 * q_n - 0.3 * q_t), 3 * (0.6 * q_n - 0.25 * q_t)}), 1e-13);
  for (const double scale : {1e-3, 1e4}) {  // other units of length and mass
    ImpactProblem other = contact_alone(B / scale, vector({-2, 3}), 0.5, 0);
    EXPECT_VECTOR_NEAR(solve(other, law).gamma_plus, outcome.gamma_plus, 1e-12);
  }
}

TEST(RestitutionBlocks, AreRenumberedWithTheContacts) {
  const GeneralizedKinematic law{.E_n = Matrix{{1, 2}, {3, 4}},
                                 .E_tan = {},
                                 .E_t = Matrix{{1, 2}, {3, 4}},
                                 .E_nt = Matrix{{5, 6}, {7, 8}},
                                 .E_tn = Matrix{{9, 10}, {11, 12}}};
  const GeneralizedKinematic turned = law.renumbered({{1, 0}, {1, 0}});
  EXPECT_EQ(turned.E_n, (Matrix{{4, 3}, {2, 1}}));
  EXPECT_EQ(turned.E_nt, (Matrix{{8, 7}, {6, 5}}));
  EXPECT_EQ(turned.E_tn, (Matrix{{12, 11}, {10, 9}}));
}

TEST(RestitutionBlocks, RefuseWhatDoesNotFit) {
  const RockingBlock block(1, 2, 1);
  const ImpactProblem given = block.problem({0, -0.5, -1}, 0.5);
  const Matrix E = antidiagonal_of(0.5), zero = Matrix{{0}};
  EXPECT_THROW(solve(given, GeneralizedKinematic{.E_n = E, .E_tan = {}}), InputError);
  EXPECT_THROW(solve(given, GeneralizedKinematic{.E_n = E, .E_tan = {}, .E_t = Matrix::Zero(3, 3)}), InputError);
  EXPECT_THROW(solve(given, GeneralizedKinematic{.E_n = E, .E_tan = zero, .E_t = zero}), InputError);
  EXPECT_THROW(solve(given, GeneralizedKinematic{.E_n = E, .E_tan = {}, .E_t = zero, .r = -0.5}), InputError);
  EXPECT_THROW(solve(given, GeneralizedKinematic{.E_n = {}, .E_tan = {}, .E_t = zero}), InputError);
  const Matrix apart{{0, 0}, {0, -1}};  // one corner sticks, the other slips: they share one tangent
  ImpactProblem slipping = block.problem({2, -0.5, -1}, 0.5);
  EXPECT_EQ(solve(slipping, GeneralizedKinematic{.E_n = E, .E_tan = {}, .E_t = apart}).status, Status::no_solution);
}

}  // namespace
}  // namespace carom::testing
