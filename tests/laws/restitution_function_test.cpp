// Laws under restitution that depends on the impact, and the work of their phases.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "random_problem.h"

namespace carom::testing {
namespace {

using Function = RestitutionFunction;
constexpr double kClose = 1e-8;  // what laws that integrate leave

SharedRestitution shared(Function::Form form) {
  return std::make_shared<const Function>(Function{{std::move(form)}});
}

/// A ball of mass m that meets a wall with speed v.
ImpactProblem ball(double m, double v, const SharedRestitution& e_of) {
  ImpactProblem result = problem(MassMatrix::diagonal(vector({m})), Matrix::Ones(1, 1), vector({-v}), vector({0}));
  result.contacts[0].e_of = e_of;
  result.contacts[0].k = 100;
  return result;
}

std::vector<ImpactLaw> laws_that_return_e() {
  return {Newton{},
          Poisson{},
          Moreau{},
          Keller{},
          Keller{.restitution = one_contact::Restitution::newton},
          Keller{.restitution = one_contact::Restitution::poisson},
          Brach{},
          Smith{},
          Whittaker{},
          KaneLevinson{},
          TangentialRestitution{},
          Lzb{},
          Lzb{.stiffness = Lzb::Stiffness::mono},
          Compliant{.force = Compliant::Force::exact},
          Compliant{.force = Compliant::Force::spring_dashpot},
          Compliant{.force = Compliant::Force::hysteretic},
          Compliant{.force = Compliant::Force::bi_stiffness}};
}

TEST(RestitutionOfLaws, ABallReturnsWithWhatItsSpeedOrItsWorkAsksFor) {
  const std::vector<std::pair<SharedRestitution, double>> functions = {
      {shared(Function::SpeedPower{0.1, 0.25}), 0.1 * std::pow(3, 0.25)},
      {shared(Function::Data{Function::Data::Of::speed, {2, 4}, {0.9, 0.5}}), 0.3},
      {shared(Function::Data{Function::Data::Of::work, {4, 14}, {0.9, 0.4}}), 0.35},  // W = 2 * 9 / 2
      {shared(Function::Yield{0.3}), 1 - std::pow(0.1, 0.25)}};
  for (const ImpactLaw& law : laws_that_return_e())
    for (const auto& [e_of, loss] : functions) {
      const ImpactOutcome outcome = solve(ball(2, 3, e_of), law);
      ASSERT_TRUE(outcome.solved()) << name_of(law) << ": " << outcome.message;
      EXPECT_NEAR(outcome.u_plus[0], 3 * (1 - loss), kClose) << name_of(law) << ", " << e_of->text();
      EXPECT_VECTOR_NEAR(outcome.e_used, vector({1 - loss}), kClose);
      EXPECT_TRUE(outcome.certificate.consistent) << name_of(law);
    }
}

TEST(RestitutionOfLaws, VanishesWithoutNansAtHighSpeed) {
  for (const ImpactLaw& law : laws_that_return_e()) {
    const ImpactOutcome outcome = solve(ball(1, 100, shared(Function::SpeedPower{0.1, 1})), law);
    ASSERT_TRUE(outcome.solved()) << name_of(law) << ": " << outcome.message;
    EXPECT_NEAR(outcome.u_plus[0], 0, 0.11) << name_of(law) << " (some forces return at least a thousandth)";
  }
}

TEST(RestitutionOfLaws, AContactThatWasAtRestHasTheRestitutionOfNoSpeedInLzb) {
  ImpactProblem by_speed = chain(vector({1, 1, 1}), vector({2, 0, 0}), 0);
  for (Contact& contact : by_speed.contacts) contact.e_of = shared(Function::SpeedPower{0.2, 1});
  ImpactProblem numbers = chain(vector({1, 1, 1}), vector({2, 0, 0}), 1);
  numbers.contacts[0].e = 0.6;
  for (const auto stiffness : {Lzb::Stiffness::bi, Lzb::Stiffness::mono}) {
    const ImpactOutcome outcome = solve(by_speed, Lzb{.stiffness = stiffness});
    const ImpactOutcome expected = solve(numbers, Lzb{.stiffness = stiffness});
    if (expected.history->compressions[0] > 1) continue;
    EXPECT_VECTOR_NEAR(outcome.u_plus, expected.u_plus, 1e-8);
    EXPECT_VECTOR_NEAR(outcome.e_used, vector({0.6, 1}), 1e-12);
  }
}

TEST(RestitutionOfLaws, TheWorkOfEachContactDecidesOnItsRestitutionInLzb) {
  Random random(7);
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    const Index n = pick(random, 2, 6);
    Vector masses(n);
    for (double& mass : masses) mass = std::exp(between(random, -0.5, 0.5));
    ImpactProblem problem = chain(masses, 2 * Vector::Unit(n, 0), 0);
    for (Contact& contact : problem.contacts)
      contact.e_of = shared(Function::Data{Function::Data::Of::work, {0, 1}, {0.95, 0.6}});
    for (const auto stiffness : {Lzb::Stiffness::bi, Lzb::Stiffness::mono}) {
      const ImpactOutcome outcome = solve(problem, Lzb{.stiffness = stiffness});
      ASSERT_TRUE(outcome.solved()) << outcome.message;
      ASSERT_TRUE(outcome.certificate.consistent);
      bool once = true;
      for (const long count : outcome.history->compressions) once = once && count == 1;
      if (!once) continue;
      ++compared;
      ImpactProblem numbers = problem;
      for (Index j = 0; j + 1 < n; ++j) {
        const double e = outcome.e_used[j], W_c = -outcome.works->compression[j];
        EXPECT_NEAR(e, 0.95 - 0.35 * std::min(W_c, 1.0), 1e-6);
        EXPECT_NEAR(std::sqrt(outcome.works->restitution[j] / W_c), e, 1e-6) << "Stronge's coefficient";
        numbers.contacts[j].e_of = nullptr;
        numbers.contacts[j].e = e;
      }
      EXPECT_VECTOR_NEAR(outcome.u_plus, solve(numbers, Lzb{.stiffness = stiffness}).u_plus, 1e-6);
    }
  }
  EXPECT_GT(compared, 40);
}

/// Forms of every kind, at random.
SharedRestitution random_function(Random& random) {
  switch (pick(random, 0, 3)) {
    case 0:
      return shared(Function::SpeedPower{between(random, 0, 0.5), between(random, 0.1, 2)});
    case 1:
      return shared(Function::Yield{between(random, 0.01, 2)});
    case 2:
      return shared(Function::Data{Function::Data::Of::speed, {0.1, 1}, {random.uniform(), random.uniform()}});
    default:
      return shared(Function::Data{Function::Data::Of::work, {0.1, 1}, {random.uniform(), random.uniform()}});
  }
}

TEST(RestitutionOfLaws, DependsNeitherOnTheOrderOfContactsNorOnAMirrorImage) {
  Random random(11);
  for (int i = 0; i < 60; ++i) {
    const Index m = pick(random, 1, 5);
    ImpactProblem problem = random_problem(random, Kind::chain, m);
    const Index contacts = problem.W.cols();
    for (Contact& contact : problem.contacts) contact.e_of = random_function(random);
    ImpactProblem mirrored = problem;
    mirrored.u_minus = -problem.u_minus;
    mirrored.W = SparseMatrix(-problem.W);
    ImpactProblem reversed = problem;
    std::reverse(reversed.contacts.begin(), reversed.contacts.end());
    reversed.W = Matrix(Matrix(problem.W).rowwise().reverse()).sparseView();
    for (const ImpactLaw& law : std::vector<ImpactLaw>{Newton{}, Poisson{}, Lzb{},
                                                       Compliant{.force = Compliant::Compliant::Force::hysteretic}}) {
      const ImpactOutcome outcome = solve(problem, law);
      if (!outcome.solved() || outcome.events.value_or(0) > 50 * contacts) continue;
      const double scale = 1e-6 * problem.u_minus.cwiseAbs().maxCoeff();
      EXPECT_VECTOR_NEAR(Vector(-solve(mirrored, law).u_plus), outcome.u_plus, scale);
      EXPECT_VECTOR_NEAR(solve(reversed, law).u_plus, outcome.u_plus, scale);
      for (const double e : outcome.e_used) EXPECT_TRUE(e >= 0 && e <= 1) << e;
      const double created = outcome.energy.after - outcome.energy.before;
      if (!std::holds_alternative<Newton>(law)) {
        EXPECT_LE(created, 1e-7 * outcome.energy.before) << name_of(law);
      }
    }
  }
}

TEST(WorkOfPhases, OfABallIsItsEnergyAndWhatRestitutionLeavesOfIt) {
  for (const ImpactLaw& law : std::vector<ImpactLaw>{Poisson{}, Keller{}, Lzb{}, Lzb{.stiffness = Lzb::Stiffness::mono},
                                                     Compliant{.force = Compliant::Compliant::Force::hysteretic}}) {
    ImpactProblem problem = ball(2, 3, nullptr);
    problem.contacts[0].e = 0.5;
    const ImpactOutcome outcome = solve(problem, law);
    ASSERT_TRUE(outcome.works) << name_of(law);
    EXPECT_NEAR(outcome.works->compression[0], -9, 1e-7) << name_of(law);
    EXPECT_NEAR(outcome.works->restitution[0], 9 * 0.25, 1e-7) << name_of(law);
  }
  EXPECT_FALSE(solve(ball(2, 3, nullptr), Newton{}).works);
}

TEST(WorkOfPhases, OfADentThatGivesNothingBackIsNone) {
  ImpactProblem problem = chain(vector({6, 0.1}), vector({0.5, 0.9}), 0);
  problem.contacts[0].E0 = 0.3;
  const ImpactOutcome outcome = solve(problem, Compliant{.force = Compliant::Force::hysteretic});
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({0.5, 0.9}), 1e-12);  // it parts already
  EXPECT_TRUE(outcome.certificate.consistent);
}

