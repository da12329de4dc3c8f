// Time steps where bodies touch: they always have an answer, and no energy comes from nowhere.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulate/box.h"
#include "simulate/running.h"
#include "simulate/step_energies.h"

namespace carom::testing {

using namespace simulate;
namespace {

std::string block(const std::string& law, double e, double height) {
  return fmt::format(R"(
    gravity = 9.81
    duration = 2
    law = "{}"
    scheme = {{name = "time-stepping", step = 0.002}}
    contact = {{e = {}}}
    [[wall]]
    name = "floor"
    shape = "plane"
    [[body]]
    name = "block"
    shape = {{type = "box", size = [0.2, 0.1, 0.1]}}
    density = 1000
    position = [0, {}])",
                     law, e, 0.05 + height);
}

TEST(ContactSteps, ABlockAtRestStaysThereUnderEveryRestitution) {
  for (const std::string law : {"newton", "poisson"})
    for (const double e : {0.0, 0.8, 1.0}) {
      const Played played = play(block(law, e, 0));
      for (const State& state : played.seen.states) EXPECT_NEAR(state.q[1], 0.05, 1e-12) << law << ", e = " << e;
      EXPECT_LE(played.summary.impacts, 1);
    }
}

TEST(ContactSteps, ABlockThatBouncesComesToRestUnderBothLaws) {
  for (const std::string law : {"newton", "poisson"}) {
    const Played played = play(block(law, 0.5, 0.05));
    EXPECT_LT(played.summary.end.u.cwiseAbs().maxCoeff(), 1e-10) << law;
    EXPECT_NEAR(played.summary.end.q[1], 0.05, 1e-4) << law;
    EXPECT_EQ(played.summary.inconsistent, 0) << law;
    EXPECT_LT(highest_energy(played), played.summary.ledger.start * (1 + 1e-12)) << law;
  }
}

TEST(ContactSteps, AFlatCubeIsConsistentInEveryStep) {
  for (const double height : {0.0, 0.2})
    for (const double mu : {0.0, 0.5}) {
      const Played played = play(fmt::format(R"(
        dimension = 3
        gravity = 9.81
        duration = 1
        law = "newton"
        scheme = {{name = "time-stepping", step = 1e-3}}
        contact = {{e = 0.3, mu = {}}}
        [[body]]
        name = "cube"
        shape = {{type = "box", size = [0.2, 0.2, 0.2]}}
        density = 1000
        position = [0, 0, {}]
        velocity = [0.5, 0, 0]
        [[wall]]
        name = "floor"
        shape = "plane")",
                                             mu, 0.1 + height));
      EXPECT_EQ(played.summary.status, RunStatus::solved);
      EXPECT_EQ(played.summary.inconsistent, 0) << "worst at " << played.summary.worst_time;
      EXPECT_LT(played.summary.gained_by_steps, 1e-3 * played.summary.ledger.start);
      EXPECT_LE(highest_energy(played), played.summary.ledger.start * (1 + 1e-12));
    }
}

TEST(ContactSteps, ElasticBouncesKeepTheirEnergyUnderBothLaws) {
  for (const std::string law : {"newton", "poisson"}) {
    const Played played = play(fmt::format(R"(
      gravity = 9.81
      duration = 5
      law = "{}"
      scheme = {{name = "time-stepping", step = 1e-3}}
      contact = {{e = 1}}
      [[body]]
      name = "ball"
      shape = {{type = "sphere", radius = 0.1}}
      mass = 1
      position = [0, 1.1]
      [[wall]]
      name = "floor"
      shape = "plane")",
                                           law));
    const Ledger& ledger = played.summary.ledger;
    EXPECT_NEAR((ledger.kinetic + ledger.potential) / ledger.start, 1, 1e-9) << law;
  }
}

