#include "carom/app/kept_run.h"

#include "carom/record/checkpoints_file.h"
#include "carom/record/output_file.h"
#include "carom/record/rows_before.h"

namespace carom::app {
namespace {

/// [bytes] of the tables of an earlier part, what stays of them.
record::RunSinks::Sizes kept_of_earlier(const ReadyScene& ready, const record::RunSinks::Sizes& tables,
                                        const std::filesystem::path& folder) {
  record::RunSinks::Sizes kept;
  if (!ready.adds_rows) return kept;
  for (const auto& [file, size] : tables) {
    std::error_code none;
    const std::uint64_t there = std::filesystem::file_size(folder / file, none);
    if (none) continue;
    const auto cut = ready.cut.find(file);
    kept[file] = cut == ready.cut.end() ? there : std::min<std::uint64_t>(there, cut->second);
  }
  return kept;
}

/// Where it is not the scene's.
std::optional<State> beginning_of(const ReadyScene& ready) {
  if (ready.goes_on) return ready.goes_on->beginning;
  if (ready.scene.start || ready.so_far) return ready.start;
  return std::nullopt;
}

}  // namespace

KeptRun::KeptRun(const ReadyScene& ready, const record::RunTitle& title, std::string of, record::RunSinks& sinks,
                 std::filesystem::path folder, const record::ResultsFolder& results, RunWatcher& watcher)
    : ready_(ready),
      title_(title),
      folder_(std::move(folder)),
      unfinished_(results.unfinished()),
      watcher_(watcher),
      names_(sinks.sizes()),
      keeper_(sinks, beginning_of(ready).has_value(),
              ready.goes_on && ready.adds_rows ? ready.goes_on->checkpoints : std::vector<simulate::Checkpoint>{}) {
  const RunOptions options = options_of(ready);
  restart_ = {.of = std::move(of),
              .begin = options.begin(ready.start),
              .interval = options.interval,
              .beginning = beginning_of(ready),
              .earlier = kept_of_earlier(ready, names_, folder_)};
  keeper_.save = [this] { save(); };
  watcher.last = ready.start;
  watcher.keeper = &keeper_;
}

/// A run that is killed is known by the last of its recorded states.
void KeptRun::save() const {
  RunSummary now;
  now.end = watcher_.last;
  now.t_end = now.end.t;
  write(keeper_.all(), now);
}

void KeptRun::write(const std::vector<simulate::Checkpoint>& checkpoints, const RunSummary& summary) const {
  record::write_checkpoints(unfinished_ / record::checkpoints_file, checkpoints);
  record::write_file(unfinished_ / record::restart_file,
                     record::restart_json(title_, ready_.model, restart_, summary).dump() + "\n");
}

void KeptRun::finish(const RunSummary& summary) {
  std::vector<simulate::Checkpoint> checkpoints = keeper_.all();
  for (const auto& [file, bytes] : restart_.earlier) {
    record::add_rows_before(folder_ / file, bytes, unfinished_ / file);
    if (!keeper_.has_own()) continue;
    std::uint64_t& size = checkpoints.back().tables[file];
    size = bytes + size - std::min(size, names_[file]);
  }
  restart_.earlier.clear();
  write(checkpoints, summary);
}

}  // namespace carom::app
