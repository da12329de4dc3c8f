#pragma once

#include <optional>
#include <vector>

#include "carom/geometry/contact_motion.h"
#include "carom/geometry/distance.h"
#include "carom/geometry/hertz.h"

namespace carom::geometry {

/// A rigid body at one moment: its shapes, where its frame is and how it moves, in the world.
struct MovingBody {
  std::vector<Part> parts = {};
  Pose pose = {};
  Vector3 velocity = Vector3::Zero(), angular_velocity = Vector3::Zero();          // [m/s] of its origin, [rad/s]
  Vector3 acceleration = Vector3::Zero(), angular_acceleration = Vector3::Zero();  // [m/s^2], [rad/s^2]
};

/// How two bodies lie to each other and move where they are nearest; of bodies that overlap, where that is told by the
/// least way out.
struct BodyPair {
  ContactPoint point;  // gap > 0: the distance, gap < 0: minus the depth
  Index part_a = 0, part_b = 0;
  double size = 0;  // [m] of the smaller of the two parts

  /// All pairs of points that are as near, this one among them: corners of what parallel edges and faces have in
  /// common. One: the pair is unique.
  std::vector<ContactPoint> as_near;
  bool is_unique() const { return as_near.size() == 1; }

  Curvature curvature_a, curvature_b;  // of the surfaces
  RelativeCurvature relative;

  Eigen::Matrix<double, 12, 1> w;  // as in ContactKinematics
  double gap_rate = 0;             // [m/s] w . (v_a, omega_a, v_b, omega_b)
  double gap_acceleration = 0;     // [m/s^2], while the same features are nearest    [Glocker 2001, (2.9)-(2.15)]
  Vector3 slip = Vector3::Zero();  // [m/s] of b over a, across the normal

  /// [m] of boxes, polytopes, half-spaces and balls: distance.h                             [Gilardi & Sharf 2002,
  /// (37)]
  std::optional<double> interference;
};

/// Throws InputError for bodies without shapes, and where no pair of shapes has a distance (two half-spaces).
BodyPair body_pair(const MovingBody& a, const MovingBody& b, Dimension dimension);

/// The outward normal of a shape that has no end, in its frame; its plane passes through the origin. Nothing for shapes
/// that end.
std::optional<Vector3> endless_normal(const Shape& shape);

/// 1/sqrt(A B): the radius of the ball on a plane that is as curved on the average; infinite for a line or a face,
/// 0 for edges and corners.
double effective_radius(const RelativeCurvature& curvature);

}  // namespace carom::geometry
