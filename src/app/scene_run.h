#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/app/control.h"
#include "carom/app/ready_scene.h"
#include "carom/record/run_summary.h"
#include "carom/record/scene_check.h"
#include "carom/scene/scene.h"

namespace carom::app {

/// Reads a scene, "-" from standard input, and builds its model. Throws ReadError, also for formats of the results that
/// this build cannot write.
ReadyScene read_scene(const std::string& file, scene::SceneOptions options = {});

/// The same from a text, with a name for messages. Formats are not looked at.
ReadyScene parse_scene(std::string text, const std::string& name, scene::SceneOptions options = {});

/// Starts the scene from a recorded state. Returns where the recorded bodies are in its model.
std::vector<int> start_from(ReadyScene& ready, const scene::RecordedRun& recorded);

/// Throws ReadError if the law cannot treat the contacts of the scene or does not go with the scheme.
void require_law(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law);

/// Throws ReadError if the scene cannot be moved by this scheme whatever the law.
void require_start(const ReadyScene& ready, const Scheme& scheme);

/// Throws ReadError if the scene cannot be run as it is; what it is.
record::SceneCheck check_scene(const ReadyScene& ready);

/// One run of a scene.
struct SceneRun {
  record::RunTitle title;
  RunSummary summary;
  std::vector<std::string> files;  // that were written
  record::Json document;           // summary.json
  record::Json report = nullptr;   // "carom-report/1", if it was wanted
};

/// What is run, for results and reports.
record::RunTitle title_of(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law);

/// What is wanted of a run beside its files.
struct RunWishes {
  Observer* guest = nullptr;  // watches, too
  bool report = false;        // in SceneRun::report
};

/// Moves the scene under a law and writes the results into the folder; an empty one: writes nothing. A cancelled run
/// keeps what was recorded by then and is not-finished. Throws ReadError before anything is written.
SceneRun run_scene(const ReadyScene& ready, const ImpactLaw& law, const std::filesystem::path& folder,
                   const Control& control = {}, const RunWishes& wishes = {});

/// The same by another scheme than the scene's, of what require_start and require_law have let through.
SceneRun run_checked_scene(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law,
                           const std::filesystem::path& folder, const Control& control = {},
                           const RunWishes& wishes = {});

}  // namespace carom::app
