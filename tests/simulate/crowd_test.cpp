// Steps of many contacts, which are solved by sweeps to the accuracy of crowds.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "carom/simulate/crowd_answer.h"
#include "random_share.h"
#include "simulate/box.h"
#include "simulate/running.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kSlop = 1e-3;  // of a ball's radius: how deep contacts may be

std::string pile(int side, int layers, double duration) {
  return dropped_balls({.side = side, .layers = layers, .duration = duration, .mu = 0.3});
}

/// Discs on top of each other between two walls, in the plane: their centres in units of `length`, in any order. All of
/// it moves along at `along`.
std::string discs(const std::vector<std::pair<double, double>>& centres, double width, double length, double duration,
                  double along = 0) {
  std::string scene = fmt::format(R"(
    gravity = {0}
    duration = {1}
    law = "newton"
    contact = {{mu = 0.3}}
    scheme = {{name = "time-stepping", step = 2e-3}}
    [[wall]]
    name = "floor"
    shape = "plane"
    velocity = [{3}, 0]
    [[wall]]
    name = "left"
    shape = {{type = "plane", normal = [1, 0]}}
    velocity = [{3}, 0]
    [[wall]]
    name = "right"
    shape = {{type = "plane", normal = [-1, 0]}}
    position = [{2}, 0]
    velocity = [{3}, 0]
    )",
                                  9.81 * length, duration, width * length, along);
  for (std::size_t i = 0; i < centres.size(); ++i)
    scene += fmt::format(R"(
    [[body]]
    name = "disc {}"
    shape = {{type = "disc", radius = {}}}
    mass = 0.01
    position = [{}, {}]
    velocity = [{}, 0]
    )",
                         i, 0.02 * length, centres[i].first * length, centres[i].second * length, along);
  return scene;
}

std::vector<std::pair<double, double>> shaken_grid(int columns, int rows) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> shake(-4e-4, 4e-4);
  std::vector<std::pair<double, double>> centres;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i)
      centres.emplace_back(0.03 + 0.041 * i + shake(random), 0.021 + 0.041 * j + shake(random));
  return centres;
}

TEST(Crowd, AsksLessOfManyContactsUnlessTold) {
  EXPECT_EQ(accuracy_for(TimeStepping{}, Dimension::space, 100), 1e-6);
  EXPECT_EQ(accuracy_for(TimeStepping{}, Dimension::space, 101), 1e-3);
  EXPECT_EQ(accuracy_for(TimeStepping{}, Dimension::plane, 150), 1e-6);
  EXPECT_EQ(accuracy_for(TimeStepping{}, Dimension::plane, 151), 1e-3);
  EXPECT_EQ(accuracy_for(TimeStepping{.accuracy = 1e-4}, Dimension::space, 1000), 1e-4);
  EXPECT_EQ(accuracy_for(TimeStepping{.accuracy = 0}, Dimension::space, 1000), 0);
}

TEST(Crowd, APileRestsAsWithMoreDigits) {
  const RunSummary swept = play(pile(4, 4, 1.5)).summary;
  const RunSummary exact = play(pile(4, 4, 1.5), {"scheme.accuracy=1e-6"}).summary;
  EXPECT_EQ(swept.status, RunStatus::solved);
  EXPECT_LE(swept.deepest_penetration, 1.01 * kSlop * 0.02);
  EXPECT_LT(swept.ledger.kinetic, 1e-4 * swept.ledger.start);
  EXPECT_NEAR(swept.ledger.potential, exact.ledger.potential, 0.05 * exact.ledger.potential)
      << "which places the balls find is a matter of chance";
  EXPECT_LT(std::abs(swept.ledger.error()), 1e-12 * swept.ledger.start);
}

/// What impacts of a run tell of, beside all that took part.
struct Told : Observer {
  long impacts = 0, contacts = 0, all_contacts = 0, bodies = 0, all_bodies = 0;

  void impact(const Model&, const ImpactEvent& event) override {
    ++impacts;
    contacts += static_cast<long>(event.told_contacts().size());
    all_contacts += static_cast<long>(event.pairs.size());
    for (const std::size_t i : event.told_bodies()) EXPECT_LT(i, event.bodies.size());
    for (const std::size_t i : event.began) EXPECT_GT(event.outcome->Lambda[event.outcome->row[i]], 0);
    bodies += static_cast<long>(event.told_bodies().size());
    all_bodies += static_cast<long>(event.bodies.size());
  }
};

