#pragma once

#include <tuple>
#include <vector>

#include "geometry/contact_points.h"
#include "model/model.h"

namespace carom {

/// Two parts of bodies that may touch, by bodies in ascending order.
struct PartPair {
  int body_a = -1, part_a = 0, body_b = -1, part_b = 0;

  friend bool operator==(const PartPair&, const PartPair&) = default;
  friend bool operator<(const PartPair& x, const PartPair& y) {
    return std::tie(x.body_a, x.part_a, x.body_b, x.part_b) < std::tie(y.body_a, y.part_a, y.body_b, y.part_b);
  }
};

/// A point where two bodies touch or come near each other.
struct Touch {
  PartPair pair;
  geometry::ContactPoint point;  // in the world, normal from a to b

  /// Whether it is the same place of the same bodies, at another time.
  bool same_as(const Touch& other) const { return pair == other.pair && point.feature == other.point.feature; }
};

/// Appends the points of contact of a pair as geometry::contact_points does.
void find_touches(const Model& model, const State& state, const PartPair& pair, double margin,
                  std::vector<Touch>& touches);

/// gamma = W'u + drift of the normals of some touches; W has a column each.
struct TouchRows {
  SparseMatrix W;  // (velocities x touches)
  Vector drift;    // (touches) from bodies with prescribed motion
};
TouchRows touch_rows(const Model& model, const State& state, const std::vector<Touch>& touches);

/// The normal velocity of one touch.
double normal_velocity(const Model& model, const State& state, const Touch& touch);

/// d gamma / dt of each touch with u' = 0: how the contact points, the normals and the prescribed bodies move on.
Vector touch_bias(const Model& model, const State& state, const std::vector<Touch>& touches);

}  // namespace carom
