// An impact of contacts that have a law of their own is handed on with that law.

#include <gtest/gtest.h>

#include "carom/app/compare.h"
#include "carom/app/scene_impact.h"
#include "support.h"

namespace carom::testing {
namespace {

const std::string kRockingScene = std::string(CAROM_SOURCE_DIR) + "/scenes/rocking_block_housner.toml";

TEST(SetImpact, IsSolvedWithTheMatrixOfItsContacts) {
  const app::ReadyScene ready =
      app::read_scene(kRockingScene, {.law = {}, .settings = {"duration=0.5", "law.set[0].r=-0.8"}});
  const app::SceneImpact found = app::impact_of(ready, {.number = 2});
  ASSERT_TRUE(found.file.law);
  EXPECT_EQ(name_of(*found.file.law), "generalized-kinematic");
  const ImpactOutcome outcome = solve(found.file.problem, *found.file.law);
  EXPECT_NEAR(outcome.u_plus[2] / found.file.problem.u_minus[2], 0.8, 1e-9);
  EXPECT_TRUE(outcome.certificate.consistent);
}

TEST(SetImpact, SetsBelongToTheLawOfTheScene) {
  const app::ReadyScene ready =
      app::read_scene(kRockingScene, {.law = {}, .settings = {"duration=0.3", "law.set[0].r=-0.8"}});
  const app::ComparedRuns both = app::compare_runs(ready, {"newton", "poisson"}, "");
  ASSERT_EQ(both.runs.size(), 2U);
  const auto spin = [&](std::size_t i) { return std::abs(both.runs[i].summary.end.u[2]); };
  EXPECT_GT(std::abs(spin(0) - spin(1)), 1e-3) << "poisson has no sets: the block rocks with e = 0";
}

}  // namespace
}  // namespace carom::testing