TEST(Crowd, ItsImpactsTellOfTheContactsThatBegan) {
  const scene::Scene scene = scene::parse_scene(pile(5, 5, 0.4), "test.toml");
  const Model model(scene.description);
  Told told;
  const RunSummary summary = run(model, model.state(scene.placement), scene.scheme, scene.law, {.duration = 0.4}, told);
  EXPECT_EQ(told.impacts, summary.impacts);
  EXPECT_GT(told.contacts, told.impacts);  // some close together
  EXPECT_LT(told.contacts, told.all_contacts / 3);
  EXPECT_LE(told.bodies, 2 * told.contacts);
  EXPECT_LT(told.bodies, told.all_bodies);
}

TEST(Crowd, DoesNotKnowTheOrderOfBodies) {
  std::vector<std::pair<double, double>> centres = shaken_grid(10, 8);
  std::vector<std::size_t> order(centres.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  std::vector<std::pair<double, double>> other;
  for (const std::size_t i : order) other.push_back(centres[i]);
  const RunSummary one = play(discs(centres, 0.44, 1, 0.1)).summary, two = play(discs(other, 0.44, 1, 0.1)).summary;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (Index k = 0; k < 3; ++k)
      EXPECT_NEAR(two.end.q[3 * static_cast<Index>(i) + k], one.end.q[3 * static_cast<Index>(order[i]) + k], 1e-7);
}

TEST(Crowd, DoesNotKnowUnits) {
  const std::vector<std::pair<double, double>> centres = shaken_grid(10, 8);
  const RunSummary metres = play(discs(centres, 0.44, 1, 0.1)).summary;
  const RunSummary millimetres = play(discs(centres, 0.44, 1000, 0.1)).summary;
  for (Index i = 0; i < metres.end.q.size(); ++i)
    EXPECT_NEAR(millimetres.end.q[i], metres.end.q[i] * (i % 3 == 2 ? 1 : 1000), i % 3 == 2 ? 1e-5 : 1e-4);
}

/// Accuracy is relative to how contacts move, not to where everything goes.
TEST(Crowd, DoesNotKnowWhetherAllOfItMoves) {
  constexpr double kAlong = 100, kDuration = 0.1;
  const std::vector<std::pair<double, double>> centres = shaken_grid(10, 8);
  const RunSummary still = play(discs(centres, 0.44, 1, kDuration)).summary;
  const RunSummary moving = play(discs(centres, 0.44, 1, kDuration, kAlong)).summary;
  EXPECT_EQ(moving.inconsistent, 0);
  for (Index i = 0; i < still.end.q.size(); ++i)
    EXPECT_NEAR(moving.end.q[i] - (i % 3 == 0 ? kAlong * kDuration : 0), still.end.q[i], 1e-6);
}

/// Walls that go past each other drag grains along: contacts slip at the speed of the walls and close at a hundredth of
/// it.
TEST(Crowd, WhatSlipsFastDoesNotPenetrateSlowly) {
  const RunSummary sheared = play(fmt::format(R"(
    duration = {}
    law = "newton"
    periodic = [0.5, 0]
    contact = {{mu = 0.5}}
    scheme = {{name = "time-stepping", step = 1e-3}}
    [[grid]]
    name = "g"
    count = [24, 12]
    spacing = 0.0208
    position = [0.0104, 0.0125]
    shape = {{type = "disc", radius = 0.01}}
    density = 2000
    jitter = 0.0004
    speed = 0.02
    seed = 4
    [[wall]]
    name = "low"
    shape = {{type = "plane", normal = [0, 1]}}
    velocity = [-0.2, 0]
    [[wall]]
    name = "high"
    shape = {{type = "plane", normal = [0, -1]}}
    position = [0, 0.27]
    motion = {{x = "0.2*t", y = "-0.005*t"}}
    )",
                                              2.6 * share_of(100) / 100))
                                 .summary;
  EXPECT_EQ(sheared.status, RunStatus::solved);
  EXPECT_LE(static_cast<double>(sheared.inconsistent), 5e-3 * static_cast<double>(sheared.solved_problems));
  EXPECT_LE(sheared.worst.kinematic, 1);
}

