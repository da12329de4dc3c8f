#pragma once

#include <filesystem>
#include <string>

#include "carom/app/ready_scene.h"
#include "carom/app/run_watcher.h"
#include "carom/record/restart_json.h"
#include "carom/record/results_folder.h"

namespace carom::app {

/// What another run needs to go on with this one: kept while it runs, whole at its end.
class KeptRun {
 public:
  /// `of`: its fingerprint. Tells the watcher to keep checkpoints. All must outlive this.
  KeptRun(const ReadyScene& ready, const record::RunTitle& title, std::string of, record::RunSinks& sinks,
          std::filesystem::path folder, const record::ResultsFolder& results, RunWatcher& watcher);
  KeptRun(const KeptRun&) = delete;
  KeptRun& operator=(const KeptRun&) = delete;

  /// The run has ended and its tables are closed: they become one with those of an earlier part, and what is needed to
  /// go on is written.
  void finish(const RunSummary& summary);

 private:
  void save() const;
  void write(const std::vector<simulate::Checkpoint>& checkpoints, const RunSummary& summary) const;

  const ReadyScene& ready_;
  const record::RunTitle& title_;
  record::Restart restart_;
  std::filesystem::path folder_, unfinished_;
  const RunWatcher& watcher_;
  record::RunSinks::Sizes names_;  // [bytes] of the first lines
  CheckpointKeeper keeper_;
};

}  // namespace carom::app
