#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "carom/geometry/broad_phase.h"
#include "carom/model/contact_rules.h"
#include "carom/simulate/trajectory_step.h"

namespace carom::simulate {

/// Finds which bodies touch, and when bodies come to touch within a step.
class ContactSearch {
 public:
  ContactSearch(const Model& model, const ContactRules& rules);

  /// Every touch whose gap is at most `margin` times the size of the smaller body plus `distance` [m].
  std::vector<ContactPair> touching(const State& state, double margin, double distance = 0) const;

  /// The same in two parts: pairs that may have such touches, and what touches of some pairs there are.
  std::vector<PartPair> pairs_within(const State& state, double margin, double distance) const;
  std::vector<ContactPair> touching(const State& state, const std::vector<PartPair>& pairs, double margin,
                                    double distance) const;

  /// The first time within a step, as a fraction of it, at which some touch that is not in `closed` closes; one that
  /// touches at the start without being closed closes where it comes back or sinks deeper. Finds
  /// grazing contacts and those that close and open again within the step: an interval is passed only when the bodies
  /// cannot meet in it at their speed, or when it is short against their size and the gap's cubic through values
  /// and rates at both ends stays positive. Where many bodies move far, the step is looked through from its beginning
  /// in windows, each twice as long as the one before.
  std::optional<double> first_closing(const TrajectoryStep& step, const std::vector<ContactPair>& closed) const;

  double smaller_size(const PartPair& parts) const {
    if (parts.is_stop()) return carom::smaller_size(model_, parts);
    return std::min(size_[first_part_[parts.body_a] + parts.part_a], size_[first_part_[parts.body_b] + parts.part_b]);
  }
  double reach(int body) const { return reach_[body]; }  // of its farthest point

  /// A flat wall, and who may meet it.
  struct FlatSide {
    int wall, other;
    Vector3 n, at;  // its normal, and a point of it
    double height(const Vector3& point) const { return n.dot(point - at); }
  };
  /// Nothing where a pair has none.
  std::optional<FlatSide> flat_side(const PartPair& parts, const State& state) const;

 private:
  struct Sample {
    double theta = 0, gap = 0, rate = 0;  // rate per unit of theta
    double speed = 0;                     // bound of |rate|
  };
  class Approach;
  /// A part of a step.
  struct Window {
    double from = 0, to = 1;
  };
  /// What a body may pass through within a window.
  struct Passage {
    geometry::Bounds box;
    bool moves = false;
  };
  double first_window(const TrajectoryStep& step, State& state) const;
  std::optional<double> first_closing_in(const Window& window, const TrajectoryStep& step,
                                         const std::vector<ContactPair>& closed, State& state) const;
  Passage passage_of(const TrajectoryStep& step, const Window& window, int body, State& state) const;
  bool stays_above(const PartPair& parts, const std::vector<Passage>& passages, const State& state) const;

  Vector3 place(const State& state, int body) const;
  std::vector<PartPair> near_pairs(const std::vector<geometry::Bounds>& boxes) const;

  const Model& model_;
  const ContactRules& rules_;
  std::vector<PartPair> stops_;  // of joints
  std::vector<double> reach_;    // (bodies) of the farthest point from the body's origin, or of its stops
  std::vector<double> size_;     // (parts of all bodies) as carom::smaller_size has them
  std::vector<int> first_part_;  // (bodies) among them
};

}  // namespace carom::simulate
