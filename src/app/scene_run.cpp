#include "carom/app/scene_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>

#include "carom/app/fingerprint.h"
#include "carom/app/kept_run.h"
#include "carom/app/run_watcher.h"
#include "carom/record/checkpoints_file.h"
#include "carom/record/output_file.h"
#include "carom/record/problem_json.h"
#include "carom/record/report_html.h"
#include "carom/record/restart_json.h"
#include "carom/record/results_folder.h"
#include "carom/record/run_sinks.h"

namespace carom::app {
namespace {

/// A scene as it was written; empty for standard input, which cannot be read twice.
std::string text_of(const ReadyScene& ready) {
  if (!ready.text.empty() || ready.file == "-") return ready.text;
  std::ifstream stream(ready.file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// What another scheme may know: each remembers things of its own.
RunMemory bodies_alone(const RunMemory& memory) {
  RunMemory rest;
  rest.known = memory.known;
  return rest;
}

/// The model of a scene that was read, and where it starts.
void build(ReadyScene& ready) {
  with_places(ready.scene, [&] {
    const scene::Scene& scene = ready.scene;
    ready.model = Model(scene.description);
    ready.start = ready.model.state(scene.placement, scene.clock);
    if (!scene.start) return;
    start_from(ready, *scene.start);
    ready.started = {scene.start->folder, scene.start->recorded_t, false};
  });
}

/// The outputs that the scene asks for, its report among them where this build has one.
std::vector<std::string> formats_of(const scene::Recording& recording) {
  std::vector<std::string> formats = recording.formats;
  if (recording.report.value_or(true) && record::has_report()) formats.emplace_back(record::ReportHtml::format);
  return formats;
}

/// The sets are a part of the scene's law: another one has none.
LawSets sets_of(const scene::Scene& scene, const ImpactLaw& law) {
  return name_of(law) == name_of(scene.law) ? scene.sets : LawSets{};
}

/// The problem of the step that was answered worst, for `carom impact`.
/// It may be of an earlier part of the run, whose results are in a folder.
void write_worst_step(SceneRun& done, const ImpactLaw& law, const std::filesystem::path& folder,
                      const std::filesystem::path& earlier) {
  const Approximations& below = done.summary.approximations;
  if (!below.worst_problem) {
    std::error_code none;
    if (below.steps == 0 || earlier.empty()) return;
    std::filesystem::copy_file(earlier / record::worst_step_file, folder / record::worst_step_file, none);
    if (!none) done.files.emplace_back(record::worst_step_file);
    return;
  }
  const std::string about = fmt::format("{}, t = {} s: {}, residual {:.1e}", done.title.scene, below.worst_time,
                                        to_string(below.worst_rung), below.worst_residual);
  record::write_file(folder / record::worst_step_file,
                     record::problem_json(*below.worst_problem, below.worst_law.value_or(law), about).dump(2) + "\n");
  done.files.emplace_back(record::worst_step_file);
}

}  // namespace

std::vector<int> start_from(ReadyScene& ready, const scene::RecordedRun& recorded) {
  scene::GoingOn on = scene::going_on(recorded, ready.model, ready.start);
  ready.start = std::move(on.state);
  ready.memory = std::move(on.memory);
  if (recorded.scheme != name_of(ready.scene.scheme)) ready.memory = bodies_alone(ready.memory);
  return on.body_of;
}

ReadyScene read_scene(const std::string& file, scene::SceneOptions options) {
  options.formats = record::run_formats();
  ReadyScene ready{.file = file, .scene = scene::read_scene(file, options)};
  with_places(ready.scene, [&] { record::require_formats(ready.scene.recording.formats); });
  build(ready);
  return ready;
}

ReadyScene parse_scene(std::string text, const std::string& name, scene::SceneOptions options) {
  options.formats = record::run_formats();
  ReadyScene ready{.file = name, .scene = scene::parse_scene(text, name, options)};
  ready.text = std::move(text);
  build(ready);
  return ready;
}

record::RunTitle title_of(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law) {
  const RunOptions options = options_of(ready);
  return {.scene = ready.file,
          .title = ready.scene.title,
          .about = ready.scene.about,
          .scheme = scheme,
          .law = name_of(law),
          .duration = options.duration,
          .interval = options.interval,
          .how = law,
          .text = ready.text,
          .options = ready.scene.document.options,
          .started = ready.started};
}

void require_law(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law) {
  with_places(ready.scene, [&] {
    carom::require_law(ready.model, ready.start, scheme, law);
    require_sets(ready.model, scheme, sets_of(ready.scene, law));
  });
}

void require_start(const ReadyScene& ready, const Scheme& scheme) {
  const scene::Scene& scene = ready.scene;
  with_places(scene, [&] { carom::require_start(ready.model, ready.start, scheme, options_of(ready)); });
}

record::SceneCheck check_scene(const ReadyScene& ready) {
  const scene::Scene& scene = ready.scene;
  with_places(scene, [&] { require_ready(ready.model, ready.start, scene.scheme, scene.law, options_of(ready)); });
  return record::check_scene(ready.model, ready.start, scene.hints);
}

SceneRun run_scene(const ReadyScene& ready, const ImpactLaw& law, const std::filesystem::path& folder,
                   const Control& control, const RunWishes& wishes) {
  const scene::Scene& scene = ready.scene;
  RunOptions options = options_of(ready);
  options.sets = sets_of(scene, law);
  with_places(scene, [&] { require_ready(ready.model, ready.start, scene.scheme, law, options); });
  return run_checked_scene(ready, scene.scheme, law, folder, control, wishes);
}

SceneRun run_checked_scene(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law,
                           const std::filesystem::path& folder, const Control& control, const RunWishes& wishes) {
  const scene::Scene& scene = ready.scene;
  RunOptions options = options_of(ready);
  options.sets = sets_of(scene, law);
  if (name_of(scheme) != name_of(scene.scheme)) options.memory = bodies_alone(options.memory);
  options.cancelled = control.cancelled;
  options.deadline = control.deadline;
  if (ready.goes_on) options.inner = ready.goes_on->inner;
  options.threads = control.threads;
  const bool writes = !folder.empty();
  std::optional<record::ResultsFolder> results;
  if (writes) results.emplace(folder);
  SceneRun done;
  done.title = title_of(ready, scheme, law);
  if (writes) done.title.text = text_of(ready);
  with_places(scene, [&] {
    std::optional<record::RunSinks> sinks;
    if (writes) sinks.emplace(formats_of(scene.recording), done.title, ready.model, results->unfinished());
    std::optional<record::ReportData> report;
    if (wishes.report) report.emplace(done.title, ready.model);
    RunWatcher watcher(done.title, control, {sinks ? &*sinks : nullptr, report ? &*report : nullptr, wishes.guest});
    watcher.begin = options.begin(ready.start);
    if (ready.goes_on) watcher.from = ready.goes_on->from;
    std::optional<KeptRun> kept;
    if (sinks) kept.emplace(ready, done.title, fingerprint(ready, scheme, law), *sinks, folder, *results, watcher);
    done.summary = run_ready(ready.model, ready.start, scheme, law, options, watcher);
    if (report) report->ended(done.summary);
    if (report) done.report = report->json();
    if (!sinks) return;
    sinks->ended(ready.model, done.summary);
    sinks->close();
    done.files = {"summary.json"};
    done.files.insert(done.files.end(), sinks->files().begin(), sinks->files().end());
    write_worst_step(done, law, results->unfinished(), ready.adds_rows ? folder : std::filesystem::path{});
    kept->finish(done.summary);
    done.files.emplace_back(record::restart_file);
    done.files.emplace_back(record::checkpoints_file);
  });
  done.document = record::to_json(done.title, ready.model, done.summary, done.files);
  if (!writes) return done;
  record::write_file(results->unfinished() / "summary.json", done.document.dump(2) + "\n");
  std::vector<std::string> older = record::run_file_names();
  older.emplace_back(record::worst_step_file);
  older.emplace_back(record::restart_file);
  older.emplace_back(record::checkpoints_file);
  results->finish(older);
  return done;
}

}  // namespace carom::app
