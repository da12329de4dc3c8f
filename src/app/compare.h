#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "carom/app/scene_run.h"
#include "carom/impact/path.h"
#include "carom/record/column.h"
#include "carom/record/run_comparison.h"
#include "carom/scene/problem_reader.h"

namespace carom::app {

/// Whether the states inside impacts are wanted.
enum class Inside { ignored, kept };

/// One impact under several laws.
struct ComparedImpacts {
  std::vector<record::ColumnTitle> columns;
  std::vector<ImpactOutcome> outcomes;     // (columns)
  std::vector<Path> paths;                 // (columns) if they were wanted; empty for laws that jump
  std::vector<std::string> left_out;       // one line each: laws that do not apply, and why
  std::vector<std::string> not_reading_e;  // laws that take no notice of the contacts' e, where e makes a difference
};

/// The laws of these words, NAME or NAME{key=value,...}, with the file's parameters for its own law; no words: all laws
/// that apply. Throws ReadError if there is no such law, if a law that is named does not apply, and if none does.
/// `begins` is told the label of each law, its number from 1 and how many there are; where `watch` is cancelled, what
/// has not begun is left out.
struct Waiter {
  std::function<void(const std::string& label, std::size_t number, std::size_t of)> begins = {};
  Watch* watch = nullptr;
};
ComparedImpacts compare_impacts(const scene::ProblemFile& file, const std::vector<std::string>& laws,
                                Inside inside = Inside::ignored, const Waiter& waiter = {});

/// Whether SceneRun::report is wanted of each run.
enum class Reports { left_out, kept };

/// One scene under several laws.
struct ComparedRuns {
  std::vector<record::ColumnTitle> columns;  // at least one
  std::vector<SceneRun> runs;                // (columns)
  std::vector<record::FirstImpacts> first;   // (columns)
  std::vector<std::string> left_out;         // one line each: laws that do not apply or were cancelled
  std::vector<std::string> remarks;          // one line each: what is worth knowing of a column

  std::vector<record::ComparedRun> compared(const Model& model) const;  // as long as these runs live
};

/// The same for a scene; the results of each law go into a folder of its name and parameters. A contact force moves by
/// the scheme compliant where stiffnesses are known; the others by the scene's scheme, or event-driven if the scene's
/// is compliant; NAME{scheme=...} says otherwise. All laws are checked before the first one runs. Where cancelled, the
/// laws that have not begun are left out.
ComparedRuns compare_runs(const ReadyScene& ready, const std::vector<std::string>& laws,
                          const std::filesystem::path& folder, const Control& control = {},
                          Reports reports = Reports::left_out);

/// What people read of it.
std::string comparison_text(const Model& model, const ComparedRuns& compared);

}  // namespace carom::app
