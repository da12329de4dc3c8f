#include "carom/geometry/hertz.h"

#include <cmath>

#include "carom/base/error.h"
#include "carom/geometry/infinity.h"
#include "carom/geometry/shape.h"
#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

TEST(GeometryHertz, EqualCurvaturesAreASphere) {
  for (const double R : {1e-6, 0.01, 1.0, 1e6})
    EXPECT_NEAR(hertz_stiffness({1 / R, 1 / R}, 3e9) / (4.0 / 3 * 3e9 * std::sqrt(R)), 1, 1e-14);
}

/// The complete integrals by the midpoint rule, which converges exponentially for periodic functions.
struct Integrals {
  double K = 0, E = 0;
};
Integrals by_midpoints(double e2) {
  Integrals result;
  constexpr int kPoints = 4000;
  for (int i = 0; i < kPoints; ++i) {
    const double s = std::sin((i + 0.5) / kPoints * kPi / 2), root = std::sqrt(1 - e2 * s * s);
    result.K += kPi / 2 / kPoints / root;
    result.E += kPi / 2 / kPoints * root;
  }
  return result;
}

/// Johnson's (4.26): for an ellipse of axes a > b the curvatures and the force follow from p_0 in closed form.
TEST(GeometryHertz, AnEllipticContactBuiltFromItsEllipse) {
  const double E_star = 2e11;
  for (const double kappa : {0.999, 0.9, 0.5, 0.1, 0.02}) {
    const double a = 1e-3, b = kappa * a, e2 = 1 - kappa * kappa, p0 = 1e9;
    const auto [K, E] = by_midpoints(e2);
    const double small = 2 * p0 * b / (E_star * e2 * a * a) * (K - E);
    const double large = 2 * p0 * b / (E_star * e2 * a * a) * (E / (kappa * kappa) - K);
    const double force = 2.0 / 3 * kPi * a * b * p0, depth = p0 * b * K / E_star;
    EXPECT_NEAR(hertz_stiffness({large, small}, E_star) / (force / std::pow(depth, 1.5)), 1, 1e-11) << kappa;
  }
}

TEST(GeometryHertz, LineContactsAndCornersAreRefused) {
  EXPECT_THROW(hertz_stiffness({1, 0}, 1e9), InputError);
  EXPECT_THROW(hertz_stiffness({kInfinity, kInfinity}, 1e9), InputError);
  EXPECT_THROW(hertz_stiffness({0, 0}, 1e9), InputError);
}

/// The analytic answers of Chung and Ooi (2011): F_max, depth and duration of elastic impacts of spheres.
TEST(GeometryHertz, SpheresOfChungAndOoi) {
  struct Case {
    double E, nu, rho, r, v, depth, force, duration;
    bool wall;
  };
  for (const Case& c : {Case{48e9, 0.2, 2800, 0.01, 20, 274.11e-6, 10697, 40.34e-6, false},
                        Case{20e9, 0.25, 2500, 0.01, 20, 368.30e-6, 7108, 54.20e-6, false},
                        Case{70e9, 0.3, 2699, 0.1, 0.2, 49.72e-6, 11370, 731.7e-6, true},
                        Case{40e9, 0.35, 1800, 0.1, 0.2, 52.12e-6, 7233, 767.1e-6, true}}) {
    const Sphere ball{c.r};
    const Shape other = c.wall ? Shape(HalfSpace{Vector3::UnitY()}) : Shape(ball);
    const Pose below{Vector3(0, c.wall ? 0 : -c.r, 0), Quaternion::Identity()};
    const RelativeCurvature curvature =
        relative_curvature(other, below, Vector3::Zero(), ball, {Vector3(0, c.r, 0), Quaternion::Identity()},
                           Vector3::Zero(), Vector3::UnitY(), kSpace);
    const Elasticity material{c.E, c.nu}, rigid{kInfinity, 0};
    const double k = hertz_stiffness(curvature, effective_modulus(material, c.wall ? rigid : material));
    const double mass = c.rho * mass_properties(ball, kSpace).volume * (c.wall ? 1 : 0.5);
    const HertzImpact impact = hertz_impact(k, 1.5, mass, c.v);
    EXPECT_NEAR(impact.depth / c.depth, 1, 2e-4);
    EXPECT_NEAR(impact.force / c.force, 1, 2e-4);
    EXPECT_NEAR(impact.duration / c.duration, 1, 2e-4);
  }
}

