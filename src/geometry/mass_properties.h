#pragma once

#include "carom/geometry/pose.h"

namespace carom::geometry {

/// Mass properties of a solid of density 1: volume [m^3] (area [m^2] in the plane, length [m] on the line), centre and
/// inertia about it, in the frame of the shape. Half-spaces have none (volume infinity).
struct MassProperties {
  double volume = 0;
  Vector3 centre = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();
};

/// From volume, centre and second moments about the centre, P_ij = integral of x_i x_j.
inline MassProperties from_moments(double volume, const Vector3& centre, const Matrix3& P) {
  return {volume, centre, P.trace() * Matrix3::Identity() - P};
}
/// Of a shape that is symmetric to all planes of its frame: P is diagonal.
inline MassProperties symmetric(double volume, const Vector3& squares) {
  return from_moments(volume, Vector3::Zero(), squares.asDiagonal());
}
/// |x| <= a, |y| <= b in the plane.
inline MassProperties rectangle(double a, double b) {
  return symmetric(4 * a * b, {4 * a * b * a * a / 3, 4 * a * b * b * b / 3, 0});
}

}  // namespace carom::geometry