TEST(WorkOfPhases, IsWhatContactsTakeAndLoseWithTheEnergyTheyHadBefore) {
  Random random(3);
  for (int i = 0; i < 40; ++i) {
    ImpactProblem problem = random_problem(random, Kind::chain, pick(random, 1, 6));
    set_restitution(problem, random, false);
    for (Contact& contact : problem.contacts) contact.E0 = random.uniform() < 0.3 ? random.uniform() : 0;
    for (const auto stiffness : {Lzb::Stiffness::bi, Lzb::Stiffness::mono}) {
      const ImpactOutcome outcome = solve(problem, Lzb{.stiffness = stiffness});
      if (!outcome.solved()) continue;
      const double scale = outcome.energy.before + outcome.energy.stored_before;
      for (Index j = 0; j < problem.W.cols(); ++j)
        EXPECT_NEAR(outcome.works->restitution[j] + outcome.energy.dissipated_normal[j],
                    problem.contacts[static_cast<std::size_t>(j)].E0 - outcome.works->compression[j], 1e-6 * scale);
    }
    for (Contact& contact : problem.contacts) contact.E0 = 0;
    const ImpactOutcome poisson = solve(problem, Poisson{});
    if (poisson.solved() && poisson.works) {
      EXPECT_NEAR(poisson.works->compression.sum() + poisson.works->restitution.sum(),
                  poisson.energy.after - poisson.energy.before, 1e-9 * poisson.energy.before);
    }
  }
}

}  // namespace
}  // namespace carom::testing
