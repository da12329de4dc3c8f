// Every scene of scenes/ is read, is explained, and starts without overlaps and with joints that are closed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "carom/geometry/contact_points.h"
#include "carom/scene/scene.h"
#include "random_share.h"

namespace carom::scene {
namespace {

std::vector<std::string> scene_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(CAROM_SOURCE_DIR) + "/scenes"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

class SceneFile : public ::testing::TestWithParam<std::string> {};

/// Bodies that share a joint do not touch.
bool passes_through(const Scene& scene, int a, int b) {
  for (const Joint& joint : scene.description.joints)
    if ((joint.a.body == a && joint.b.body == b) || (joint.a.body == b && joint.b.body == a)) return true;
  for (const PairRule& rule : scene.description.pairs)
    if (rule.between == PairRule::Between::bodies && rule.touches == false &&
        ((rule.a == a && rule.b == b) || (rule.a == b && rule.b == a)))
      return true;
  return false;
}

TEST_P(SceneFile, IsReadAndExplained) {
  const Scene scene = read_scene(GetParam());
  EXPECT_FALSE(scene.title.empty());
  EXPECT_FALSE(scene.about.empty());
  EXPECT_EQ(scene.placement.poses.size(), scene.description.bodies.size());
}

TEST_P(SceneFile, StartsWithoutOverlaps) {
  const Scene scene = read_scene(GetParam());
  const std::vector<Body>& bodies = scene.description.bodies;
  for (std::size_t a = 0; a < bodies.size(); ++a)
    for (std::size_t b = a + 1; b < bodies.size(); ++b) {
      if (!bodies[a].is_free() && !bodies[b].is_free()) continue;
      if (passes_through(scene, static_cast<int>(a), static_cast<int>(b))) continue;
      for (const geometry::Part& p : bodies[a].parts)
        for (const geometry::Part& q : bodies[b].parts)
          EXPECT_GE(geometry::nearest_points(p.shape, scene.placement.poses[a] * p.pose, q.shape,
                                             scene.placement.poses[b] * q.pose, scene.description.dimension)
                        .gap,
                    -1e-9)
              << bodies[a].name << " and " << bodies[b].name;
    }
}

TEST_P(SceneFile, StartsWithClosedJoints) {
  const Scene scene = read_scene(GetParam());
  const auto place = [&](const Anchor& anchor) -> Vector3 {
    return anchor.body < 0 ? anchor.point : scene.placement.poses[anchor.body].to_world(anchor.point);
  };
  for (const Joint& joint : scene.description.joints)
    EXPECT_NEAR((place(joint.a) - place(joint.b)).norm(), joint.kind == Joint::Kind::distance ? joint.length : 0,
                1e-12);
}

constexpr std::size_t kSomeBodies = 10;

TEST_P(SceneFile, MovesWithBalancedBooks) {
  const Scene scene = read_scene(GetParam());
  const Model model(scene.description);
  const State start = model.state(scene.placement);
  const bool slow = carom::testing::share_of(100) < 100;
  Observer nobody;
  const double duration = std::min(scene.duration, slow && model.bodies().size() > kSomeBodies ? 0.05 : 0.3);
  const RunSummary summary = run(model, start, scene.scheme, scene.law, {duration, duration}, nobody);
  EXPECT_EQ(summary.status, RunStatus::solved) << summary.message;
  EXPECT_DOUBLE_EQ(summary.t_end, duration);
  const double energy =
      std::max({std::abs(summary.ledger.start), summary.ledger.kinetic, std::abs(summary.ledger.work)});
  const auto* forced = std::get_if<ForcedMotion>(&scene.scheme);
  const bool fixed = forced && forced->steps == ForcedMotion::Steps::fixed;  // whose balance closes with the step
  EXPECT_NEAR(summary.ledger.error(), 0, (fixed ? 1e-4 : 1e-7) * energy);
  EXPECT_LT(summary.largest_joint_error, 1e-6);
  EXPECT_TRUE(summary.end.q.allFinite() && summary.end.u.allFinite());
}

INSTANTIATE_TEST_SUITE_P(Scenes, SceneFile, ::testing::ValuesIn(scene_files()),
                         [](const auto& scene) { return std::filesystem::path(scene.param).stem().string(); });

TEST(Scenes, NewtonsCradleIsReadAloudInTwentyLines) {
  const Scene scene = read_scene(std::string(CAROM_SOURCE_DIR) + "/scenes/newtons_cradle.toml");
  EXPECT_EQ(scene.description.bodies.size(), 5u);
  EXPECT_EQ(scene.description.joints.size(), 5u);
  EXPECT_EQ(name_of(scene.law), "lzb");
  EXPECT_NEAR(scene.description.bodies[0].mass, 7800 * 4 * 3.141592653589793 / 3 * 8e-6, 1e-12);
}

}  // namespace
}  // namespace carom::scene
