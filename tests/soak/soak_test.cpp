// A small share of ./check soak: ordinary scenes drawn at random arrive with a sane answer.

#include <gtest/gtest.h>

#include "judge.h"

namespace carom::soak {
namespace {

class RandomScenes : public ::testing::TestWithParam<int> {};

TEST_P(RandomScenes, ArriveFiniteWithoutOverlapAndWithoutEnergyFromNowhere) {
  const RandomScene scene = random_scene(static_cast<std::uint64_t>(GetParam()));
  const Judged judged = run_and_measure(scene);
  EXPECT_EQ(fault_of(scene, judged), "") << scene.toml;
}

// Every kind of scene, most of them by both schemes; short ones, and some in which contacts are hard to keep.
INSTANTIATE_TEST_SUITE_P(Soak, RandomScenes,
                         ::testing::Values(1, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16, 17, 18, 19, 20, 21, 26, 29, 30, 34,
                                           35, 39, 41, 42, 46, 51, 54, 55, 56, 60, 66, 68, 81, 89, 102, 119, 121, 141,
                                           156));

TEST(Judge, SeesAnOverlapByItself) {  // one that time steps leave alone, as if events had led to it
  RandomScene scene;
  scene.scheme = "event-driven";
  scene.toml = R"(
    duration = 1
    law = "newton"
    scheme = "time-stepping"
    [[body]]
    name = "disc"
    shape = {type = "disc", radius = 1}
    mass = 1
    position = [0, 0.9995]
    [[wall]]
    name = "floor"
    shape = "plane")";
  const Judged judged = run_and_measure(scene);
  EXPECT_NEAR(judged.penetration, 5e-4, 1e-12);
  EXPECT_TRUE(fault_of(scene, judged).starts_with("penetration of 0.0005 sizes: disc in floor"));
}

TEST(RandomScene, IsNeverRefused) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) EXPECT_NO_THROW(require_accepted(random_scene(seed))) << seed;
}

TEST(RandomScene, IsTheSameForTheSameSeedAndDiffersForOthers) {
  EXPECT_EQ(random_scene(7).toml, random_scene(7).toml);
  EXPECT_NE(random_scene(7).toml, random_scene(29).toml);  // of the same kind
}

}  // namespace
}  // namespace carom::soak