TEST(GeometryHertz, CrossedCylindersOfEqualRadiusAreLikeASphereOnAPlane) {
  const Cylinder rod{0.5, 2};
  const Pose below{{0, -0.5, 0}, Quaternion::Identity()};
  const Pose above{{0, 0.5, 0}, Quaternion(Eigen::AngleAxisd(kPi / 2, Vector3::UnitY()))};
  const RelativeCurvature crossed =
      relative_curvature(rod, below, Vector3::Zero(), rod, above, Vector3::Zero(), Vector3::UnitY(), kSpace);
  EXPECT_NEAR(crossed.A, 2, 1e-14);
  EXPECT_NEAR(crossed.B, 2, 1e-14);
  const Pose parallel{{0, 0.5, 0}, Quaternion::Identity()};
  const RelativeCurvature line =
      relative_curvature(rod, below, Vector3::Zero(), rod, parallel, Vector3::Zero(), Vector3::UnitY(), kSpace);
  EXPECT_NEAR(line.A, 4, 1e-14);
  EXPECT_EQ(line.B, 0);
}

TEST(GeometryHertz, TheGapOfTwoEllipsoidsGrowsWithTheRelativeCurvature) {
  // Principal curvatures of an ellipsoid at the end of its y axis: b/a^2 and b/c^2, here turned by an angle.
  const Ellipsoid a{{2, 1, 0.5}}, b{{1, 0.5, 3}};
  const double angle = 0.4;
  const Pose below{{0, -1, 0}, Quaternion::Identity()};
  const Pose above{{0, 0.5, 0}, Quaternion(Eigen::AngleAxisd(angle, Vector3::UnitY()))};
  const RelativeCurvature curvature =
      relative_curvature(a, below, Vector3::Zero(), b, above, Vector3::Zero(), Vector3::UnitY(), kSpace);
  Eigen::Matrix2d S_a = Eigen::Vector2d(1.0 / 4, 1.0 / 0.25).asDiagonal(),
                  S_b = Eigen::Vector2d(0.5, 0.5 / 9).asDiagonal();
  const Eigen::Matrix2d turn = Eigen::Rotation2Dd(-angle).toRotationMatrix();
  const Eigen::Matrix2d S = S_a + turn * S_b * turn.transpose();
  EXPECT_NEAR(curvature.A + curvature.B, S.trace(), 1e-13);
  EXPECT_NEAR(curvature.A * curvature.B, S.determinant(), 1e-13);
}

TEST(GeometryHertz, EdgesAndCornersBendInfinitely) {
  const Box box{{1, 1, 1}};
  const auto at = [&](const Vector3& point) { return curvature(box, {}, point, point.normalized()); };
  EXPECT_EQ(at({1, 0.2, 0.3}).most, 0);
  EXPECT_EQ(at({1, 1, 0.3}).most, kInfinity);
  EXPECT_EQ(at({1, 1, 0.3}).least, 0);
  EXPECT_EQ(at({1, 1, 1}).least, kInfinity);
  const Pose ball_pose{{2, 1.5, 0}, Quaternion::Identity()};
  const RelativeCurvature edge = relative_curvature(box, {}, {1, 1, 0}, Sphere{0.5}, ball_pose, {1, 1, 0},
                                                    Vector3(1, 0.5, 0).normalized(), kSpace);
  EXPECT_EQ(edge.A, kInfinity);
  EXPECT_NEAR(edge.B, 2, 1e-14);
}

/// dn = S dx, by differences of the normals of a superellipsoid.
TEST(GeometrySurface, TheShapeOperatorTurnsTheNormal) {
  const Superellipsoid shape{{1, 0.7, 0.5}, 3, 4};
  const SurfacePoint p = shape.surface_point(0.6, 0.4);
  const Vector3 u = p.n.unitOrthogonal(), v = p.n.cross(u);
  const Eigen::Matrix2d S = shape_operator(shape, {}, p.rho, p.n, u, v);
  const double h = 1e-6;
  for (const auto& [d1, d2] : {std::pair(h, 0.0), std::pair(0.0, h)}) {
    const SurfacePoint after = shape.surface_point(0.6 + d1, 0.4 + d2),
                       before = shape.surface_point(0.6 - d1, 0.4 - d2);
    const Vector3 dn = after.n - before.n, dx = after.rho - before.rho;
    const Eigen::Vector2d turned(u.dot(dn), v.dot(dn)), moved(u.dot(dx), v.dot(dx));
    EXPECT_LE((turned - S * moved).norm(), 1e-8 * turned.norm() + 1e-12);
  }
  EXPECT_NEAR(S.determinant(), p.gauss, 1e-12);
  EXPECT_NEAR(S.trace() / 2, -p.mean, 1e-12);
}

}  // namespace
}  // namespace carom::geometry::testing
