#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/app/scene_impact.h"
#include "carom/scene/problem_reader.h"
#include "command_line.h"

namespace carom::cli {

/// Options that every verb on a problem has.
struct Common {
  std::string input;
  std::optional<std::string> law;
  std::vector<std::string> settings;
  bool json = false;
  bool quiet = false;
  std::string out;

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

/// --report of verbs that show what they find on a page.
Option report_option(std::string& file, const std::string& what);

/// Which bodies the velocities of an impact of a scene belong to.
std::string velocities_line(const app::SceneImpact& impact);

/// Writes a document into the folder of --out, which is made if it does not exist.
void write_into(const std::string& folder, const std::string& name, const std::string& text);

/// Throws InputError, with the option's name as the place, if it is clear before any work that the file cannot be
/// written, or if it is the input. No file: nothing to write.
void require_writable(const std::string& option, const std::string& file, const std::string& input);

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
