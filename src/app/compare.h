#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/app/scene_run.h"
#include "carom/scene/problem_reader.h"

namespace carom::app {

/// One impact under several laws.
struct ComparedImpacts {
  std::vector<ImpactOutcome> outcomes;
  std::vector<std::string> left_out;       // one line each: laws that do not apply, and why
  std::vector<std::string> not_reading_e;  // laws that take no notice of the contacts' e, where e makes a difference
};

/// The laws of these names, with the file's parameters for its own law; no names: all laws that apply. Throws ReadError
/// if there is no such law, if a law that is named does not apply, and if none does.
ComparedImpacts compare_impacts(const scene::ProblemFile& file, const std::vector<std::string>& laws);

/// One scene under several laws.
struct ComparedRuns {
  std::vector<SceneRun> runs;         // at least one
  std::vector<std::string> left_out;  // one line each: laws that do not apply or were cancelled
};

/// The same for a scene; the results of each law go into a folder of its name. All laws are checked before the first
/// one runs. Where cancelled, the laws that have not begun are left out.
ComparedRuns compare_runs(const ReadyScene& ready, const std::vector<std::string>& laws,
                          const std::filesystem::path& folder, const Control& control = {});

}  // namespace carom::app
