// Properties that hold for every law, on random problems of up to 40 contacts.

#include <gtest/gtest.h>  // before rapidcheck, which does not include it
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

#include "random_problem.h"

namespace carom::testing {
namespace {

constexpr double kAgreement =
    1e-8;  // of velocities in the kinetic metric, relative; the problems' condition takes the rest

struct Case {
  ImpactProblem problem;
  std::uint64_t seed = 0;
};

Case random_case(bool equal_e) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random random(seed);
  const Kind kind = static_cast<Kind>(pick(random, 0, static_cast<Index>(Kind::most) - 1));
  Case result{random_problem(random, kind), seed};
  set_restitution(result.problem, random, equal_e);
  return result;
}

/// The problem without its closing contacts but the first, and with so few others that they are independent.
ImpactProblem with_one_closing_contact(const ImpactProblem& problem) {
  const Vector gamma = problem.W.transpose() * problem.u_minus;
  const Index most = std::max<Index>(1, problem.M.size() / 2);
  std::vector<Index> kept;
  for (Index i = 0; i < gamma.size() && kept.empty(); ++i)
    if (gamma[i] < 0) kept.push_back(i);
  for (Index i = 0; i < gamma.size() && static_cast<Index>(kept.size()) < most; ++i)
    if (gamma[i] >= 0) kept.push_back(i);
  ImpactProblem result = problem;
  result.W = Matrix(Matrix(problem.W)(Eigen::all, kept)).sparseView();
  result.contacts.clear();
  for (const Index i : kept) result.contacts.push_back(problem.contacts[i]);
  return result;
}

/// For properties of every law: a quarter of the problems suits those of one closing contact.
Case random_case_for_all() {
  Case result = random_case(*rc::gen::arbitrary<bool>());
  if (*rc::gen::inRange(0, 4) == 0) result.problem = with_one_closing_contact(result.problem);
  return result;
}

double scale_of(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  return kinetic_norm(problem.M, problem.u_minus) + kinetic_norm(problem.M, outcome.u_plus);
}

void require_same_velocity(const ImpactProblem& problem, const ImpactOutcome& expected, const Vector& u_plus) {
  RC_ASSERT(u_plus.size() == expected.u_plus.size());
  RC_ASSERT(kinetic_norm(problem.M, u_plus - expected.u_plus) <= kAgreement * scale_of(problem, expected));
}

/// Impulses agree, in the energy they carry.
void require_same_impulses(const ContactProblem& problem, const Vector& expected, const Vector& actual) {
  const Vector weight = problem.G.diagonal().cwiseSqrt();
  RC_ASSERT(weight.cwiseProduct(actual - expected).norm() <= 1e-6 * weight.cwiseProduct(expected).norm() + 1e-12);
}

/// Hundreds of re-impacts at a contact double every rounding error again and again, until digits depend on the order of
/// summation.
bool amplifies_rounding(const ImpactOutcome& outcome) {
  return outcome.events.value_or(0) > 50 * static_cast<long>(outcome.row.size());
}

constexpr std::size_t kMostFollowed = 8;  // contacts of impacts that are followed in time: tens of them rattle for long

template <class L, class... Laws>
constexpr bool kIsOneOf = (std::is_same_v<L, Laws> || ...);
template <class L>
constexpr bool kOfOneContact = kIsOneOf<L, Brach, Smith, Whittaker, KaneLevinson>;

template <class L>
constexpr bool kInPhases = kIsOneOf<L, Sequential, ImpulseCorrelation>;

/// Whether the closing contacts determine velocities to many digits: a law of equations for all of them needs that.
bool closing_contacts_are_well_conditioned(const ImpactProblem& problem) {
  const Vector gamma = problem.W.transpose() * problem.u_minus;
  std::vector<Index> closing;
  for (Index i = 0; i < gamma.size(); ++i)
    if (gamma[i] < 0) closing.push_back(i);
  if (closing.empty()) return true;
  Matrix directions = problem.M.dense_half_solve(problem.W)(Eigen::all, closing);
  directions.colwise().normalize();
  const Vector stretch = directions.jacobiSvd().singularValues();
  return stretch[stretch.size() - 1] > 1e-2 * stretch[0];
}

template <class L>
bool applies(const L& law, const ImpactProblem& problem) {
  if ((has_path(law) || kInPhases<L>)&&problem.contacts.size() > kMostFollowed) return false;
  const Vector gamma = problem.W.transpose() * problem.u_minus;
  if (kIsOneOf<L, TangentialRestitution>) return closing_contacts_are_well_conditioned(problem);
  return !kOfOneContact<L> || (gamma.array() < 0).count() <= 1;
}

/// The law `compliant` with each of its other forces, on problems that they can do.
template <class Check>
void for_every_force(const ImpactProblem& problem, Check&& check) {
  constexpr std::size_t kMostForced = 4;  // contacts
  if (problem.contacts.size() > kMostForced) return;
  for (std::size_t i = 1; i < std::variant_size_v<forces::Normal>; ++i) {
    Compliant law{.force = static_cast<Compliant::Force>(i)};
    const bool needs_e = law.force == Compliant::Force::spring_dashpot || law.force == Compliant::Force::exact;
    const bool weak = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                  [](const Contact& contact) { return contact.e < 0.05; });
    if (!needs_e || !weak) check(law);
  }
}

