#include "carom/geometry/shapes/half_space.h"

#include "carom/geometry/infinity.h"

namespace carom::geometry {

std::vector<ShapeField> HalfSpace::fields(const Form&) {
  return {{"normal", Direction{&normal}, "away from the solid side"}};
}

double HalfSpace::reach() const {
  return kInfinity;
}

Bounds HalfSpace::bounds(const Pose& pose) const {
  Bounds result{Vector3::Constant(-kInfinity), Vector3::Constant(kInfinity)};
  const Vector3 n = pose.orientation * normal;
  for (int i = 0; i < 3; ++i) {
    if (n[i] == n.norm()) result.high[i] = pose.position[i];
    if (n[i] == -n.norm()) result.low[i] = pose.position[i];
  }
  return result;
}

MassProperties HalfSpace::in_space() const {
  return {.volume = kInfinity};
}

Curvature HalfSpace::curvature(const Vector3&, const Vector3& n) const {
  return flat_curvature(n);
}

}  // namespace carom::geometry
