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

INSTANTIATE_TEST_SUITE_P(Soak, RandomScenes, ::testing::Range(1, 41));

TEST(RandomScene, IsNeverRefused) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) EXPECT_NO_THROW(require_accepted(random_scene(seed))) << seed;
}

TEST(RandomScene, IsTheSameForTheSameSeedAndDiffersForOthers) {
  EXPECT_EQ(random_scene(7).toml, random_scene(7).toml);
  EXPECT_NE(random_scene(7).toml, random_scene(29).toml);  // of the same kind
}

}  // namespace
}  // namespace carom::soak
