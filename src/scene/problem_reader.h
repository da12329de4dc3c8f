#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/impact/problem.h"
#include "carom/laws/all.h"
#include "carom/scene/document.h"
#include "carom/scene/overrides.h"

namespace carom::scene {

/// A file that describes one impact.
struct ProblemFile {
  ImpactProblem problem;
  std::optional<ImpactLaw> law;    // none: the file leaves it open
  std::vector<Vector> candidates;  // (n) velocities after the impact, to be judged
  Vector h;                        // (n) generalized forces, for lasting contact; empty: none are given
  Vector bias;                     // (rows) accelerations of the contacts where u' = 0; empty = 0
  std::string about;               // a line of explanation
  Document document;               // for the places of errors found later: see located()

  /// How it is solved: its reader has validated it.
  SolveOptions how() const {
    SolveOptions options;
    options.validated = true;
    return options;
  }
};

/// Reads a problem, from a file or from standard input for "-", and validates it. Throws ReadError.
ProblemFile read_problem(const std::string& path, const Overrides& overrides = {});
ProblemFile read_problem(Document document, const Overrides& overrides = {});

}  // namespace carom::scene
