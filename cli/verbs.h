#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/app/scene_impact.h"
#include "carom/scene/problem_reader.h"
#include "output.h"

namespace carom::cli {

/// Options that every verb on a problem has.
struct Common : Output {
  std::string input;
  std::optional<std::string> law;
  std::vector<std::string> settings;

  std::vector<Option> options();
  Option law_option();
  scene::ProblemFile read() const;

  /// Of a scene: the problem of one of its impacts, with a progress bar.
  app::SceneImpact read_impact(const std::string& at,
                               app::Surroundings surroundings = app::Surroundings::left_out) const;

  /// A problem from its file, or from the impact of a scene that --at names, the first without it.
  struct Chosen {
    scene::ProblemFile file;
    std::vector<std::string> velocities = {};  // their names, where a scene has them
    std::string line = {};                     // which bodies they belong to
  };
  Chosen read_chosen(const std::optional<std::string>& at) const;
};

/// Whether a file is a scene, by its name.
bool is_scene(const std::string& file);

/// --at of verbs that take an impact of a scene.
Option at_option(std::optional<std::string>& at);

/// --timeout of verbs that may take long, and what they do then.
Option timeout_option(double& seconds, const std::string& what);

/// Which bodies the velocities of an impact of a scene belong to.
std::string velocities_line(const app::SceneImpact& impact);

/// Every verb; main.cpp lists them.
Verb run_verb();
Verb impact_verb();
Verb compare_verb();
Verb laws_verb();
Verb admissible_verb();
Verb plane_verb();
Verb forces_verb();
Verb force_verb();
Verb rods_verb();
Verb block_verb();
Verb outcomes_verb();
Verb distance_verb();
Verb geodesic_verb();
Verb import_verb();
Verb serve_verb();

}  // namespace carom::cli
