#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "progress.h"
#include "record/run_files.h"
#include "record/run_summary.h"
#include "record/vtk_series.h"
#include "scene/scene.h"

namespace carom::cli {
namespace {

constexpr double kStatesByDefault = 1000;

struct Options {
  std::string scene;
  std::optional<std::string> law;
  std::vector<std::string> settings;
  bool json = false, quiet = false, check = false;
  std::string out;
};

/// The folder of the results: that of --out, else results/ and the name of the scene.
std::filesystem::path folder_of(const Options& options) {
  if (!options.out.empty()) return options.out;
  const std::string stem = std::filesystem::path(options.scene).stem().string();
  return std::filesystem::path("results") / (options.scene == "-" || stem.empty() ? "scene" : stem);
}

/// What a run writes while it goes on.
class Files {
 public:
  Files(const scene::Scene& scene, const Model& model, const std::filesystem::path& folder) : impacts_(folder) {
    const auto wants = [&](scene::Recording::Format format) {
      const std::vector<scene::Recording::Format>& formats = scene.recording.formats;
      return std::find(formats.begin(), formats.end(), format) != formats.end();
    };
    observers.add(impacts_);
    if (wants(scene::Recording::Format::csv)) {
      observers.add(trajectory_.emplace(model, folder));
      names.emplace_back("trajectory.csv");
    }
    if (wants(scene::Recording::Format::vtk)) {
      observers.add(series_.emplace(folder));
      names.emplace_back("states.pvd");
    }
  }

  void close() {
    impacts_.close();
    if (trajectory_) trajectory_->close();
    if (series_) series_->close();
  }

  record::Observers observers;
  std::vector<std::string> names = {"summary.json", "impacts.csv"};

 private:
  record::ImpactsCsv impacts_;
  std::optional<record::TrajectoryCsv> trajectory_;
  std::optional<record::VtkSeries> series_;
};

int simulate(const Options& options, const scene::Scene& scene, const Model& model, const State& start) {
  const double interval = scene.recording.interval.value_or(scene.duration / kStatesByDefault);
  const std::filesystem::path folder = folder_of(options);
  Files files(scene, model, folder);
  RunSummary summary;
  {
    ProgressBar bar(scene.duration, !options.quiet);
    files.observers.add(bar);
    summary = run(model, start, scene.scheme, scene.law, {scene.duration, interval}, files.observers);
  }
  files.close();
  const record::RunTitle title{options.scene,      scene.title,    scene.about, scene.scheme,
                               name_of(scene.law), scene.duration, interval};
  const std::string document = record::to_json(title, model, summary, files.names).dump(2) + "\n";
  write_into(folder.string(), "summary.json", document);
  if (options.json)
    fmt::print("{}", document);
  else if (!options.quiet)
    fmt::print("{}results in {}: {}\n", record::run_text(title, model, summary), folder.string(),
               fmt::join(files.names, ", "));
  return summary.status == Status::solved ? Exit::ok : Exit::no_answer;
}

int run_scene(const Options& options) {
  const scene::Scene scene = scene::read_scene(options.scene, {options.law, options.settings});
  try {
    const Model model(scene.description);
    const State start = model.state(scene.placement);
    require_ready(model, start, scene.scheme, scene.law);
    if (!options.check) return simulate(options, scene, model, start);
  } catch (const scene::ReadError&) {
    throw;
  } catch (const InputError& error) {
    throw scene::located(error, scene);
  }
  if (!options.quiet) fmt::print("{}: nothing wrong\n", options.scene);
  return Exit::ok;
}

}  // namespace

void add_run(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("run", "simulate a scene, print a summary, write its results");
  verb->footer(
      "Examples: carom run scenes/newtons_cradle.toml\n"
      "          carom run scenes/bouncing_ball.toml --set contact.e=0.5 --out ball");
  auto options = std::make_shared<Options>();
  verb->add_option("scene", options->scene, "the scene, a TOML file; - reads standard input")->required();
  verb->add_option("--law", options->law, "use this law instead of the scene's; see carom laws")->type_name("NAME");
  verb->add_option(
          "--set", options->settings,
          "change a value: key=value, for example --set duration=5, --set body[0].mass=2, --set law.tolerance=1e-6")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_flag("--check", options->check, "only read the scene and say what is wrong with it");
  verb->add_flag("--json", options->json, "the summary as one JSON document on standard output and nothing else there");
  verb->add_option("--out", options->out, "the folder of the results; left out: results/ and the scene's name")
      ->type_name("DIR");
  verb->add_flag("--quiet", options->quiet, "no output for people; the exit code tells");
  verb->callback([options, &exit] { exit = run_scene(*options); });
}

}  // namespace carom::cli
