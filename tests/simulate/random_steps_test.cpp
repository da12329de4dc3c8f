// Random scenes in time steps.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "random_share.h"
#include "simulate/running.h"
#include "simulate/step_energies.h"

namespace carom::testing {

using namespace simulate;
namespace {

/// Some bodies of random shapes with random materials above a floor, at rest, thrown or spinning.
std::string random_scene(unsigned seed, double step) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const auto one_of = [&](auto... words) {
    const std::array<std::string, sizeof...(words)> all{words...};
    return all[random() % all.size()];
  };
  const bool space = random() % 2 == 0;
  std::string scene = fmt::format(R"(
    dimension = {}
    gravity = 9.81
    duration = 0.6
    law = "{}"
    scheme = {{name = "time-stepping", step = {}}}
    contact = {{e = {:.3f}, mu = {:.3f}}}
    [[wall]]
    name = "floor"
    shape = "plane"
  )",
                                  space ? 3 : 2, one_of("newton", "poisson"), step,
                                  random() % 3 == 0 ? 0.0 : between(0, 1), random() % 4 == 0 ? 0.0 : between(0, 1.2));
  const int bodies = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < bodies; ++i) {
    const double size = between(0.05, 0.12);
    const std::string shape =
        space ? one_of(fmt::format(R"({{type = "box", size = [{0}, {1}, {0}]}})", size, 1.5 * size),
                       fmt::format(R"({{type = "sphere", radius = {}}})", 0.5 * size),
                       fmt::format(R"({{type = "capsule", radius = {}, length = {}}})", 0.4 * size, size))
              : one_of(fmt::format(R"({{type = "box", size = [{}, {}, 0.1]}})", size, 1.5 * size),
                       fmt::format(R"({{type = "disc", radius = {}}})", 0.5 * size));
    const double height = 0.15 + 0.25 * i, aside = between(-0.02, 0.02), v = between(-1, 1), w = between(-8, 8);
    scene += space ? fmt::format(R"(
      [[body]]
      name = "body {}"
      shape = {}
      density = 1000
      position = [{}, 0, {}]
      velocity = [{}, {}, 0]
      angular_velocity = [{}, 1, {}])",
                                 i, shape, aside, height, v, 0.3 * v, w, -w)
                   : fmt::format(R"(
      [[body]]
      name = "body {}"
      shape = {}
      density = 1000
      position = [{}, {}]
      angle = {}
      velocity = [{}, 0]
      angular_velocity = {})",
                                 i, shape, aside, height, between(-60, 60), v, w);
  }
  return scene;
}

TEST(ContactSteps, RandomScenesArriveAndGainNoEnergyThatDoesNotVanishWithTheStep) {
  const unsigned scenes = static_cast<unsigned>(share_of(40));
  long approximate = 0;
  for (unsigned seed = 0; seed < scenes; ++seed) {
    double before = 0;
    for (const double step : {2e-3, 5e-4}) {
      const Played played = play(random_scene(seed, step));
      const RunSummary& summary = played.summary;
      ASSERT_TRUE(arrived(summary)) << "seed " << seed << ": " << summary.message;
      const double gain = std::max(0.0, highest_energy(played) / summary.ledger.start - 1);
      EXPECT_LT(gain, 20 * step) << "seed " << seed << ", step " << step;
      if (before > 1e-6) {
        EXPECT_LT(gain, before) << "seed " << seed;
      }
      before = gain;
      approximate += summary.status == RunStatus::approximate;
      EXPECT_LT(summary.approximations.worst_residual, 1e-3) << "seed " << seed << ", step " << step;
      for (int body = 0; body < static_cast<int>(played.model.bodies().size()); ++body)
        if (const Index q = played.model.first_position(body); q >= 0) {
          EXPECT_GT(summary.end.q[q + (played.model.dimension() == Dimension::space ? 2 : 1)], 0.01)
              << "seed " << seed << ": fallen through the floor";
        }
    }
  }
  EXPECT_LE(approximate, static_cast<long>(scenes) / 10 + 1);
}

}  // namespace
}  // namespace carom::testing
