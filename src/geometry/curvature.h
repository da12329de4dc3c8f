#pragma once

#include "carom/geometry/pose.h"

namespace carom::geometry {

/// How a convex surface bends at a point: principal curvatures most >= least >= 0 [1/m], and the unit tangent along
/// which it bends most. Edges have most = infinity, with `direction` across the edge, corners both.
struct Curvature {
  double most = 0, least = 0;
  Vector3 direction = Vector3::UnitX();
};

inline constexpr double kOnFace = 1e-7;  // part of the size within which a point lies on a face

Curvature ball_curvature(double radius, const Vector3& normal);
Curvature flat_curvature(const Vector3& normal);
Curvature corner_curvature(const Vector3& normal);
Curvature edge_curvature(const Vector3& along, const Vector3& normal, double least = 0);

/// From the outward normals of the faces through a point: none or one, it is flat there; two, an edge; more, a corner.
class FacesAtPoint {
 public:
  explicit FacesAtPoint(const Vector3& normal) : normal_(normal) {}
  void add(const Vector3& face_normal);
  Curvature curvature() const;

 private:
  Vector3 normal_, first_, along_;
  int count_ = 0;
};

}  // namespace carom::geometry
