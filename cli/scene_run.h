#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "record/run_summary.h"
#include "scene/scene.h"

namespace carom::cli {

/// A scene with its model, which any law may move.
struct ReadyScene {
  std::string file;
  scene::Scene scene;
  Model model;
  State start;
};

/// Reads a scene and builds its model. Throws ReadError.
ReadyScene read_scene(const std::string& file, const std::optional<std::string>& law,
                      const std::vector<std::string>& settings);

/// Throws ReadError if the law cannot treat the contacts of the scene or does not go with its scheme.
void require_law(const ReadyScene& ready, const ImpactLaw& law);

/// The same, and if the scene cannot be moved at all, before anything is written.
void require_ready(const ReadyScene& ready, const ImpactLaw& law);

/// One run of a scene.
struct SceneRun {
  record::RunTitle title;
  RunSummary summary;
  std::vector<std::string> files;  // that were written
  record::Json document;           // summary.json
};

struct RunTarget {
  std::filesystem::path folder;  // of the results; empty: nothing is written
  bool progress = true;          // a bar on standard error where that is a terminal
  std::string label;             // before the bar
};

SceneRun simulate(const ReadyScene& ready, const ImpactLaw& law, const RunTarget& target);

}  // namespace carom::cli
