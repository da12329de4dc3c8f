#include "carom/geometry/shape.h"
#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

TEST(GeometryCurvature, ASuperellipsoidBendsLikeAnEllipsoidAtItsEndWherePowersAreTooSmallForANumber) {
  const Superellipsoid shape{{1, 1, 1}, 20, 2};  // along x it is x^2 + z^2 = 1
  for (const double x : {1e-3, 1e-17, 1e-200}) {
    const Curvature bend = curvature(shape, {}, {x, x / 10, 1}, Vector3::UnitZ());
    EXPECT_NEAR(bend.most, 1, 1e-5);
    EXPECT_NEAR(bend.least, 0, 1e-5);
    EXPECT_NEAR(std::abs(bend.direction.x()), 1, 1e-5);
  }
}

}  // namespace
}  // namespace carom::geometry::testing
