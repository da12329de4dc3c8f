// What must be true of every contact force.

#include <cmath>

#include "carom/forces/rolling.h"
#include "support.h"

namespace carom::testing {
namespace {

using namespace forces;

/// A force of each kind with loss, touched at speed 0.7 with mass 2; on its unloading curve too, where it has one.
template <class Check>
void for_every_curve(Check&& check) {
  for_each_force<Normal>([&]<class F>(const F&) {
    SCOPED_TRACE(F::name);
    for (const double flexibility : {0.0, 0.3}) {
      const F force(Contact{.e = 0.6, .k = 3, .eta = 1.4, .flexibility = flexibility});
      const Memory touched = force.touch(0.7, 2);
      check(force, touched);
      if (F::remembers) check(force, force.turn(0.9, touched));
    }
  });
}

TEST(EveryForce, HasTheSlopesThatDifferencesGive) {
  for_every_curve([](const auto& force, const Memory& memory) {
    const double h = 1e-6, floor = force.floor(memory);
    for (const double d : {floor + 0.03, floor + 0.2})
      for (const double rate : {-0.2, 0.0, 0.5}) {
        const auto difference = [&](auto&& f) { return (f(h) - f(-h)) / (2 * h); };
        EXPECT_NEAR(force.slope(d, rate, memory), difference([&](double x) { return force.law(d + x, rate, memory); }),
                    1e-6);
        EXPECT_NEAR(force.damping(d, memory), difference([&](double x) { return force.law(d, rate + x, memory); }),
                    1e-6);
        EXPECT_NEAR(force.stiffness(d, memory), difference([&](double x) { return force.elastic(d + x, memory); }),
                    1e-6);
        EXPECT_NEAR(force.stiffening(d, memory) * force.stiffness(d, memory),
                    difference([&](double x) { return force.stiffness(d + x, memory); }), 1e-4);
        // A loading curve that dents gives back only e^2 of what it takes.
        const bool dents = std::decay_t<decltype(force)>::remembers && memory.loading;
        EXPECT_NEAR(force.elastic(d, memory) * (dents ? 0.36 : 1),
                    difference([&](double x) { return force.stored(d + x, memory); }), 1e-6);
      }
  });
}

TEST(EveryForce, IsContinuousWhereItTurnsAndNeverPullsUnlessItMay) {
  for_every_curve([](const auto& given, const Memory& memory) {
    const Memory turned = given.turn(0.9, memory);
    EXPECT_NEAR(given.law(0.9, 0, memory), given.law(0.9, 0, turned), 1e-14);
    EXPECT_NEAR(given.stored(0.9, memory), given.stored(0.9, turned), 1e-14);
    for (double d = -0.5; d < 1; d += 0.05)
      for (double rate = -3; rate < 3; rate += 0.5) EXPECT_TRUE(given.may_pull() || force(given, d, rate, memory) >= 0);
  });
}

TEST(EveryForce, KnowsTheEnergyOfAnIndentation) {
  for_every_curve([](const auto& force, const Memory&) {
    const double d = force.indentation(0.3);
    Memory loading;
    double work = 0;
    constexpr int kPieces = 20000;
    for (int i = 0; i < kPieces; ++i) work += force.elastic((i + 0.5) / kPieces * d, loading) * d / kPieces;
    EXPECT_NEAR(work, 0.3, 1e-6);
  });
}

ImpactProblem ball_on_wall(const Contact& contact, double mass, double speed) {
  ImpactProblem result = problem(MassMatrix::diagonal(vector({mass})), vector({1}), vector({-speed}), vector({0}));
  result.contacts = {contact};
  result.contacts[0].name = "wall";
  return result;
}

template <class F>
constexpr bool kReturnsWhatIsAsked = !std::is_same_v<F, PowerLaw> && !std::is_same_v<F, HuntCrossley> &&
                                     !std::is_same_v<F, LankaraniNikravesh> && !std::is_same_v<F, LeeWang>;

TEST(EveryForce, ReturnsTheRestitutionThatItKnowsAndWhereItCanTheOneAskedFor) {
  std::size_t index = 0;
  for_each_force<Normal>([&]<class F>(const F&) {
    Compliant law{.force = static_cast<Compliant::Force>(index++)};
    for (const auto end : {SpringDashpot::End::force, SpringDashpot::End::indentation})
      for (const double e : {0.2, 0.35, 0.5, 0.75, 0.9, 1.0})
        for (const double eta : {1.0, 1.5, 2.2}) {
          SCOPED_TRACE(std::string(F::name) + " e = " + std::to_string(e) + " eta = " + std::to_string(eta));
          law.end = end;
          const ImpactOutcome outcome = solve(ball_on_wall({.e = e, .k = 7e4, .eta = eta}, 0.3, 2.5), law);
          ASSERT_TRUE(outcome.solved());
          if (!outcome.restitution) continue;  // power, which has none
          EXPECT_NEAR(outcome.u_plus[0] / 2.5, outcome.restitution->obtained[0], 2e-9);
          EXPECT_EQ(*outcome.restitution->asked[0], e);
          if (kReturnsWhatIsAsked<F>) {
            EXPECT_NEAR(outcome.u_plus[0] / 2.5, e, 2e-9);
          }
          EXPECT_TRUE(outcome.certificate.consistent);
          EXPECT_NEAR(outcome.losses->damping[0] + outcome.losses->loops[0], outcome.energy.dissipated(),
                      1e-8 * outcome.energy.before);
        }
  });
}

TEST(EveryForce, SaysWhatItCannotDo) {
  const auto refused = [](Compliant law, const Contact& contact) -> std::string {
    try {
      solve(ball_on_wall(contact, 1, 1), law);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const Compliant dashpot{.force = Compliant::Force::spring_dashpot};
  const Compliant pulling{.force = Compliant::Force::spring_dashpot, .end = SpringDashpot::End::indentation};
  EXPECT_EQ(refused(dashpot, {.e = 0}),
            "contacts[0].e: 0 needs infinite damping; spring-dashpot takes e in (0, 1], or the damping c");
  EXPECT_EQ(refused({.force = Compliant::Force::exact}, {.e = 0}),
            "contacts[0].e: 0 needs infinite damping; exact takes e in (0, 1], or the damping c");
  EXPECT_NE(refused(pulling, {.k = 4, .c = 4.0}).find("contacts[0].c: 4 is not below 2 sqrt(k m) = 4"),
            std::string::npos);
  EXPECT_EQ(refused(pulling, {.k = 4, .c = 3.9}), "");
  EXPECT_EQ(refused(dashpot, {.k = 4, .c = 40.0}), "");
  EXPECT_EQ(refused(dashpot, {.c = -1.0}), "contacts[0].c: -1 is negative; damping is >= 0");
  EXPECT_NE(refused({.force = Compliant::Force::lee_wang}, {.e = 1.2}).find("outside [0, 1]"), std::string::npos);
  ImpactProblem resting = ball_on_wall({.e = 0.5, .E0 = 1}, 1, 0);
  EXPECT_THROW(solve(resting, Compliant{.force = Compliant::Force::hunt_crossley}), InputError);
  resting.contacts[0].c = 0.1;
  EXPECT_TRUE(solve(resting, Compliant{.force = Compliant::Force::hunt_crossley}).solved());
}

TEST(RollingResistance, HoldsUpToItsLimitAndUnloadsElastically) {
  const RollingResistance rolling{.mu_r = 0.1, .radius = 0.5, .k_r = 20};
  EXPECT_DOUBLE_EQ(rolling.most(8), 0.4);
  double moment = rolling.after(0, 0.01, 8);
  EXPECT_DOUBLE_EQ(moment, -0.2);
  moment = rolling.after(moment, 0.05, 8);
  EXPECT_DOUBLE_EQ(moment, -0.4) << "cut";
  EXPECT_DOUBLE_EQ(rolling.after(moment, -0.02, 8), 0) << "unloads along the spring";
  EXPECT_DOUBLE_EQ(rolling.after(moment, 0, 4), -0.2) << "a weaker contact holds less";
  EXPECT_DOUBLE_EQ(rolling.after(moment, 0, -1), 0);
  EXPECT_DOUBLE_EQ(rolling.stored(0.4), 0.004);
}

}  // namespace
}  // namespace carom::testing
