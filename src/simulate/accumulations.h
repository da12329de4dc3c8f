#pragma once

#include <map>
#include <vector>

#include "carom/simulate/archive.h"

namespace carom::simulate {

/// Impacts of the same bodies that follow each other ever faster, infinitely many in finite time. Remembers the last
/// impacts of as many groups of bodies as there are bodies, a few times over: of more, those that met last.
class Accumulations {
 public:
  explicit Accumulations(std::size_t bodies);

  /// An impact of `bodies`, ascending. Where it is `at_rest`, too slow to bounce, and ends a sequence: the times of its
  /// last impacts, this one included. See end_of_bounces.h.
  std::vector<double> note(double t, const std::vector<int>& bodies, bool at_rest);

  /// The times of earlier impacts of these bodies, ascending, that `note` was not told.
  void recall(const std::vector<int>& bodies, const std::vector<double>& times);

  void archived(Archive& archive) { archive& sequences_; }

  static constexpr std::size_t kRemembered = 12;  // impacts of a sequence

 private:
  struct Sequence {
    std::vector<double> times;  // of the last impacts
    double last = 0;            // [s]
    bool resting = false;       // it has come to its end

    void archived(Archive& archive) { archive& times& last& resting; }
  };
  void forget_old();

  std::map<std::vector<int>, Sequence> sequences_;  // by bodies
  std::size_t most_;
};

}  // namespace carom::simulate
