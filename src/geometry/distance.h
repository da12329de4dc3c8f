#pragma once

#include "carom/geometry/contact_points.h"
#include "carom/numerics/linear_algebra.h"

namespace carom::geometry {

/// How the nearest points of two bodies move:
///   gap' = w . (v_a, omega_a, v_b, omega_b),  w = (-n, -(r_a x n), n, r_b x n),              [Glocker 2001,
///   (2.9)-(2.18)]
/// velocities of the origins of both frames and angular velocities in the world, r from the origin to the point.
struct ContactKinematics {
  ContactPoint contact;
  Eigen::Matrix<double, 12, 1> w;
};
ContactKinematics contact_kinematics(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                     Dimension dimension);

/// min |p_a - p_b| over the points of both bodies; 0 where they overlap.            [Gilardi & Sharf 2002, (36)]
double minimum_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Dimension dimension);

/// A x <= b with rows of length 1: the distances of x behind the faces are b - A x.
struct Polyhedron {
  Matrix A;
  Vector b;
};
/// Of a box, a half-space or a polytope; other shapes are InputErrors.
Polyhedron polyhedron(const Shape& shape, const Pose& pose);

/// The interference distance: the largest d for which a common point p lies d/2 inside both bodies,
///   g_a(p) <= -d/2,  g_b(p) <= -d/2,                                                [Gilardi & Sharf 2002, (37)]
/// g the signed distance behind each face of a polyhedron, or of a ball's surface. Negative where the bodies are apart;
/// infinity if both have unbounded room in common. Without a common point (37) would not measure interference.
double interference_distance(const Polyhedron& a, const Polyhedron& b);
double interference_distance(const Sphere& a, const Vector3& centre_a, const Sphere& b, const Vector3& centre_b);

}  // namespace carom::geometry
