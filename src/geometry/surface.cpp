#include "carom/geometry/surface.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/base/error.h"

namespace carom::geometry {

Curvature LevelSet::curvature() const {
  const Vector3 n = gradient.stableNormalized(), t = n.unitOrthogonal(), s = n.cross(t);
  const double a = t.dot(hessian * t), b = t.dot(hessian * s), c = s.dot(hessian * s), middle = (a + c) / 2;
  const double half = std::hypot((a - c) / 2, b), angle = std::atan2(b, (a - c) / 2) / 2, steep = gradient.norm();
  return {(middle + half) / steep, std::max(0.0, (middle - half) / steep), std::cos(angle) * t + std::sin(angle) * s};
}

SurfacePoint::SurfacePoint(const Vector3& rho_, const Vector3& t1_, const Vector3& t2_, const LevelSet& level)
    : rho(rho_), t1(t1_), t2(t2_), n(level.gradient.stableNormalized()) {
  Eigen::Matrix<double, 3, 2> T;
  T << t1, t2;
  g = T.transpose() * T;
  b = -T.transpose() * level.hessian * T / level.gradient.norm();
  c = -b * g.inverse();
  gauss = b.determinant() / g.determinant();
  mean = -c.trace() / 2;
}

}  // namespace carom::geometry
