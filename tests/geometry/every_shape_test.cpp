// What holds for every shape of the list.

#include <fstream>
#include <iterator>
#include <set>

#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

std::vector<Shape> every_shape(Generator& random) {
  std::vector<Shape> all = shapes(random, kSpace);
  all.push_back(shapes(random, kPlane).back());
  return all;
}

struct WithoutMass : Sphere {
  void in_plane() const;
};
struct WithoutContactsInSpace : Box {
  void solid(const Pose& pose) const;
};
struct WithoutBounds : HalfSpace {
  void bounds(const Pose& pose) const;
};
static_assert(ConvexShape<Sphere> && !ConvexShape<WithoutMass>);
static_assert(ConvexShape<Box> && !ConvexShape<WithoutContactsInSpace>);
static_assert(ConvexShape<HalfSpace> && !ConvexShape<WithoutBounds>);

TEST(EveryShape, IsTried) {
  Generator random(1);
  std::set<std::size_t> kinds;
  for (const Shape& shape : every_shape(random)) kinds.insert(shape.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<Shape>);
}

/// The farthest point along n is farther than all others, and the bounds are as far away.
TEST(EveryShape, ItsSupportPointIsTheFarthest) {
  Generator random(2);
  for (int round = 0; round < 20; ++round)
    for (const Shape& shape : every_shape(random)) {
      if (!std::isfinite(reach(shape))) continue;
      const Pose pose{random_vector(random), Quaternion(Eigen::AngleAxisd(round, random_vector(random).normalized()))};
      const Bounds box = bounds(shape, pose);
      for (int i = 0; i < 20; ++i) {
        const Vector3 n = random_vector(random), x = support_point(shape, n),
                      y = support_point(shape, random_vector(random));
        EXPECT_GE(n.dot(x), n.dot(y) - 1e-14);
        EXPECT_LE(x.norm(), reach(shape) * (1 + 1e-14));
        EXPECT_LE((pose.to_world(x) - box.high).maxCoeff(), 1e-14);
        EXPECT_GE((pose.to_world(x) - box.low).minCoeff(), -1e-14);
      }
    }
}

TEST(EveryShape, TwiceAsLargeHasTwiceTheReachAndEightfoldVolume) {
  Generator random(3);
  for (const Shape& shape : every_shape(random))
    std::visit(
        []<class S>(S one) {
          if (!std::isfinite(one.reach())) return;
          const S small = one;
          one.scale(2);
          EXPECT_NEAR(one.reach(), 2 * small.reach(), 1e-14);
          EXPECT_NEAR(one.in_plane().volume, 4 * small.in_plane().volume, 1e-13);
          EXPECT_LE((one.in_plane().inertia - 16 * small.in_plane().inertia).norm(), 1e-12);
          if constexpr (is_in_space<S>) {
            EXPECT_NEAR(one.in_space().volume, 8 * small.in_space().volume, 1e-13);
            EXPECT_LE((one.in_space().inertia - 32 * small.in_space().inertia).norm(), 1e-12);
          }
        },
        shape);
}

/// A smooth shape's three descriptions agree: its support point lies on the surface, with that normal, and moves with
/// the normal as its slopes say.
TEST(EveryShape, SurfaceAndSupportOfSmoothOnesAgree) {
  Generator random(4);
  for (int round = 0; round < 20; ++round)
    for (const Shape& shape : every_shape(random))
      std::visit(
          [&]<class S>(const S& one) {
            if constexpr (SmoothShape<S>) {
              const Vector3 n = random_vector(random).normalized(), d = n.cross(random_vector(random));
              const Vector3 x = one.support_point(n);
              EXPECT_NEAR(one.gauge(x), 1, 1e-13);
              EXPECT_LE((one.level_set(x).gradient.normalized() - n).norm(), 1e-10);
              const double h = 1e-6;
              const Vector3 moved = (one.support_point(n + h * d) - one.support_point(n - h * d)) / (2 * h);
              EXPECT_LE((one.support_slopes(n) * d - moved).norm(), 1e-6 * (1 + moved.norm()));
            }
          },
          shape);
}

TEST(EveryShape, IsDocumentedWithAllItsFields) {
  std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/docs/scenes.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for_each_shape([&](auto shape) {
    for (const Form& form : shape.forms) {
      const std::size_t row = text.find("\n| `" + std::string(form.name) + "` |");
      ASSERT_NE(row, std::string::npos) << form.name;
      const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row);
      for (const ShapeField& field : shape.fields(form))
        EXPECT_NE(line.find("`" + std::string(field.key)), std::string::npos) << form.name << "." << field.key;
    }
  });
}

}  // namespace
}  // namespace carom::geometry::testing
