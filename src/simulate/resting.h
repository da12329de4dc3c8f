#pragma once

#include <vector>

#include "carom/model/impact_problem.h"
#include "carom/simulate/archived_values.h"
#include "carom/simulate/scales.h"
#include "carom/simulate/smooth_motion.h"

namespace carom::simulate {

/// The contacts of an island's bodies.
Mode part_of(const Mode& mode, const Island& island);
Mode joined(Mode mode, const Mode& other);

/// Bodies that lie still, with nothing acting on them that changes: they need no looking at until something hits them.
class Resting {
 public:
  explicit Resting(const Model& model);

  /// Takes what rests out of a mode. Velocities that are zero but for rounding become exactly so.
  void take(State& state, Mode& mode, const Scales& scales);
  /// Gives back the contacts of an island, whose bodies rest no more.
  Mode release(const Island& island);
  void release_all();

  const Mode& mode() const { return mode_; }
  /// Whether all of an island rests, and has not been hit.
  bool contains(const State& state, const Island& island) const;
  /// Sets those of the rates of u to zero that belong to bodies at rest.
  void hold(double* rates) const;

  void archived(Archive& archive);

 private:
  bool may_rest(const Island& island) const;
  bool rests(const ContactPair& pair) const;

  const Model& model_;
  std::vector<char> driven_;  // (bodies) something that changes by itself moves it or acts on it
  std::vector<char> rests_;   // (bodies)
  Mode mode_;                 // contacts among bodies at rest, and with walls
};

}  // namespace carom::simulate
