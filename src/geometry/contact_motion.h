#pragma once

#include "carom/geometry/contact_points.h"

namespace carom::geometry {

/// How both sides of a contact bend as far as the contact is concerned. That is not always how the surfaces do: a mark
/// on the rim of a cylinder is a point of the body, and the end of a line that parallel cylinders share moves around
/// the end of the axis. The curvature along a rim, `least`, is negative where the contact looks at it from inside.
struct ContactCurvatures {
  Curvature a, b;
};
ContactCurvatures contact_curvatures(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                     const ContactPoint& contact);

/// Two bodies at a contact: velocities of their material points there and angular velocities, in the world.
struct MaterialMotion {
  Vector3 v_a, w_a, v_b, w_b;
};

/// How a contact moves while it keeps its feature. The points p_a, p_b creep over the bodies with xi_a, xi_b, in the
/// tangent plane, such that both surfaces keep the common normal n and p_b - p_a = g n:
///   n' = w_a x n + K_a xi_a = w_b x n - K_b xi_b,   (v_b + xi_b - v_a - xi_a)_T = g n',      [Glocker 2001, (2.10)]
/// with the curvatures K and xi = 0 where they are infinite. Where this has no solution or many (parallel edges, faces
/// on each other) it is solved by least squares with the least velocities.
struct ContactMotion {
  Vector3 xi_a = Vector3::Zero(), xi_b = Vector3::Zero();  // [m/s]
  Vector3 n_rate = Vector3::Zero();                        // [1/s]
};
/// `length` [m] is of the order of the bodies' size; equations are weighed by it.
ContactMotion contact_motion(const ContactPoint& contact, const ContactCurvatures& K, const MaterialMotion& motion,
                             double length, Dimension dimension);

}  // namespace carom::geometry
