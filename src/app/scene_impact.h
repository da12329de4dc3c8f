#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/app/scene_run.h"
#include "carom/record/impact_report.h"
#include "carom/scene/problem_reader.h"

namespace carom::app {

/// Which impact of a run is meant.
struct ImpactAt {
  long number = 1;               // counted from 1, as in impacts.csv
  std::optional<double> t = {};  // [s] instead: the first one at or after this time
};

/// "first", a number from 1, or "t=0.35". Throws InputError with the place --at.
ImpactAt parse_impact_at(std::string_view text);

/// One impact of a scene as a problem of its own.
struct SceneImpact {
  scene::ProblemFile file;                                  // as `carom impact` would read it from `document`
  record::Json document;                                    // "carom-problem/1", with the law of the run
  long number = 0;                                          // counted from 1
  double t = 0;                                             // [s]
  std::vector<std::string> velocities;                      // (n) names of the entries of u: "bead 1 vx"
  std::vector<std::string> remarks;                         // one line each
  std::optional<record::ImpactScene> scene = std::nullopt;  // where it happens, if it was wanted
};

/// Whether SceneImpact::scene is wanted.
enum class Surroundings { left_out, kept };

/// Moves the scene under its law until that impact. A scene that moves under contact forces has no instants: it is
/// moved event-driven instead, which a remark says. Throws ReadError if the scene cannot be run, and InputError with
/// the place --at if the run has no such impact.
SceneImpact impact_of(const ReadyScene& ready, const ImpactAt& at, const Control& control = {},
                      Surroundings surroundings = Surroundings::left_out);

}  // namespace carom::app