template <class Check>
void for_every_law(const ImpactProblem& problem, Check&& check) {
  const auto check_and_name = [&](const auto& law) {
    RC_LOG() << law.name << '\n';  // shown where a property fails: the last one is the law that did
    check(law);
  };
  for_each_law([&](auto law) {
    if (applies(law, problem)) check_and_name(suited(law, problem));
  });
  for_every_force(problem, check_and_name);
}

RC_GTEST_PROP(EveryLaw, BalancesMomentumAndEnergy, ()) {
  const Case given = random_case_for_all();
  for_every_law(given.problem, [&](const auto& law) {
    const ImpactOutcome outcome = solve(given.problem, law);
    if (outcome.status == Status::no_solution) return;
    if (kInPhases<std::decay_t<decltype(law)>> && !outcome.solved()) return;  // no end, and said
    RC_ASSERT(outcome.solved());
    RC_ASSERT(outcome.u_plus.allFinite() && outcome.Lambda.allFinite());
    const Matrix M = given.problem.M.to_dense(), W = given.problem.W;
    const Vector residual = M * (outcome.u_plus - given.problem.u_minus) - W * outcome.Lambda;
    RC_ASSERT(std::sqrt(residual.dot(M.llt().solve(residual))) <= 1e-11 * scale_of(given.problem, outcome));
    const double T_minus = 0.5 * given.problem.u_minus.dot(M * given.problem.u_minus);
    const double T_plus = 0.5 * outcome.u_plus.dot(M * outcome.u_plus);
    const double work = 0.5 * (outcome.gamma_minus + outcome.gamma_plus).dot(outcome.Lambda);
    RC_ASSERT(std::abs(T_plus - T_minus - work) <= 1e-11 * (T_minus + T_plus + std::abs(work)));
    RC_ASSERT(std::abs(outcome.energy.dissipated() + work) <= 1e-12 * (T_minus + T_plus));
  });
}

