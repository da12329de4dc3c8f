// Cases of the papers found by independent computations (tests/data/geometry.json).

#include <fstream>
#include <map>

#include "carom/geometry/distance.h"
#include "carom/geometry/hertz.h"
#include "geometry_support.h"
#include "json.h"

namespace carom::geometry::testing {
namespace {

using carom::testing::Json;
using carom::testing::to_matrix;
using carom::testing::to_vector;

double difference(const Matrix& actual, const Matrix& expected) {
  return (actual - expected).cwiseAbs().maxCoeff();
}

void check_contact_kinematics(const Json& in, const Json& out, double tol) {
  const Ellipsoid a{to_vector(in["axes1"])}, b{to_vector(in["axes2"])};
  const Pose pose_a{to_vector(in["c1"]), Quaternion(Matrix3(to_matrix(in["R1"])))};
  const Pose pose_b{to_vector(in["c2"]), Quaternion(Matrix3(to_matrix(in["R2"])))};
  const ContactKinematics result = contact_kinematics(a, pose_a, b, pose_b, Dimension::space);
  EXPECT_NEAR(result.contact.gap, out["gap"], tol);
  EXPECT_NEAR(minimum_distance(a, pose_a, b, pose_b, Dimension::space), out["gap"], tol);
  EXPECT_LE(difference(result.contact.point_a, to_vector(out["point1"])), tol);
  EXPECT_LE(difference(result.contact.point_b, to_vector(out["point2"])), tol);
  EXPECT_LE(difference(result.contact.normal, to_vector(out["normal1"])), tol);
  EXPECT_LE(difference(result.w, to_vector(out["w"])), tol);
  Vector u(12);
  u << to_vector(in["v1"]), to_vector(in["w1"]), to_vector(in["v2"]), to_vector(in["w2"]);
  EXPECT_NEAR(result.w.dot(u), out["gap_rate"], tol);
}

void check_surface(const Json& in, const Json& out, double tol) {
  const Vector3 axes = to_vector(in["axes"]);
  const double m1 = in["mu"][0], m2 = in["mu"][1];
  for (const SurfacePoint& p :
       {Ellipsoid{axes}.surface_point(m1, m2), Superellipsoid{axes, 2, 2}.surface_point(m1, m2)}) {
    EXPECT_LE(difference(p.rho, to_vector(out["rho"])), tol);
    EXPECT_LE(difference(p.t1, to_vector(out["t1"])), tol);
    EXPECT_LE(difference(p.t2, to_vector(out["t2"])), tol);
    EXPECT_LE(difference(p.n, to_vector(out["n"])), tol);
    EXPECT_LE(difference(p.g, to_matrix(out["g"])), tol);
    EXPECT_LE(difference(p.b, to_matrix(out["b"])), tol);
    EXPECT_LE(difference(p.c, to_matrix(out["c_rows_alpha"])), tol);
    EXPECT_NEAR(p.gauss, out["gauss"], tol);
    EXPECT_NEAR(p.mean, out["mean"], tol);
  }
}

void check_interference(const Json& in, const Json& out, double tol) {
  if (in.contains("R1")) {
    const Sphere a{in["R1"]}, b{in["R2"]};
    EXPECT_NEAR(interference_distance(a, to_vector(in["c1"]), b, to_vector(in["c2"])), out["d"], tol);
    return;
  }
  const Polyhedron a{to_matrix(in["A1"]), to_vector(in["b1"])}, b{to_matrix(in["A2"]), to_vector(in["b2"])};
  EXPECT_NEAR(interference_distance(a, b), out["d"], tol);
}

void check_hertz_stiffness(const Json& in, const Json& out, double tol) {
  const double E_star = effective_modulus({in["E1"], in["nu1"]}, {in["E2"], in["nu2"]});
  const Sphere a{in["R1"]}, b{in["R2"]};
  const Pose pose_b{Vector3(0, a.radius + b.radius, 0), Quaternion::Identity()};
  const Vector3 point(0, a.radius, 0);
  const RelativeCurvature curvature =
      relative_curvature(a, {}, point, b, pose_b, point, Vector3::UnitY(), Dimension::space);
  EXPECT_NEAR(E_star / out["E_star"].get<double>(), 1, tol);
  EXPECT_NEAR(hertz_stiffness(curvature, E_star) / out["k"].get<double>(), 1, tol);
}

void check_hertz(const Json& in, const Json& out, double tol) {
  const HertzImpact impact = hertz_impact(in["k"], in["n"], in["m"], in["v0"]);
  EXPECT_NEAR(impact.depth, out["delta_max"], tol);
  EXPECT_NEAR(impact.force, out["F_max"], tol * impact.force);
  EXPECT_NEAR(impact.duration, out["duration"], tol);
  EXPECT_NEAR(impact.constant, out["const"], tol);
}

TEST(GeometryReference, EveryCase) {
  const std::map<std::string, void (*)(const Json&, const Json&, double)> checks = {
      {"contact_kinematics", check_contact_kinematics},
      {"surface", check_surface},
      {"interference", check_interference},
      {"hertz_stiffness", check_hertz_stiffness},
      {"hertz", check_hertz}};
  std::ifstream file(CAROM_SOURCE_DIR "/tests/data/geometry.json");
  const Json cases = Json::parse(file).at("cases");
  EXPECT_EQ(cases.size(), 9U);
  for (const Json& c : cases) {
    SCOPED_TRACE(c.at("id").get<std::string>());
    checks.at(c.at("kind"))(c.at("inputs"), c.at("outputs"), c.at("tol"));
  }
}

}  // namespace
}  // namespace carom::geometry::testing
