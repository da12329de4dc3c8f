#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom {

/// What happened inside an impact, for laws that follow it: one state an accepted step of the integration, the first at
/// the first touch, the last after the last release.
struct Path {
  struct State {
    double time = 0;     // [s], or what the path is told in; what the law writes:
    Vector Lambda;       // (rows) impulses up to now; a law without friction may write the normals alone (m)
    Vector force;        // (m) normal forces now [N]
    Vector stored;       // (m) energy in the contacts now [J]
    Vector indentation;  // (m) now, below 0 a gap [m]; empty: the law has none
    Vector u, gamma;     // (n), (rows) velocities now; what `solve` adds:
    double kinetic = 0;  // [J]
    Index primary = -1;  // contact that stores most, -1 if none stores any
  };
  enum class Parameter { time, impulse };  // impulse: `time` is the normal impulse of the one contact [kg m/s],
  Parameter parameter = Parameter::time;   // and there are no forces
  std::vector<State> states;
  std::size_t most_states = std::numeric_limits<std::size_t>::max();  // further ones are not kept

  void add(State state) {
    if (states.size() < most_states) states.push_back(std::move(state));
  }
};

}  // namespace carom