RC_GTEST_PROP(EveryLaw, IsCertifiedByWhatAnIndependentComputationFinds, ()) {
  const Case given = random_case_for_all();
  for_every_law(given.problem, [&](const auto& law) {
    const ImpactOutcome outcome = solve(given.problem, law);
    if (outcome.status == Status::no_solution) return;
    if (kInPhases<std::decay_t<decltype(law)>> && !outcome.solved()) return;
    const Matrix M = given.problem.M.to_dense(), W = given.problem.W;
    const Vector gamma = W.transpose() * outcome.u_plus;
    const double T_minus = 0.5 * given.problem.u_minus.dot(M * given.problem.u_minus);
    const double T_plus = 0.5 * outcome.u_plus.dot(M * outcome.u_plus);
    const double energy = T_minus + T_plus;
    const Certificate& certificate = outcome.certificate;
    RC_ASSERT(std::abs(certificate.absolute.kinematic - std::max(0.0, -gamma.minCoeff())) <=
              1e-10 * outcome.gamma_minus.cwiseAbs().maxCoeff());
    RC_ASSERT(certificate.absolute.kinetic == std::max(0.0, -outcome.Lambda.minCoeff()));
    RC_ASSERT(std::abs(certificate.absolute.energetic - std::max(0.0, T_plus - T_minus)) <= 1e-11 * energy);
    // The verdict, with room for what lies within a factor ten of the tolerance.
    const Vector speed = (W.transpose() * M.llt().solve(W)).diagonal().cwiseSqrt() * std::sqrt(2 * energy);
    const double depth = (-gamma).cwiseQuotient(speed).maxCoeff();
    const double pull = (-outcome.Lambda).cwiseProduct(speed).maxCoeff() / (2 * energy);
    const double gain = (T_plus - T_minus) / energy;
    const double worst = std::max({depth, pull, gain});
    if (worst > 1e-8) RC_ASSERT(!certificate.consistent);
    if (worst < 1e-10) RC_ASSERT(certificate.consistent);
  });
}

RC_GTEST_PROP(EveryLaw, DoesNotDependOnTheOrderOfContacts, ()) {
  const Case given = random_case_for_all();
  Random random(given.seed + 1);
  std::vector<Index> order(given.problem.contacts.size());
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[pick(random, 0, static_cast<Index>(i) - 1)]);
  ImpactProblem shuffled = given.problem;
  shuffled.W = Matrix(Matrix(given.problem.W)(Eigen::all, order)).sparseView();
  for (std::size_t i = 0; i < order.size(); ++i) shuffled.contacts[i] = given.problem.contacts[order[i]];
  const ContactProblem reduced = reduce(given.problem);
  for_every_law(given.problem, [&](auto law) {
    const ImpactOutcome expected = solve(given.problem, law);
    const ImpactOutcome actual = solve(shuffled, law);
    if (amplifies_rounding(expected)) return;
    RC_ASSERT(actual.status == expected.status);
    if (!expected.solved()) return;
    require_same_velocity(given.problem, expected, actual.u_plus);
    RC_ASSERT(actual.unique.impulse == expected.unique.impulse);
    RC_ASSERT(actual.unique.u_plus == expected.unique.u_plus);
    RC_ASSERT(actual.certificate.consistent == expected.certificate.consistent);
    if (!expected.unique.u_plus) return;  // then impulses are chosen for the velocities alone
    Vector Lambda(actual.Lambda.size());
    for (std::size_t i = 0; i < order.size(); ++i) Lambda[order[i]] = actual.Lambda[static_cast<Index>(i)];
    require_same_impulses(reduced, expected.Lambda, Lambda);
  });
}

RC_GTEST_PROP(EveryLaw, DoesNotDependOnUnits, ()) {
  const Case given = random_case_for_all();
  const double mass = *rc::gen::element(1e-6, 1.0, 1e6), speed = *rc::gen::element(1e-3, 1.0, 1e3);
  const double length = *rc::gen::element(1e-6, 1.0, 1e6);  // of one coordinate: an angle in degrees, say
  ImpactProblem scaled = given.problem;
  Vector unit = Vector::Ones(given.problem.M.size());
  unit[unit.size() - 1] = length;
  const Matrix M = given.problem.M.to_dense();
  scaled.M = MassMatrix::dense(mass * unit.cwiseInverse().asDiagonal() * M * unit.cwiseInverse().asDiagonal());
  scaled.W = Matrix(unit.cwiseInverse().asDiagonal() * Matrix(given.problem.W)).sparseView();
  scaled.u_minus = speed * unit.cwiseProduct(given.problem.u_minus);
  const ContactProblem reduced = reduce(given.problem);
  for_every_law(given.problem, [&](const auto& law) {
    const ImpactOutcome expected = solve(given.problem, law), actual = solve(scaled, law);
    if (amplifies_rounding(expected)) return;
    RC_ASSERT(actual.status == expected.status);
    if (!expected.solved()) return;
    require_same_velocity(given.problem, expected, actual.u_plus.cwiseQuotient(unit) / speed);
    RC_ASSERT(actual.certificate.consistent == expected.certificate.consistent);
    RC_ASSERT(actual.unique.impulse == expected.unique.impulse);
    if (expected.unique.u_plus) require_same_impulses(reduced, expected.Lambda, actual.Lambda / (mass * speed));
  });
}

