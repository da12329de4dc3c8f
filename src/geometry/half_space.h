#pragma once

#include "geometry/contact_points.h"

namespace carom::geometry {

/// A point of a surface, and what it belongs to.
struct SurfacePlace {
  Vector3 point;
  Element element;
};
/// The points of a cylinder that may rest on a plane below: the lowest of each rim, and four fixed ones (corners) on
/// the rim of an end that faces the plane. An upright cylinder has only these four.
std::vector<SurfacePlace> rim_points(const Cylinder& cylinder, const Pose& pose, const Vector3& down);

/// contact_points of a half-space a and a shape b, all in closed form: corners of polytopes, the farthest point of
/// smooth shapes, points of the rims of a cylinder. Two half-spaces overlap without end (gap -infinity) unless they
/// face each other.
void half_space_contacts(const HalfSpace& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                         Dimension dimension, std::vector<ContactPoint>& points);

}  // namespace carom::geometry
