#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/app/control.h"
#include "carom/record/pair_report.h"

namespace carom::app {

/// Which two bodies are to be measured: of a file with two, of a scene, or two shapes.
struct DistanceQuestion {
  std::string file;                        // empty: shapes
  std::vector<std::string> bodies;         // of a scene: two names; none where it has only two bodies
  std::optional<double> t;                 // [s] of a scene: after this much of its run; none: at the start
  std::vector<std::string> settings = {};  // of a scene, as in --set
  std::string shape_a = {}, shape_b = {};  // TOML tables
  int dimension = 2;                       // of the shapes
};

/// Throws ReadError, and InputError for what the options ask.
record::PairReport distance_between(const DistanceQuestion& question, const Control& control = {});

}  // namespace carom::app
