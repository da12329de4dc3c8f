#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "carom/geometry/contact_points.h"
#include "carom/model/model.h"

namespace carom {

/// Two parts of bodies that may touch, by bodies in ascending order; or a stop of a joint between its two bodies, which
/// has no parts. (A stop against the world has its one body twice.)
struct PartPair {
  int body_a = -1, part_a = 0, body_b = -1, part_b = 0;
  int stop = -1;  // 2 joint: the lower one of a joint, 2 joint + 1: the upper one; -1: none

  bool is_stop() const { return stop >= 0; }
  int joint() const { return stop / 2; }
  bool is_upper() const { return stop % 2 == 1; }

  friend bool operator==(const PartPair&, const PartPair&) = default;
  friend bool operator<(const PartPair& x, const PartPair& y) {
    return std::tie(x.body_a, x.part_a, x.body_b, x.part_b, x.stop) <
           std::tie(y.body_a, y.part_a, y.body_b, y.part_b, y.stop);
  }
};

/// Every stop of a model's joints.
std::vector<PartPair> stops_of(const Model& model);

/// [m] of the smaller of two parts, or that of a stop.
double smaller_size(const Model& model, const PartPair& parts);

/// The bodies, with `between` between their names; or the joint that a stop is of.
std::string name_of(const Model& model, const PartPair& parts, std::string_view between);

/// The names of the two shapes; empty for one that has none.
std::array<std::string, 2> shape_names(const Model& model, const PartPair& parts);

/// A point where two bodies touch or come near each other.
struct ContactPair {
  PartPair parts;
  geometry::ContactPoint point;                                    // in the world, normal from a to b; each body's
                                                                   // point where that body is, not its image
  Vector3 local_a = Vector3::Zero(), local_b = Vector3::Zero();    // its points in the frames of the bodies
  Vector3 normal_a = Vector3::Zero(), normal_b = Vector3::Zero();  // the normal in them
  Vector3 grain = Vector3::Zero();                                 // of the body that has one, in the world; 0: none

  /// Whether it is the same place of the same bodies, at another time.
  bool same_as(const ContactPair& other) const { return parts == other.parts && point.feature == other.point.feature; }

  /// The same, or another meeting of the same pair at most `distance` [m] away on one of the bodies and with the same
  /// normal, but for rounding: where corners and edges coincide, that decides which of them meet.
  bool coincides_with(const ContactPair& other, double distance) const;
};

/// Appends the points of contact of a pair as geometry::contact_points does. A stop has one, whatever the margin: at
/// the joint, with the axis as its normal; its gap is that of the joint's coordinate, times the arm for a revolute one.
void find_contact_pairs(const Model& model, const State& state, const PartPair& parts, double margin,
                        std::vector<ContactPair>& pairs);

/// A lower bound [m] of a pair's distance if it is easily proven to be more than `enough`, else 0. In the plane, of
/// balls and of half-spaces nothing is tried: their points are found as quickly.
double distance_at_least(const Model& model, const State& state, const PartPair& parts, double enough);

/// Where space is periodic: from body b to that image of it which is nearest to body a. Flat walls have none.
Vector3 image_of_other(const Model& model, const geometry::Shape& a, const Pose& pose_a, const geometry::Shape& b,
                       const Pose& pose_b);

/// Where a pair touches, in the middle between its two points; where space is periodic inside the box.
Vector3 middle_of(const Model& model, const ContactPair& pair);

/// Directions along a contact, orthonormal, in the columns: none on a line, one in the plane, two in space.
using Tangents = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, 2>;
Tangents tangents_of(const Vector3& normal, Dimension dimension);

/// Those of a contact pair: in space the first is along the grain, as far as that lies in the surface.
Tangents tangents_of(const ContactPair& pair, Dimension dimension);

/// Whether a contact has a grain along its surface: one that stands upright on it has no direction there.
bool has_grain_along(const ContactPair& pair);

/// The grain of two bodies in the world, at these poses: that of the first which has one.
Vector3 grain_of(const Model& model, const PartPair& parts, const Pose& pose_a, const Pose& pose_b);

/// gamma = W'u + drift of some contact pairs. W has a column for the normal of each, followed by its tangents where
/// `along` is true; an empty `along` asks for normals alone.
struct ContactRows {
  SparseMatrix W;          // (velocities x rows)
  Vector drift;            // (rows) from bodies with prescribed motion
  std::vector<Index> row;  // (pairs) of the normal
};
ContactRows contact_rows(const Model& model, const State& state, const std::vector<ContactPair>& pairs,
                         const std::vector<char>& along = {});

/// The masses [kg] that a contact moves along its normal and along its tangents, joints included; 0: it cannot move.
struct ContactMasses {
  double normal = 0, tangential = 0;
};
ContactMasses contact_masses(const Model& model, const State& state, const ContactPair& pair);

/// The velocity of body b relative to body a where they touch.
Vector3 relative_velocity(const Model& model, const State& state, const ContactPair& pair);
inline double normal_velocity(const Model& model, const State& state, const ContactPair& pair) {
  return pair.point.normal.dot(relative_velocity(model, state, pair));
}
/// What is left of it along the contact.
inline Vector3 slip_velocity(const Model& model, const State& state, const ContactPair& pair) {
  const Vector3 v = relative_velocity(model, state, pair);
  return v - pair.point.normal.dot(v) * pair.point.normal;
}

/// d gamma / dt of the rows of `contact_rows` with u' = 0: how the contact points, the normals and the prescribed
/// bodies move on. That of a tangent holds where there is no slip.
Vector contact_bias(const Model& model, const State& state, const std::vector<ContactPair>& pairs,
                    const std::vector<char>& along = {});

}  // namespace carom
