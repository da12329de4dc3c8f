#include "carom/analysis/impulse_plane.h"

#include <Eigen/Dense>

#include "laws/one_contact_support.h"
#include "random_share.h"

namespace carom::testing {

using namespace analysis;
namespace {

double at(const ImpulsePlane::Line& line, const ImpulsePlane::Point& point) {
  return line[0] + line[1] * point[0] + line[2] * point[1];
}

TEST(ImpulsePlane, PathLeavesOnItsTerminationAndTheRegionTellsTheMode) {
  Random random(21);
  for (int i = 0; i < share_of(3000); ++i) {
    const ImpulsePlane plane = impulse_plane(random_friction(random, 1));
    const double speed = std::abs(plane.c_minus[0]) + std::abs(plane.c_minus[1]);
    for (const ImpulsePlane::Path& path : plane.paths) {
      ASSERT_TRUE(path.solved);
      ASSERT_EQ(path.corners.back(), path.end);
      const double size = std::abs((*path.termination)[0]) + speed;
      ASSERT_NEAR(at(*path.termination, path.end), 0, 1e-9 * size * (1 + path.end[0] / path.compressed[0]));
      const ImpulsePlane::Line& lines = plane.compression;
      const double terms = speed + std::abs(lines[1] * path.compressed[0]) + std::abs(lines[2] * path.compressed[1]);
      ASSERT_NEAR(at(lines, path.compressed), 0, 1e-11 * terms);
    }
    if (!plane.region) continue;
    const std::string& mode = plane.paths[0].mode;
    ASSERT_EQ(*plane.region == 1, mode == "sliding");
    if (*plane.region > 1) {
      ASSERT_EQ(mode.ends_with("sticking"), plane.mu >= plane.sticking_ratio) << i;
    }
  }
}

TEST(ImpulsePlane, RatiosWithinTheBoundsCreateNoEnergyAndBeyondThemDo) {
  Random random(22);
  int bounded = 0;
  for (int i = 0; i < share_of(5000); ++i) {
    const ImpactProblem given = random_friction(random, 1);
    const ContactProblem reduced = reduce(given);
    const ImpulsePlane plane = impulse_plane(given);
    const double e = plane.e, gain = -(1 + e) * plane.c_minus[0];
    const auto change = [&](double r) {  // of the energy, relative
      const double P_n = gain / (plane.B_nn + plane.B_nt * r), P_t = r * P_n;
      const double c_n = plane.c_minus[0] * (1 - e), c_t = 2 * plane.c_minus[1] + plane.B_nt * P_n + plane.B_tt * P_t;
      return 0.5 * (c_n * P_n + c_t * P_t) / (std::abs(c_n * P_n) + std::abs(c_t * P_t) + 1e-300);
    };
    if (plane.least_ratio) {
      ASSERT_LE(*plane.least_ratio, 0);
    }
    if (plane.largest_ratio) {
      ASSERT_GE(*plane.largest_ratio, 0);
    }
    for (const auto& bound : {plane.least_ratio, plane.largest_ratio}) {
      if (!bound || std::abs(*bound) < 1e-6) continue;
      ++bounded;
      ASSERT_LE(change(0.999 * *bound), 1e-9) << i;
      const double beyond = 1.001 * *bound;
      if (plane.B_nn + plane.B_nt * beyond > 0) {
        ASSERT_GE(change(beyond), -1e-9) << i;
      }
    }
  }
  EXPECT_GT(bounded, share_of(5000) / 2);
}

TEST(ImpulsePlane, ClassifiesImpacts) {
  Matrix sphere(2, 2), rod(2, 2);
  sphere << 1, 0, 0, 3.5;
  rod << 2.5, -1.5, -1.5, 2.5;
  EXPECT_TRUE(impulse_plane(contact_alone(sphere, vector({-1, 0}), 0.3, 0.5)).kind.central);
  EXPECT_TRUE(impulse_plane(contact_alone(sphere, vector({-1, 0}), 0.3, 0.5)).kind.direct);
  EXPECT_FALSE(impulse_plane(contact_alone(rod, vector({-1, 1}), 0.3, 0.5)).kind.central);
  EXPECT_FALSE(impulse_plane(contact_alone(rod, vector({-1, 1}), 0.3, 0.5)).kind.direct);
  EXPECT_TRUE(impulse_plane(contact_alone(rod, vector({0, -1}), 2, 0.5)).kind.tangential);
}

TEST(ImpulsePlane, RefusesWhatHasNoPlane) {
  const auto place_of = [](const ImpactProblem& given) {
    try {
      impulse_plane(given);
      return std::string("accepted");
    } catch (const InputError& error) {
      return error.place;
    }
  };
  EXPECT_EQ(place_of(contact_alone(Matrix::Identity(3, 3), vector({-1, 1, 1}), 1, 0)), "contacts[0].tangents");
  EXPECT_EQ(place_of(contact_alone(Matrix::Identity(2, 2), vector({1, 1}), 1, 0)), "contacts");
  EXPECT_EQ(place_of(chain(vector({1, 1, 1}), vector({1, 0, -1}), 0)), "contacts");
}

}  // namespace
}  // namespace carom::testing
