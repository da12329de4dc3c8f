#pragma once

#include "geometry/shape.h"

namespace carom::geometry {

/// How a convex surface bends at a point: principal curvatures most >= least >= 0 [1/m], and the unit tangent along
/// which it bends most. Edges have most = infinity, with `direction` across the edge, corners both.
struct Curvature {
  double most = 0, least = 0;
  Vector3 direction = Vector3::UnitX();
};

/// At a point of the surface with outward unit normal, both in the world. A polygon is a prism along z.
Curvature curvature(const Shape& shape, const Pose& pose, const Vector3& point, const Vector3& normal);

}  // namespace carom::geometry
