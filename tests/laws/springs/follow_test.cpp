// An impact that is followed, against closed forms of one ball on a wall.

#include "carom/laws/springs/follow.h"

#include <numbers>

#include "support.h"

namespace carom::springs {
namespace {

using testing::vector;

/// A ball of mass 2 that hits a wall at 3 m/s, with a tangent or without.
struct Wall {
  explicit Wall(const Contact& contact, double slip = 0)
      : impact(ball_on_wall(contact, slip)), contacts(reduce(impact)), normal(contacts) {}

  static ImpactProblem ball_on_wall(const Contact& contact, double slip) {
    ImpactProblem result;
    result.M = MassMatrix::diagonal(vector({2, 2}));
    Matrix W(2, 1 + contact.tangents);
    W.col(0) << 1, 0;
    if (contact.tangents > 0) W.col(1) << 0, 1;
    result.W = W.sparseView();
    result.u_minus = vector({-3, slip});
    result.contacts = {contact};
    return result;
  }

  template <class F>
  Result follow(long most_steps = 10000) const {
    return springs::follow({.problem = contacts,
                            .normal = normal,
                            .force = [](const Contact& contact) -> Force { return F(contact); },
                            .tolerance = 1e-10,
                            .most_steps = most_steps});
  }

  ImpactProblem impact;
  ContactProblem contacts;
  NormalProblem normal;
};

constexpr double kHalfPeriod = std::numbers::pi / 2;  // of mass 2 on k = 8

TEST(Follow, ALinearSpringTakesHalfAPeriod) {
  const Result end = Wall({.k = 8, .eta = 1}).follow<ElasticGap>();
  EXPECT_EQ(end.status, Status::solved);
  EXPECT_NEAR(end.duration(), kHalfPeriod, 1e-9);
  EXPECT_NEAR(end.Lambda[0], 12, 1e-9);
  EXPECT_NEAR(end.contacts[0].peak, 3 * std::sqrt(2 * 8), 1e-8);
  EXPECT_NEAR(end.contacts[0].peak_time, kHalfPeriod / 2, 1e-8);
}

TEST(Follow, TwoStiffnessesUnloadInETimesTheTime) {
  for (const double e : {0.2, 0.5, 0.9}) {
    const Result end = Wall({.e = e, .k = 8, .eta = 1}).follow<BiStiffness>();
    EXPECT_NEAR(end.duration(), kHalfPeriod * (1 + e) / 2, 1e-8);
    EXPECT_NEAR(end.gamma[0], 3 * e, 1e-8);
    EXPECT_NEAR(end.contacts[0].dissipated, 9 * (1 - e * e), 1e-7);
  }
}

TEST(Follow, OneStiffnessLetsGoWhereItsEnergyIsSpent) {
  for (const double e : {0.2, 0.5, 0.9}) {
    const Result end = Wall({.e = e, .k = 8, .eta = 1}).follow<MonoStiffness>();
    EXPECT_NEAR(end.duration(), kHalfPeriod * (0.5 + std::asin(e) / std::numbers::pi), 1e-8);
    EXPECT_NEAR(end.gamma[0], 3 * e, 1e-8);
  }
}

TEST(Follow, FrictionTakesItsShareWhileTheNormalImpulseRuns) {
  const Contact rough = {.tangents = 1, .e = 0.5, .mu = 0.3, .k = 8, .eta = 1};
  const Result slides = Wall(rough, 5).follow<BiStiffness>();
  EXPECT_NEAR(slides.Lambda[0], 9, 1e-8);
  EXPECT_NEAR(slides.Lambda[1], -0.3 * 9, 1e-8);
  const Result sticks = Wall(rough, 0.5).follow<BiStiffness>();
  EXPECT_NEAR(sticks.gamma[1], 0, 1e-9);
  EXPECT_NEAR(sticks.friction[0], 0.25, 1e-8) << "all of its kinetic energy";
}

/// With mu = 0 nothing rubs: the method with friction agrees with that without.
TEST(Follow, BothMethodsAgreeWhereNothingRubs) {
  const Contact barely = {.tangents = 1, .e = 0.5, .mu = 1e-300, .k = 8, .eta = 1.5};
  Contact smooth = barely;
  smooth.mu = 0;
  const Result with = Wall(barely, 1).follow<BiStiffness>(), without = Wall(smooth, 1).follow<BiStiffness>();
  EXPECT_NEAR(with.gamma[0], without.gamma[0], 1e-9);
  EXPECT_NEAR(with.duration(), without.duration(), 1e-8);
}

TEST(Follow, WithoutStepsThereIsNoEnd) {
  const Result end = Wall({.e = 0.5, .k = 8, .eta = 1.5}).follow<BiStiffness>(2);
  EXPECT_EQ(end.status, Status::iteration_limit);
}

TEST(Follow, WhatDoesNotCloseIsAtItsEnd) {
  ImpactProblem leaving =
      testing::problem(MassMatrix::diagonal(vector({1})), Matrix::Ones(1, 1), vector({2}), vector({1}));
  const ContactProblem contacts = reduce(leaving);
  const NormalProblem normal(contacts);
  const Result end = follow({.problem = contacts, .normal = normal, .force = [](const Contact& contact) -> Force {
                               return ElasticGap(contact);
                             }});
  EXPECT_EQ(end.status, Status::solved);
  EXPECT_EQ(end.Lambda, Vector::Zero(1));
}

}  // namespace
}  // namespace carom::springs
