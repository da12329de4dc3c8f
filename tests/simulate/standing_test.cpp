// Structures that only friction and shape hold stand still.

#include <cmath>
#include <string>

#include "random_share.h"
#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

/// The largest speed of a body's points, about.
double fastest(const Model& model, const Vector& u, double size) {
  const Index axes = static_cast<Index>(model.dimension()), width = axes == 2 ? 3 : 6;
  double speed = 0;
  for (Index i = 0; i < u.size(); ++i) speed = std::max(speed, std::abs(u[i]) * (i % width < axes ? 1 : size));
  return speed;
}

class Standing : public ::testing::TestWithParam<const char*> {};

TEST_P(Standing, NothingMoves) {
  const scene::Scene scene =
      scene::read_scene(std::string(CAROM_SOURCE_DIR "/scenes/") + GetParam() + ".toml", {std::nullopt, {}});
  const Model model(scene.description);
  const State start = model.state(scene.placement);
  ASSERT_GE(scene.duration, 10);
  Watched seen;
  const double duration = 10.0 * share_of(100) / 100;
  const RunSummary summary = run(model, start, scene.scheme, scene.law, {duration, duration}, seen);
  ASSERT_EQ(summary.status, RunStatus::solved) << summary.message;
  double size = 0;
  for (const Body& body : model.bodies())
    for (const geometry::Part& part : body.parts)
      if (body.is_free()) size = std::max(size, geometry::reach(part.shape));
  EXPECT_LT((summary.end.q - start.q).cwiseAbs().maxCoeff(), 0.01 * size);
  EXPECT_LT(fastest(model, summary.end.u, size), 1e-3 * std::sqrt(9.81 * size));
  EXPECT_EQ(summary.inconsistent, 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Standing, ::testing::Values("arch", "box_of_spheres", "card_house", "tower"));

}  // namespace
}  // namespace carom::testing
