#include "scene_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "progress.h"
#include "record/hdf5_run.h"
#include "record/problem_json.h"
#include "record/run_files.h"
#include "record/vtk_series.h"

namespace carom::cli {
namespace {

constexpr double kStatesByDefault = 1000;

/// Errors of the model and of the run, with their places in the scene.
template <class Act>
auto with_places(const scene::Scene& scene, Act&& act) {
  try {
    return act();
  } catch (const InputError& error) {
    throw scene::located(error, scene);
  }
}

carom::RunOptions options_of(const scene::Scene& scene) {
  return {scene.duration, scene.recording.interval.value_or(scene.duration / kStatesByDefault)};
}

bool wants(const scene::Scene& scene, scene::Recording::Format format) {
  const std::vector<scene::Recording::Format>& formats = scene.recording.formats;
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

/// What a run writes while it goes on. HDF5 has the impacts too, so it replaces CSV unless that is asked for.
class Files {
 public:
  Files(const ReadyScene& ready, const record::RunTitle& title, const std::filesystem::path& folder) {
    using Format = scene::Recording::Format;
    if (folder.empty()) return;
    names = {"summary.json"};
    const bool csv = wants(ready.scene, Format::csv), hdf5 = wants(ready.scene, Format::hdf5);
    if (csv) add(trajectory_, "trajectory.csv", ready.model, folder);
    if (csv || !hdf5) add(impacts_, "impacts.csv", folder);
    if (wants(ready.scene, Format::vtk)) add(series_, "states.pvd", folder);
    if (hdf5) add(hdf5_, "run.h5", title, ready.model, folder);
  }

  void close() {
    if (impacts_) impacts_->close();
    if (trajectory_) trajectory_->close();
    if (series_) series_->close();
    if (hdf5_) hdf5_->close();
  }

  record::Observers observers;
  std::vector<std::string> names;

 private:
  template <class File, class... Arguments>
  void add(std::optional<File>& file, const char* name, const Arguments&... arguments) {
    observers.add(file.emplace(arguments...));
    names.emplace_back(name);
  }

  std::optional<record::TrajectoryCsv> trajectory_;
  std::optional<record::ImpactsCsv> impacts_;
  std::optional<record::VtkSeries> series_;
  std::optional<record::Hdf5Run> hdf5_;
};

/// The problem of the step that was answered worst, for `carom impact`.
void write_worst_step(SceneRun& done, const ImpactLaw& law, const std::filesystem::path& folder) {
  const Approximations& below = done.summary.approximations;
  if (!below.worst_problem) return;
  const std::string about = fmt::format("{}, t = {} s: {}, residual {:.1e}", done.title.scene, below.worst_time,
                                        to_string(below.worst_rung), below.worst_residual);
  const std::string name(record::worst_step_file);
  write_into(folder.string(), name, record::problem_json(*below.worst_problem, law, about).dump(2) + "\n");
  done.files.push_back(name);
}

}  // namespace

ReadyScene read_scene(const std::string& file, const std::optional<std::string>& law,
                      const std::vector<std::string>& settings) {
  scene::Scene scene = scene::read_scene(file, {law, settings});
  return with_places(scene, [&] {
    if (wants(scene, scene::Recording::Format::hdf5) && !record::has_hdf5())
      throw InputError("record.formats", "has \"hdf5\"; this tool was built without HDF5 (libhdf5-dev)");
    Model model(scene.description);
    State start = model.state(scene.placement);
    return ReadyScene{file, std::move(scene), std::move(model), std::move(start)};
  });
}

void require_law(const ReadyScene& ready, const ImpactLaw& law) {
  with_places(ready.scene, [&] { require_scheme_and_law(ready.model, ready.scene.scheme, law); });
}

void require_ready(const ReadyScene& ready, const ImpactLaw& law) {
  with_places(ready.scene, [&] {
    carom::require_ready(ready.model, ready.start, ready.scene.scheme, law, options_of(ready.scene));
  });
}

SceneRun simulate(const ReadyScene& ready, const ImpactLaw& law, const RunTarget& target) {
  const scene::Scene& scene = ready.scene;
  const carom::RunOptions options = options_of(scene);
  SceneRun result;
  result.title = {ready.file, scene.title, scene.about, scene.scheme, name_of(law), options.duration, options.interval};
  with_places(scene, [&] {
    Files files(ready, result.title, target.folder);
    ProgressBar bar(scene.duration, target.progress, target.label);
    files.observers.add(bar);
    result.summary = run(ready.model, ready.start, scene.scheme, law, options, files.observers);
    files.close();
    result.files = files.names;
  });
  if (!target.folder.empty()) write_worst_step(result, law, target.folder);
  result.document = record::to_json(result.title, ready.model, result.summary, result.files);
  if (!target.folder.empty()) write_into(target.folder.string(), "summary.json", result.document.dump(2) + "\n");
  return result;
}

}  // namespace carom::cli
