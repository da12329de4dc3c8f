#include "carom/app/scene_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>

#include "carom/record/output_file.h"
#include "carom/record/problem_json.h"
#include "carom/record/report_html.h"
#include "carom/record/restart_json.h"
#include "carom/record/results_folder.h"
#include "carom/record/rows_before.h"
#include "carom/record/run_sinks.h"
#include "carom/scene/restart_reader.h"

namespace carom::app {
namespace {

constexpr double kStatesByDefault = 1000;
constexpr double kNothingLeft = 1e-9;  // of the duration

/// A scene as it was written; empty for standard input, which cannot be read twice.
std::string text_of(const ReadyScene& ready) {
  if (!ready.text.empty() || ready.file == "-") return ready.text;
  std::ifstream stream(ready.file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// Errors of the model and of the run, with their places in the scene.
template <class Act>
auto with_places(const scene::Scene& scene, Act&& act) {
  try {
    return act();
  } catch (const OutputError&) {
    throw;
  } catch (const InputError& error) {
    throw scene::located(error, scene);
  }
}

/// What another scheme may know: each remembers things of its own.
RunMemory bodies_alone(const RunMemory& memory) {
  RunMemory rest;
  rest.known = memory.known;
  return rest;
}

/// Starts the scene from a recorded state. Returns where the recorded bodies are in its model.
std::vector<int> start_from(ReadyScene& ready, const scene::RecordedRun& recorded) {
  scene::GoingOn on = scene::going_on(recorded, ready.model, ready.start);
  ready.start = std::move(on.state);
  ready.memory = std::move(on.memory);
  if (recorded.scheme != name_of(ready.scene.scheme)) ready.memory = bodies_alone(ready.memory);
  return on.body_of;
}

/// The model of a scene that was read, and where it starts.
void build(ReadyScene& ready) {
  with_places(ready.scene, [&] {
    const scene::Scene& scene = ready.scene;
    ready.model = Model(scene.description);
    ready.start = ready.model.state(scene.placement, scene.clock);
    if (scene.start) start_from(ready, *scene.start);
  });
}

/// Rows of results can be added to; other formats are whole.
void require_rows(const ReadyScene& ready) {
  for (const std::string& format : ready.scene.recording.formats)
    if (format != "csv")
      throw InputError("record.formats",
                       fmt::format("has \"{}\"; only csv results can be gone on with: start = {{run = "
                                   "...}} in a scene goes on into another folder",
                                   format));
}

/// Writes the results and tells how far the run is.
class Watcher : public Observer {
 public:
  Watcher(const record::RunTitle& title, double begin, const Control& control, std::array<Observer*, 3> watching)
      : title_(title), begin_(begin), control_(control), watching_(watching) {}

  bool wants_forces() const override {
    return std::any_of(watching_.begin(), watching_.end(),
                       [](const Observer* one) { return one && one->wants_forces(); });
  }
  void state(const Model& model, const State& state, const Ledger& ledger) override {
    for_each([&](Observer& one) { one.state(model, state, ledger); });
  }
  void impact(const Model& model, const ImpactEvent& event) override {
    for_each([&](Observer& one) { one.impact(model, event); });
  }
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override {
    for_each([&](Observer& one) { one.contacts(model, t, forces); });
  }
  void joints(const Model& model, double t, const std::vector<JointForce>& forces) override {
    for_each([&](Observer& one) { one.joints(model, t, forces); });
  }
  void event(const Model& model, const RunEvent& event) override {
    for_each([&](Observer& one) { one.event(model, event); });
  }
  void closure(const Model& model, const ContactClosure& closure) override {
    for_each([&](Observer& one) { one.closure(model, closure); });
  }
  void progress(double t, long impacts) override {
    if (control_.progress) control_.progress({title_.law, t - begin_, title_.duration, impacts});
  }

 private:
  template <class Act>
  void for_each(Act&& act) {
    for (Observer* one : watching_)
      if (one != nullptr) act(*one);
  }

  const record::RunTitle& title_;
  double begin_;  // [s]
  const Control& control_;
  std::array<Observer*, 3> watching_;  // some may be missing
};

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
void write_worst_step(SceneRun& done, const ImpactLaw& law, const std::filesystem::path& folder) {
  const Approximations& below = done.summary.approximations;
  if (!below.worst_problem) return;
  const std::string about = fmt::format("{}, t = {} s: {}, residual {:.1e}", done.title.scene, below.worst_time,
                                        to_string(below.worst_rung), below.worst_residual);
  record::write_file(folder / record::worst_step_file,
                     record::problem_json(*below.worst_problem, below.worst_law.value_or(law), about).dump(2) + "\n");
  done.files.emplace_back(record::worst_step_file);
}

}  // namespace

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
          .options = ready.scene.document.options};
}

RunOptions options_of(const ReadyScene& ready) {
  const scene::Scene& scene = ready.scene;
  return {.duration = scene.duration,
          .interval = scene.recording.interval.value_or(scene.duration / kStatesByDefault),
          .stop = scene.stop,
          .sets = scene.sets,
          .memory = ready.memory,
          .so_far = ready.so_far};
}

ReadyScene resumed(ReadyScene ready, const std::filesystem::path& folder) {
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
    Watcher watcher(done.title, options.begin(ready.start), control,
                    {sinks ? &*sinks : nullptr, report ? &*report : nullptr, wishes.guest});
    done.summary = run_ready(ready.model, ready.start, scheme, law, options, watcher);
    if (report) report->ended(done.summary);
    if (report) done.report = report->json();
    if (!sinks) return;
    sinks->ended(ready.model, done.summary);
    sinks->close();
    done.files = {"summary.json"};
    done.files.insert(done.files.end(), sinks->files().begin(), sinks->files().end());
  });
  if (writes) {
    write_worst_step(done, law, results->unfinished());
    record::write_file(
        results->unfinished() / record::restart_file,
        record::restart_json(done.title, ready.model, options.begin(ready.start), done.summary).dump() + "\n");
    done.files.emplace_back(record::restart_file);
    if (ready.so_far)
      for (const std::string& file : done.files) record::add_rows_before(folder / file, results->unfinished() / file);
  }
  done.document = record::to_json(done.title, ready.model, done.summary, done.files);
  if (!writes) return done;
  record::write_file(results->unfinished() / "summary.json", done.document.dump(2) + "\n");
  std::vector<std::string> older = record::run_file_names();
  older.emplace_back(record::worst_step_file);
  older.emplace_back(record::restart_file);
  results->finish(older);
  return done;
}

}  // namespace carom::app
