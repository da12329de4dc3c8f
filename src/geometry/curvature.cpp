#include "carom/geometry/curvature.h"

#include <cmath>

#include "carom/geometry/infinity.h"

namespace carom::geometry {

Curvature ball_curvature(double radius, const Vector3& normal) {
  return {1 / radius, 1 / radius, normal.unitOrthogonal()};
}
Curvature flat_curvature(const Vector3& normal) {
  return {0, 0, normal.unitOrthogonal()};
}
Curvature corner_curvature(const Vector3& normal) {
  return {kInfinity, kInfinity, normal.unitOrthogonal()};
}
Curvature edge_curvature(const Vector3& along, const Vector3& normal, double least) {
  return {kInfinity, least, along.cross(normal).stableNormalized()};
}

void FacesAtPoint::add(const Vector3& face_normal) {
  if (count_ > 0 && face_normal.dot(first_) > 1 - 1e-12) return;
  if (count_ == 1) along_ = first_.cross(face_normal);
  if (count_ >= 2 && std::abs(along_.stableNormalized().dot(face_normal)) < 1e-9) return;  // the same edge
  if (count_ == 0) first_ = face_normal;
  ++count_;
}

Curvature FacesAtPoint::curvature() const {
  return count_ < 2    ? flat_curvature(normal_)
         : count_ == 2 ? edge_curvature(along_, normal_)
                       : corner_curvature(normal_);
}

}  // namespace carom::geometry