RC_GTEST_PROP(EveryLaw, MirrorsWithTheProblem, ()) {
  const Case given = random_case_for_all();
  // All coordinates point the other way and are counted from the other end; so are the contacts.
  ImpactProblem mirrored = given.problem;
  const Index n = given.problem.M.size();
  const Matrix M = given.problem.M.to_dense();
  mirrored.M = MassMatrix::dense(M.reverse());
  mirrored.W = Matrix(-Matrix(given.problem.W).reverse()).sparseView();
  mirrored.u_minus = -given.problem.u_minus.reverse();
  std::reverse(mirrored.contacts.begin(), mirrored.contacts.end());
  RC_ASSERT(mirrored.M.size() == n);
  for_every_law(given.problem, [&](const auto& law) {
    const ImpactOutcome expected = solve(given.problem, law), actual = solve(mirrored, law);
    if (amplifies_rounding(expected)) return;
    RC_ASSERT(actual.status == expected.status);
    if (expected.solved()) require_same_velocity(given.problem, expected, -actual.u_plus.reverse());
  });
}

RC_GTEST_PROP(EveryLaw, DoesNotDependOnCoordinates, ()) {
  const Case given = random_case_for_all();
  Random random(given.seed + 2);
  const Index n = given.problem.M.size();
  const Matrix T =
      random_matrix(random, n, n) / std::sqrt(static_cast<double>(n)) + 2 * Matrix::Identity(n, n);  // u = T v
  ImpactProblem turned = given.problem;
  const Matrix M = T.transpose() * given.problem.M.to_dense() * T;
  turned.M = MassMatrix::dense(0.5 * (M + M.transpose()));
  turned.W = Matrix(T.transpose() * Matrix(given.problem.W)).sparseView();
  turned.u_minus = T.partialPivLu().solve(given.problem.u_minus);
  for_every_law(given.problem, [&](const auto& law) {
    const ImpactOutcome expected = solve(given.problem, law), actual = solve(turned, law);
    if (amplifies_rounding(expected)) return;
    RC_ASSERT(actual.status == expected.status);
    if (expected.solved()) require_same_velocity(given.problem, expected, T * actual.u_plus);
  });
}

RC_GTEST_PROP(NewtonPoissonMoreau, AgreeForEqualRestitutionWhereNoContactOpensBeforehand, ()) {
  Case given = random_case(true);
  // Take the velocity whose contacts all close: -prox of the opposite.
  ImpactProblem opposite = given.problem;
  opposite.u_minus = -given.problem.u_minus;
  const ImpactOutcome projected = solve(opposite, Moreau{.e = 0});
  if (!projected.solved()) RC_DISCARD("pinched");
  if (kinetic_norm(opposite.M, projected.u_plus) < 1e-6 * kinetic_norm(opposite.M, opposite.u_minus))
    RC_DISCARD("at rest");
  given.problem.u_minus = -projected.u_plus;
  const ImpactOutcome newton = solve(given.problem, Newton{});
  RC_ASSERT(newton.solved());
  require_same_velocity(given.problem, newton, solve(given.problem, Poisson{}).u_plus);
  require_same_velocity(given.problem, newton, solve(given.problem, Moreau{}).u_plus);
}

