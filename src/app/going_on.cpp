#include "carom/app/going_on.h"

#include <fmt/format.h>

#include "carom/app/fingerprint.h"
#include "carom/record/checkpoints_file.h"
#include "carom/record/restart_json.h"
#include "carom/record/results_folder.h"
#include "carom/record/rows_before.h"
#include "carom/scene/restart_reader.h"

namespace carom::app {
namespace {

constexpr double kNothingLeft = 1e-9;  // of the duration

/// Rows of results can be added to; other formats are whole.
void require_rows(const ReadyScene& ready) {
  for (const std::string& format : ready.scene.recording.formats)
    if (format != "csv")
      throw InputError("record.formats",
                       fmt::format("has \"{}\"; only csv results can be gone on with: start = {{run = "
                                   "...}} in a scene goes on into another folder",
                                   format));
}

/// Whether a recorded run is one of this scene. Located motion keeps the interval of its records where the scene gives
/// none, because its steps end there.
bool is_run_of(ReadyScene& ready, const scene::RecordedRun& recorded) {
  if (recorded.of.empty()) return false;
  std::optional<double>& interval = ready.scene.recording.interval;
  const std::optional<double> given = interval;
  if (std::holds_alternative<ForcedMotion>(ready.scene.scheme) && !interval) interval = recorded.interval;
  if (fingerprint(ready, ready.scene.scheme, ready.scene.law) == recorded.of) return true;
  interval = given;
  return false;
}

/// From a checkpoint, nullptr: from the beginning.
void go_on_from(ReadyScene& ready, const scene::RecordedRun& recorded, const simulate::Checkpoint* checkpoint) {
  const double from = ready.goes_on ? ready.goes_on->from : -std::numeric_limits<double>::infinity();
  ready.goes_on = GoesOn{.from = from, .beginning = recorded.beginning};
  ready.start = ready.model.state(ready.scene.placement, recorded.begin);
  ready.memory = {};
  if (recorded.beginning) {
    ready.start = *recorded.beginning;
    ready.memory.known.assign(ready.model.bodies().size(), 1);
  }
  ready.so_far.reset();
  if (!checkpoint) return;
  ready.goes_on->inner = checkpoint->inner;
  ready.so_far = RunSoFar{recorded.begin, {}};
}

void move_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code error;
  std::filesystem::rename(from, to, error);
  if (error) throw OutputError(to.string(), "cannot be written: " + error.message());
}

/// Makes results of what a run has left that was killed: rows up to its last checkpoint.
void recover(const std::filesystem::path& folder) {
  const std::filesystem::path left = folder / "unfinished";
  std::error_code none;
  if (!std::filesystem::is_regular_file(left / record::restart_file, none) ||
      !std::filesystem::is_regular_file(left / record::checkpoints_file, none))
    return;
  const record::FolderLock lock(folder);
  scene::RecordedRun killed = scene::read_end_of(left.string());
  if (killed.checkpoints.empty()) return;
  auto& tables = killed.checkpoints.back().tables;
  for (auto& [file, size] : tables) {
    if (!std::filesystem::is_regular_file(left / file, none)) continue;
    record::cut_file(left / file, size);
    if (const auto before = killed.earlier.find(file); before != killed.earlier.end())
      record::add_rows_before(folder / file, before->second, left / file);
    size = std::filesystem::file_size(left / file, none);
  }
  record::write_checkpoints(left / record::checkpoints_file, killed.checkpoints);
  // Last what tells that the rest is there: until then the older results can still be gone on with.
  for (const auto& [file, size] : tables)
    if (std::filesystem::is_regular_file(left / file, none)) move_file(left / file, folder / file);
  std::filesystem::remove(folder / "summary.json", none);
  move_file(left / record::checkpoints_file, folder / record::checkpoints_file);
  move_file(left / record::restart_file, folder / record::restart_file);
}

}  // namespace

ReadyScene in_one_piece(ReadyScene ready) {
  if (!ready.scene.start) return ready;
  const scene::RecordedRun& recorded = *ready.scene.start;
  const double duration = ready.scene.duration, from = recorded.recorded_t;
  const auto& checkpoints = recorded.checkpoints;
  if (recorded.has_clock || !is_run_of(ready, recorded)) return ready;
  with_places(ready.scene, [&] {
    const simulate::Checkpoint* last = nullptr;
    for (const simulate::Checkpoint& one : checkpoints)
      if (one.t < from && (!last || one.t >= last->t)) last = &one;
    if (!ready.scene.recording.interval) ready.scene.recording.interval = recorded.interval;
    go_on_from(ready, recorded, last);
    ready.goes_on->from = from;
    ready.scene.duration = from - recorded.begin + duration;
    ready.started.in_one_piece = true;
  });
  return ready;
}

ReadyScene resumed(ReadyScene ready, const std::filesystem::path& folder) {
  recover(folder);
  const scene::RecordedRun recorded = scene::read_end_of(folder.string());
  with_places(ready.scene, [&] {
    require_rows(ready);
    const std::string where = fmt::format("--resume: {}", folder.string());
    if (recorded.scheme != name_of(ready.scene.scheme))
      throw scene::ReadError(where, fmt::format("was run by the scheme {}, the scene has {}; a run goes on by its own",
                                                recorded.scheme, name_of(ready.scene.scheme)));
    const double left = recorded.begin + ready.scene.duration - recorded.t;
    if (!(left > kNothingLeft * ready.scene.duration))
      throw scene::ReadError(where, fmt::format("arrived at t = {:.9g} s, the end; to go on, give a longer duration: "
                                                "--set duration={:.9g}",
                                                recorded.t, 2 * ready.scene.duration));
    ready.adds_rows = true;
    ready.started = {folder.string(), recorded.t, true};
    if (!recorded.checkpoints.empty() && is_run_of(ready, recorded)) {
      const simulate::Checkpoint& last = recorded.checkpoints.back();
      ready.cut = last.tables;
      go_on_from(ready, recorded, &last);
      ready.goes_on->checkpoints = recorded.checkpoints;
      return;
    }
    ready.started.in_one_piece = false;
    ready.goes_on.reset();
    const std::vector<int> body_of = start_from(ready, recorded);
    for (std::size_t body = 0; body < ready.memory.known.size(); ++body)
      if (!ready.memory.known[body] || body_of[body] != static_cast<int>(body))
        throw scene::ReadError(where, fmt::format("has no body {} \"{}\"; a run goes on with the bodies it had, in "
                                                  "their order",
                                                  body + 1, ready.model.bodies()[body].name));
    ready.so_far = RunSoFar{recorded.begin, recorded.so_far};
  });
  return ready;
}

}  // namespace carom::app