TEST(ContactSteps, LossesHaveOneSignHoweverLongTheSteps) {
  for (const double step : {0.01, 0.3, 10.0})
    for (const double duration : {1.0, 3.0}) {
      const Played played = play(fmt::format(R"(
        gravity = 9.81
        duration = {}
        law = "newton"
        scheme = {{name = "time-stepping", step = {}}}
        contact = {{e = 0.8}}
        [[body]]
        name = "ball"
        shape = {{type = "sphere", radius = 0.1}}
        mass = 1
        position = [0, 1.1]
        [[wall]]
        name = "floor"
        shape = "plane")",
                                             duration, step));
      double lost = 0;
      for (const PairLoss& loss : played.summary.losses) lost += loss.dissipated;
      EXPECT_GE(lost, 0);
      EXPECT_NEAR(lost, played.summary.ledger.dissipated(), 1e-12 * played.summary.ledger.start);
      EXPECT_NEAR(played.summary.ledger.error(), 0, 1e-12 * played.summary.ledger.start);
    }
}

TEST(ContactSteps, ImpactsThatAreToldAreThoseThatAreCounted) {
  const Played played = play(block("newton", 0.5, 0.3));
  EXPECT_EQ(played.summary.impacts, static_cast<long>(played.seen.impacts.size()));
  long of_pairs = 0;
  for (const PairLoss& loss : played.summary.losses) of_pairs += loss.impacts;
  EXPECT_LE(of_pairs, played.summary.impacts) << "two corners of one block have one impact";
  EXPECT_GE(of_pairs, played.summary.impacts - played.summary.inconsistent);
  EXPECT_LT(of_pairs, played.summary.solved_problems) << "lying is no impact";
}

TEST(ContactSteps, AStateThatIsNoNumberEndsTheRunWithTimeAndBody) {
  const Played played = play(R"scene(
    duration = 2
    law = "newton"
    scheme = {name = "time-stepping", step = 0.01}
    [[body]]
    name = "rocket"
    shape = {type = "sphere", radius = 0.1}
    mass = 1e-140
    [[force]]
    body = "rocket"
    force = [0, "1e-128*exp(345*t)"]
  )scene");
  EXPECT_EQ(played.summary.status, RunStatus::not_finished);
  EXPECT_NE(played.summary.message.find("rocket"), std::string::npos) << played.summary.message;
  EXPECT_TRUE(played.summary.end.q.allFinite());
  EXPECT_TRUE(played.summary.end.u.allFinite());
}

TEST(ContactSteps, AFootedTrunkAndATableComeToRest) {
  const Played trunk = play(R"(
    dimension = 3
    gravity = 9.81
    duration = 1
    law = "newton"
    scheme = {name = "time-stepping", step = 0.001}
    contact = {e = 0.1, mu = 0.6}
    [[body]]
    name = "trunk"
    mass = 12
    shapes = [
      {type = "box", size = [0.5, 0.3, 0.12], position = [0, 0, 0]},
      {type = "sphere", radius = 0.02, position = [0.2, 0.15, -0.28]},
      {type = "sphere", radius = 0.02, position = [-0.2, 0.15, -0.28]},
      {type = "sphere", radius = 0.02, position = [-0.2, -0.15, -0.28]},
      {type = "sphere", radius = 0.02, position = [0.2, -0.15, -0.26]},
    ]
    position = [0, 0, 0.5]
    velocity = [0.5, 0, 0]
    [[wall]]
    name = "ground"
    shape = "plane")");
  EXPECT_EQ(trunk.summary.status, RunStatus::solved) << trunk.summary.message;
  EXPECT_LT(trunk.summary.ledger.kinetic, 1e-6 * trunk.summary.ledger.start);
  EXPECT_EQ(trunk.summary.inconsistent, 0);
  for (const double mu : {0.5, 0.6}) {
    const Played table = play(fmt::format(R"(
      dimension = 3
      gravity = 9.81
      duration = 1
      law = "poisson"
      scheme = {{name = "time-stepping", step = 1e-3}}
      contact = {{e = 0.3, mu = {}}}
      [[body]]
      name = "table"
      density = 600
      shapes = [
        {{type = "box", size = [1, 0.6, 0.03], position = [0, 0, 0.715]}},
        {{type = "box", size = [0.05, 0.05, 0.7], position = [0.45, 0.25, 0.35]}},
        {{type = "box", size = [0.05, 0.05, 0.7], position = [-0.45, 0.25, 0.35]}},
        {{type = "box", size = [0.05, 0.05, 0.7], position = [-0.45, -0.25, 0.35]}},
        {{type = "box", size = [0.05, 0.05, 0.7], position = [0.45, -0.25, 0.35]}},
      ]
      position = [0, 0, 0.1]
      orientation = {{axis = [1, 2, 0], angle = 3}}
      [[wall]]
      name = "floor"
      shape = "plane")",
                                          mu));
    EXPECT_EQ(table.summary.status, RunStatus::solved) << table.summary.message;
    EXPECT_LT(table.summary.ledger.kinetic, 1e-3 * table.summary.ledger.start);
    EXPECT_EQ(table.summary.inconsistent, 0);
  }
}

