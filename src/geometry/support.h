#pragma once

#include "geometry/shape.h"

namespace carom::geometry {

/// The point of a bounded shape farthest along a direction, in the shape's frame: the x that maximises direction . x.
/// Where a face or an edge is farthest, one of its points; on flat ends of round shapes their centre. With
/// direction_z = 0 the point lies in the section z = 0 of every shape but a Polytope.
Vector3 support_point(const Shape& shape, const Vector3& direction);

/// The width h(n) = max n . x of a superellipsoid is the dual norm of its gauge.
Vector3 support_point(const Superellipsoid& shape, const Vector3& direction);

}  // namespace carom::geometry