TEST(Crowd, APyramidThatRestsStaysSymmetric) {
  constexpr int kRows = 11;
  constexpr double kSpacing = 0.0401, kMiddle = 0.5 * kRows * kSpacing;
  std::vector<std::pair<double, double>> centres;
  for (int row = 0; row < kRows; ++row)
    for (int i = 0; i < kRows - row; ++i)
      centres.emplace_back(kSpacing * (i - 0.5 * (kRows - 1 - row)) + kMiddle, 0.02 + 0.035 * row);
  const RunSummary summary = play(discs(centres, 2 * kMiddle, 1, 0.2)).summary;
  const double slip = 1e-3 * 9.81 * 2e-3 * 0.2;  // [m] what the accuracy asked leaves of a step, over all steps
  std::size_t first = 0;
  for (int row = 0; row < kRows; ++row) {
    const int count = kRows - row;
    for (int i = 0; i < count; ++i) {
      const Index left = 3 * static_cast<Index>(first) + 3 * i,
                  right = 3 * static_cast<Index>(first) + 3 * (count - 1 - i);
      EXPECT_NEAR(summary.end.q[left] - kMiddle, kMiddle - summary.end.q[right], 30 * slip);
      EXPECT_NEAR(summary.end.q[left + 1], summary.end.q[right + 1], 30 * slip);
    }
    first += static_cast<std::size_t>(count);
  }
}

TEST(Crowd, AHeavyBlockOnLightBallsIsCarried) {
  const Played played = play(R"(
    dimension = 3
    gravity = 9.81
    duration = 0.2
    law = "newton"
    contact = {mu = 0.3}
    scheme = {name = "time-stepping", step = 2e-3}
    [[grid]]
    name = "ball"
    count = [6, 6, 2]
    spacing = [0.0402, 0.0402, 0.04]
    shape = {type = "sphere", radius = 0.02}
    mass = 0.0335
    position = [0.0201, 0.0201, 0.02]
    [[body]]
    name = "block"
    shape = {type = "box", size = [0.24, 0.24, 0.1]}
    mass = 33.5
    position = [0.1206, 0.1206, 0.13]
    [[wall]]
    name = "box"
    shapes = [
      {type = "plane", normal = [0, 0, 1]},
      {type = "plane", normal = [1, 0, 0]},
      {type = "plane", normal = [-1, 0, 0], position = [0.2412, 0, 0]},
      {type = "plane", normal = [0, 1, 0]},
      {type = "plane", normal = [0, -1, 0], position = [0, 0.2412, 0]},
    ])");
  int number = 0;
  while (played.model.body_name(number) != "block") ++number;
  const Index block = played.model.first_position(number);
  EXPECT_EQ(played.summary.status, RunStatus::solved);
  EXPECT_NEAR(played.summary.end.q[block + 2], 0.13, 1e-3);
  EXPECT_LE(played.summary.deepest_penetration, 1.01 * kSlop * 0.02);
}

TEST(Crowd, ABallThousandTimesAsHeavyArrivesOnAPile) {
  const RunSummary summary = play(pile(8, 4, 0.2) + R"(
    [[body]]
    name = "heavy"
    shape = {type = "sphere", radius = 0.04}
    density = 125000
    position = [0.17, 0.17, 0.24])")
                                 .summary;
  EXPECT_TRUE(summary.status == RunStatus::solved || summary.approximations.worst_residual > 0) << summary.message;
  EXPECT_LE(summary.deepest_penetration, 1.01 * kSlop * 0.02);
  EXPECT_LE(std::abs(summary.ledger.error()), 1e-12 * summary.ledger.start);
}

TEST(Crowd, AnyNumberOfThreadsMakesTheSameRun) {
  const scene::Scene scene = scene::parse_scene(pile(10, 4, 0.12), "test.toml");
  const Model model(scene.description);
  std::vector<RunSummary> runs;
  for (const int threads : {1, 2, 4}) {
    NoObserver nobody;
    RunOptions options{.duration = scene.duration, .interval = scene.duration};
    options.threads = threads;
    runs.push_back(run(model, model.state(scene.placement), scene.scheme, scene.law, options, nobody));
  }
  for (const RunSummary& one : runs) {
    EXPECT_EQ(one.end.q, runs.front().end.q);
    EXPECT_EQ(one.end.u, runs.front().end.u);
    EXPECT_EQ(one.ledger.error(), runs.front().ledger.error());
  }
}

TEST(Crowd, MakesTheSameRunEveryTime) {
  const RunSummary one = play(pile(4, 4, 0.3)).summary, two = play(pile(4, 4, 0.3)).summary;
  EXPECT_EQ(one.end.q, two.end.q);
  EXPECT_EQ(one.end.u, two.end.u);
}

}  // namespace
}  // namespace carom::testing