RC_GTEST_PROP(Poisson, NeverCreatesEnergy, ()) {
  const Case given = random_case(false);
  const ImpactOutcome outcome = solve(given.problem, Poisson{});
  RC_ASSERT(outcome.solved());
  RC_ASSERT(outcome.certificate.relative.energetic <= 1e-12);
  RC_ASSERT(outcome.certificate.consistent);
}

RC_GTEST_PROP(Moreau, NeverCreatesEnergyAndKeepsItForE1, ()) {
  const Case given = random_case(true);
  const ImpactOutcome outcome = solve(given.problem, Moreau{});
  RC_ASSERT(outcome.solved());
  RC_ASSERT(outcome.certificate.relative.energetic <= 1e-12);
  RC_ASSERT(outcome.certificate.relative.complementarity <= 1e-11);
  if (given.problem.contacts[0].e == 1)
    RC_ASSERT(std::abs(outcome.energy.after - outcome.energy.before) <= 1e-11 * outcome.energy.before);
}

RC_GTEST_PROP(Newton, HasItsComplementarity, ()) {
  const Case given = random_case(false);
  const ImpactOutcome outcome = solve(given.problem, Newton{});
  if (!outcome.solved()) return;
  for (std::size_t i = 0; i < given.problem.contacts.size(); ++i) {
    const double slack = outcome.gamma_plus[i] + given.problem.contacts[i].e * outcome.gamma_minus[i];
    RC_ASSERT(outcome.Lambda[i] >= 0);
    RC_ASSERT(std::abs(slack * outcome.Lambda[i]) <= 1e-10 * (outcome.energy.before + outcome.energy.after));
    RC_ASSERT(slack >= -1e-9 * (outcome.gamma_minus.cwiseAbs().maxCoeff() + outcome.gamma_plus.cwiseAbs().maxCoeff()));
  }
}

TEST(EveryLaw, BallOnAWallKeepsOrLosesItsVelocity) {
  for (const double e : {0.0, 1.0}) {
    const ImpactProblem given = problem(MassMatrix::diagonal(vector({2})), vector({1}), vector({-3}), vector({e}));
    for_every_law(given, [&](const auto& law) {
      const ImpactOutcome outcome = solve(given, law);
      ASSERT_TRUE(outcome.solved()) << law.name;
      double returned = e;
      if constexpr (std::is_same_v<std::decay_t<decltype(law)>, Compliant>) {
        if (law.force == Compliant::Force::power) returned = 1;  // which has no e
        if (outcome.restitution) returned = outcome.restitution->obtained[0];
      }
      EXPECT_NEAR(outcome.u_plus[0], 3 * returned, 1e-8) << law.name;
      EXPECT_NEAR(outcome.Lambda[0], 6 * (1 + returned), 1e-8) << law.name;
      EXPECT_TRUE(outcome.certificate.consistent) << law.name;
    });
  }
}

TEST(EveryLaw, RefusesWhatMakesNoSense) {
  for_each_law([](auto law) {
    const ImpactProblem good = problem(MassMatrix::diagonal(vector({1})), vector({1}), vector({-1}), vector({0.5}));
    const auto refuses = [&](const char* place, auto&& change) {
      ImpactProblem bad = good;
      change(bad);
      try {
        solve(bad, suited(law, good));
        ADD_FAILURE() << law.name << " accepts a wrong " << place;
      } catch (const InputError& error) {
        EXPECT_EQ(error.place, place) << law.name;
      }
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    refuses("contacts[0].mu", [](auto& p) { p.contacts[0].mu = -0.1; });
    refuses("contacts[0].k", [](auto& p) { p.contacts[0].k = 0; });
    refuses("contacts[0].e", [&](auto& p) { p.contacts[0].e = nan; });
    refuses("u[0]", [&](auto& p) { p.u_minus[0] = nan; });
    refuses("u", [](auto& p) { p.u_minus = Vector::Zero(2); });
    refuses("contacts", [](auto& p) { p.contacts.clear(); });
    refuses("contacts[0].normal", [](auto& p) { p.W = SparseMatrix(1, 1); });
  });
}

}  // namespace
}  // namespace carom::testing
