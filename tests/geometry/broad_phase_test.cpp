#include "carom/geometry/broad_phase.h"

#include "carom/geometry/infinity.h"
#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::vector<Bounds> random_boxes(Generator& random, int count, double largest) {
  std::vector<Bounds> boxes;
  for (int i = 0; i < count; ++i) {
    const Vector3 centre = random_vector(random);
    const Vector3 half = std::pow(10, uniform(random, -5, 0)) * largest * random_vector(random).cwiseAbs();
    boxes.push_back({centre - half, centre + half});
  }
  return boxes;
}

Pairs brute_force(const std::vector<Bounds>& boxes) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i + 1; j < boxes.size(); ++j) {
      bool apart = false;
      for (int k = 0; k < 3; ++k)
        apart = apart || !(boxes[i].low[k] <= boxes[j].high[k]) || !(boxes[j].low[k] <= boxes[i].high[k]);
      if (!apart) pairs.emplace_back(i, j);
    }
  return pairs;
}

TEST(GeometryBroadPhase, AgreesWithTestingEveryPair) {
  Generator random(1);
  for (const int count : {0, 1, 2, 7, 8, 100, 1500}) {
    std::vector<Bounds> boxes = random_boxes(random, count, 0.5);
    for (std::size_t i = 0; i < boxes.size(); i += 50) {  // walls and floors
      boxes[i].low[1] = -kInfinity;
      if (i % 100 == 0) boxes[i].high = Vector3::Constant(kInfinity);
    }
    EXPECT_EQ(overlapping_pairs(boxes), brute_force(boxes)) << count;
  }
}

TEST(GeometryBroadPhase, BoxesThatTouchOverlapAndAlikeOnesAllDo) {
  const Bounds unit{Vector3::Zero(), Vector3::Ones()}, next{Vector3(1, 0, 0), Vector3(2, 1, 1)};
  EXPECT_EQ(overlapping_pairs({unit, next}), (Pairs{{0, 1}}));
  EXPECT_EQ(overlapping_pairs(std::vector<Bounds>(40, unit)).size(), 40U * 39 / 2);
}

TEST(GeometryBroadPhase, EmptyBoxesOverlapNothing) {
  const Bounds all{Vector3::Constant(-kInfinity), Vector3::Constant(kInfinity)};
  EXPECT_TRUE(overlapping_pairs({all, Bounds{}, Bounds{}}).empty());
}

}  // namespace
}  // namespace carom::geometry::testing
