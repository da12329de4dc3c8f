#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "carom/impact/problem.h"

namespace carom::analysis {

/// One way through a corner: the contacts are hit one after the other, one of them first.
struct CornerWay {
  int first = 0;
  std::vector<int> hits;                    // contacts, in their order
  std::vector<Eigen::Vector2d> velocities;  // before, and after each hit, in the plane of the corner
  bool ends = true;                         // false: there are more hits than are followed
  bool at_rest = false;                     // it comes to rest in the corner, by hits without end
  Vector gamma_plus;                        // (2)
  Vector u_plus;                            // (n)
  double energy_ratio = 1;                  // T+/T-, all of the motion

  /// How many hits there are if none loses energy: the images of the corner that a straight line crosses,
  ///   the least k >= (pi - alpha) / theta, alpha the angle from the direction it comes from to the first surface.
  int reflections = 0;
};

/// Two contacts as a corner of the admissible domain in the kinetic metric, where free motion is a straight line and an
/// impact of one contact without loss its reflection: unfolded, the line goes on. What comes from both sides of the
/// corner leaves it in different directions, so the corner itself has no natural answer, unless pi is a multiple of the
/// angle.                                                                         [Glocker 2004, figures 6 and 9]
/// One contact is an edge, a corner of 180 degrees: folded flat, its surface is a sheet that goes on below the edge,
/// and the reflection is the line that crosses the edge straight on.                             [figures 5 and 6]
/// Coordinates of the plane: x = q_norm resolved along the normals, which are symmetric about the y axis; the corner is
/// at the origin and opens upwards, the surface of contact 0 on the right. Lengths are kinetic, |v|^2 = 2 T along it.
/// Of an edge x is the motion along the surface, all of it, so that |v|^2 = 2 T.
struct Corner {
  double angle = 0;                       // [rad] theta of the domain
  std::array<Eigen::Vector2d, 2> normal;  // of the surfaces, into the domain
  std::array<Eigen::Vector2d, 2> along;   // of the surfaces, away from the corner
  Eigen::Vector2d before;                 // velocity
  std::vector<CornerWay> ways;            // one for each contact that closes
  bool lossless = false;                  // all e are 1
  bool is_edge = false;                   // of one contact; the second surface is the first one on the other side

  /// Whether all ways end with the same velocity, to rounding.
  bool is_decided() const;
  /// pi / angle, if that is an integer to rounding: then reflections do not care about their order.
  std::optional<int> images() const;
};

/// Throws InputError unless there is one contact, or two independent ones, without friction, one closes, and e is in
/// [0, 1].
Corner corner(const ContactProblem& problem);

}  // namespace carom::analysis