TEST(ContactSteps, ABoxThatFallsAskewComesToRest) {
  const Played played = play(R"(
    scheme = "time-stepping"
    gravity = 9.81
    duration = 1
    law = "newton"
    contact = {e = 0.3, mu = 0.5}
    [[wall]]
    name = "floor"
    shape = "plane"
    [[body]]
    name = "box"
    shape = {type = "box", size = [0.2, 0.1, 0.1]}
    density = 1000
    position = [0, 0.3]
    angle = 20
    velocity = [1, 0])");
  EXPECT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
  EXPECT_LT(played.summary.end.u.cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ContactSteps, DominoesFallInTurn) {
  const Played played = play(R"(
    gravity = 9.80665
    duration = 0.6
    law = "newton"
    scheme = {name = "time-stepping", step = 1e-3}
    [parameters]
    a = "0.0077/2"
    b = "0.0432/2"
    w = 12
    [[chain]]
    name = "domino"
    count = 8
    shape = {type = "box", size = ["2*a", "2*b", 0.0219]}
    density = 631
    position = [0, "b"]
    gap = 0.01386
    first = {angular_velocity = "-w", velocity = ["w*b", "w*a"]}
    [[wall]]
    name = "ground"
    shape = "plane"
    [[pair]]
    bodies = ["domino", "ground"]
    e = 0
    mu = 0.9
    [[pair]]
    bodies = ["domino", "domino"]
    e = 0.54
    mu = 0.11)");
  EXPECT_TRUE(arrived(played.summary)) << played.summary.message;
  for (int domino = 0; domino < 8; ++domino) EXPECT_LT(played.summary.end.q[3 * domino + 2], -0.5) << domino;
  EXPECT_LT(played.summary.approximations.worst_residual, 1e-3);
  EXPECT_EQ(played.summary.inconsistent, 0);
}

/// Where friction jams a rod that slides ahead of its foot, no forces exist and the velocities jump (Painleve). Just
/// before, a step has several solutions; the one near the step before leads to the jam, unless steps are long.
TEST(ContactSteps, PainlevesRodJams) {
  for (const double step : {5e-4, 2e-4, 1e-4, 5e-5}) {
    const Played played = play(fmt::format(R"(
      gravity = 10
      duration = 1
      law = "newton"
      scheme = {{name = "time-stepping", step = {}}}
      contact = {{e = 0, mu = 1.6666666666666667}}
      [[body]]
      name = "rod"
      shape = {{type = "polygon", corners = [[-1, 0], [0, -0.001], [1, 0], [0, 0.001]]}}
      mass = 1
      inertia = 0.3333333333333333
      position = [0, 'sin(31*pi/180)']
      angle = -31
      velocity = [30, 0]
      [[wall]]
      name = "floor"
      shape = "plane")",
                                           step));
    EXPECT_NEAR(played.summary.end.u[0], 6.16, 0.1) << step;
    EXPECT_EQ(played.summary.status, RunStatus::solved);
  }
}

TEST(ContactSteps, BallsThatWereDroppedWithLongStepsDoNotStayInsideEachOther) {
  const Played played = play(dropped_balls({.side = 3, .layers = 6, .duration = 0.5, .step = 1e-2}));
  EXPECT_TRUE(arrived(played.summary));
  EXPECT_LT(played.summary.deepest_penetration, 1.5e-3 * 0.02);
}

}  // namespace
}  // namespace carom::testing
