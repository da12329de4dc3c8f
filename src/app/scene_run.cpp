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
#include "carom/record/results_folder.h"
#include "carom/record/run_sinks.h"

namespace carom::app {
namespace {

constexpr double kStatesByDefault = 1000;

/// A scene as it was written; empty for standard input, which cannot be read twice.
std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return file == "-" ? std::string() : std::string(std::istreambuf_iterator<char>(stream), {});
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

RunOptions options_of(const scene::Scene& scene) {
  return {.duration = scene.duration,
          .interval = scene.recording.interval.value_or(scene.duration / kStatesByDefault),
          .stop = scene.stop};
}

/// Writes the results and tells how far the run is.
class Watcher : public Observer {
 public:
  Watcher(const record::RunTitle& title, const Control& control, record::RunSinks* sinks, Observer* guest)
      : title_(title), control_(control), watching_{sinks, guest} {}

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
    if (control_.progress) control_.progress({title_.law, t, title_.duration, impacts});
  }

 private:
  template <class Act>
  void for_each(Act&& act) {
    for (Observer* one : watching_)
      if (one != nullptr) act(*one);
  }

  const record::RunTitle& title_;
  const Control& control_;
  std::array<Observer*, 2> watching_;
};

/// The outputs that the scene asks for, its report among them where this build has one.
std::vector<std::string> formats_of(const scene::Recording& recording) {
  std::vector<std::string> formats = recording.formats;
  if (recording.report.value_or(true) && record::has_report()) formats.emplace_back(record::ReportHtml::format);
  return formats;
}

/// The problem of the step that was answered worst, for `carom impact`.
void write_worst_step(SceneRun& done, const ImpactLaw& law, const std::filesystem::path& folder) {
  const Approximations& below = done.summary.approximations;
  if (!below.worst_problem) return;
  const std::string about = fmt::format("{}, t = {} s: {}, residual {:.1e}", done.title.scene, below.worst_time,
                                        to_string(below.worst_rung), below.worst_residual);
  record::write_file(folder / record::worst_step_file,
                     record::problem_json(*below.worst_problem, law, about).dump(2) + "\n");
  done.files.emplace_back(record::worst_step_file);
}

}  // namespace

ReadyScene read_scene(const std::string& file, scene::SceneOptions options) {
  options.formats = record::run_formats();
  scene::Scene scene = scene::read_scene(file, options);
  return with_places(scene, [&] {
    record::require_formats(scene.recording.formats);
    Model model(scene.description);
    State start = model.state(scene.placement);
    return ReadyScene{file, std::move(scene), std::move(model), std::move(start)};
  });
}

void require_law(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law) {
  with_places(ready.scene, [&] { carom::require_law(ready.model, ready.start, scheme, law); });
}

void require_start(const ReadyScene& ready, const Scheme& scheme) {
  const scene::Scene& scene = ready.scene;
  with_places(scene, [&] { carom::require_start(ready.model, ready.start, scheme, options_of(scene)); });
}

record::SceneCheck check_scene(const ReadyScene& ready) {
  const scene::Scene& scene = ready.scene;
  with_places(scene, [&] { require_ready(ready.model, ready.start, scene.scheme, scene.law, options_of(scene)); });
  return record::check_scene(ready.model, ready.start, scene.hints);
}

SceneRun run_scene(const ReadyScene& ready, const ImpactLaw& law, const std::filesystem::path& folder,
                   const Control& control) {
  const scene::Scene& scene = ready.scene;
  with_places(scene, [&] { require_ready(ready.model, ready.start, scene.scheme, law, options_of(scene)); });
  return run_checked_scene(ready, scene.scheme, law, folder, control);
}

SceneRun run_checked_scene(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law,
                           const std::filesystem::path& folder, const Control& control, Observer* guest) {
  const scene::Scene& scene = ready.scene;
  RunOptions options = options_of(scene);
  options.cancelled = control.cancelled;
  options.deadline = control.deadline;
  const bool writes = !folder.empty();
  std::optional<record::ResultsFolder> results;
  if (writes) results.emplace(folder);
  SceneRun done;
  done.title = {ready.file,
                scene.title,
                scene.about,
                scheme,
                name_of(law),
                options.duration,
                options.interval,
                law,
                writes ? text_of(ready.file) : "",
                scene.document.options};
  with_places(scene, [&] {
    std::optional<record::RunSinks> sinks;
    if (writes) sinks.emplace(formats_of(scene.recording), done.title, ready.model, results->unfinished());
    Watcher watcher(done.title, control, sinks ? &*sinks : nullptr, guest);
    done.summary = run_ready(ready.model, ready.start, scheme, law, options, watcher);
    if (!sinks) return;
    sinks->ended(ready.model, done.summary);
    sinks->close();
    done.files = {"summary.json"};
    done.files.insert(done.files.end(), sinks->files().begin(), sinks->files().end());
  });
  if (writes) write_worst_step(done, law, results->unfinished());
  done.document = record::to_json(done.title, ready.model, done.summary, done.files);
  if (!writes) return done;
  record::write_file(results->unfinished() / "summary.json", done.document.dump(2) + "\n");
  std::vector<std::string> older = record::run_file_names();
  older.emplace_back(record::worst_step_file);
  results->finish(older);
  return done;
}

}  // namespace carom::app
