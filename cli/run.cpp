#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "carom/app/going_on.h"
#include "carom/record/film_strip.h"
#include "carom/record/report_page.h"
#include "carom/record/terminal_plot.h"
#include "carom/simulate/observers.h"
#include "interrupt.h"
#include "progress.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct SceneOptions : Output {
  std::string scene;
  std::optional<std::string> law;
  std::vector<std::string> settings;
  bool check = false, no_report = false, resume = false, plot = false;
  double timeout = 0;
  int threads = 0;

  /// Curves in the terminal: where people ask for them, and where they look at one.
  bool plots() const { return plot || (!json && !quiet && isatty(STDOUT_FILENO) != 0); }
};

/// The strip of --svg, in the folder of the results where no file is named.
Drawing film_of(const SceneOptions& options, const std::filesystem::path& folder) {
  if (!options.svg || options.check) return {};
  Output output = options;
  output.out = folder.string();
  return picture_of(output, "film.svg", options.scene);
}

/// The folder of the results: that of --out, else results/ and the name of the scene.
std::filesystem::path folder_of(const SceneOptions& options) {
  if (!options.out.empty()) return options.out;
  const std::string stem = std::filesystem::path(options.scene).stem().string();
  return std::filesystem::path("results") / (options.scene == "-" || stem.empty() ? "scene" : stem);
}

void require_scene(const std::string& file) {
  if (std::filesystem::path(file).extension() == ".json")
    throw InputError(file,
                     fmt::format("is a problem, one impact, and scenes are *.toml; carom impact {} solves it", file));
}

int act(const SceneOptions& options) {
  require_scene(options.scene);
  const std::filesystem::path folder = folder_of(options);
  const Drawing strip = film_of(options, folder);
  if (options.plot && options.json) throw InputError("--plot", "is for people; --json prints its document alone");
  app::ReadyScene ready = app::read_scene(options.scene, {.law = options.law, .settings = options.settings});
  ready = app::in_one_piece(std::move(ready));
  if (options.resume) ready = app::resumed(std::move(ready), folder);
  if (options.check) {
    const record::SceneCheck check = app::check_scene(ready);
    if (options.json)
      fmt::print("{}\n", record::check_json(options.scene, check).dump(2));
    else if (!options.quiet)
      fmt::print("{}: nothing wrong\n\n{}", options.scene, record::check_text(check));
    return Exit::ok;
  }
  std::optional<bool>& report = ready.scene.recording.report;
  if (options.no_report) report = false;
  if (report.value_or(false) && !record::has_report())
    fmt::print(stderr, "{}: there will be no report.html: this tool was built without its viewer (node and npm)\n",
               options.scene);
  record::FilmStrip film;
  record::TerminalPlot plot(ready.model);
  std::vector<Observer*> watching;
  if (strip.wanted) watching.push_back(&film);
  if (options.plots()) watching.push_back(&plot);
  simulate::Observers guests(watching);
  ProgressBar bar(!options.quiet);
  const app::SceneRun done = app::run_scene(ready, ready.scene.law, folder,
                                            {.progress = [&](const app::Progress& now) { bar.show(now, ""); },
                                             .cancelled = &interrupted(),
                                             .deadline = deadline_in(options.timeout),
                                             .threads = options.threads},
                                            {.guest = &guests});
  bar.clear();
  if (strip.wanted) strip.write(film.svg(done.title, ready.model));
  if (options.json)
    fmt::print("{}\n", done.document.dump(2));
  else if (!options.quiet && !strip.printed())
    fmt::print("{}{}results in {}: {}\n{}", record::run_text(done.title, ready.model, done.summary),
               options.plots() ? "\n" + plot.text() + "\n" : "", folder.string(), fmt::join(done.files, ", "),
               strip.told("picture"));
  return done.summary.status == RunStatus::not_finished ? Exit::no_answer : Exit::ok;
}

}  // namespace

Verb run_verb() {
  auto options = std::make_shared<SceneOptions>();
  return {
      .name = "run",
      .summary = "simulate a scene, print a summary, write its results",
      .footer =
          "Examples: carom run scenes/newtons_cradle.toml\n"
          "          carom run scenes/bouncing_ball.toml --set contact.e=0.5 --out ball\n"
          "          carom run scenes/tower.toml --timeout 60, later the same with --resume",
      .options = {{.name = "scene",
                   .target = &options->scene,
                   .help = "the scene, a TOML file; - reads standard input",
                   .required = true},
                  {.name = "--law",
                   .target = &options->law,
                   .help = "use this law instead of the scene's, NAME or NAME{key=value,...}; see carom laws",
                   .value = "LAW"},
                  {.name = "--set",
                   .target = &options->settings,
                   .help = "change a value: key=value, for example --set duration=5, --set body[0].mass=2, --set "
                           "law.tolerance=1e-6",
                   .value = "KEY=VALUE",
                   .one_by_one = true},
                  {.name = "--check",
                   .target = &options->check,
                   .help =
                       "only read the scene and say what is wrong with it, what its contacts have and how it can move"},
                  {.name = "--resume",
                   .target = &options->resume,
                   .help = "go on with the run whose results are in the folder, from its end to the scene's duration"},
                  {.name = "--json",
                   .target = &options->json,
                   .help = "the summary as one JSON document on standard output and nothing else there"},
                  {.name = "--out",
                   .target = &options->out,
                   .help = "the folder of the results; left out: results/ and the scene's name",
                   .value = "DIR"},
                  {.name = "--no-report",
                   .target = &options->no_report,
                   .help = "leave out report.html, the page that shows the run"},
                  {.name = "--svg",
                   .target = &options->svg,
                   .help =
                       "draw six to twelve moments of the run into this file: start, end, the largest impacts; left "
                       "out: into film.svg beside the results",
                   .value = "[FILE]",
                   .may_be_bare = true},
                  {.name = "--plot",
                   .target = &options->plot,
                   .help = "print curves of energies, positions and forces as lines of text; without it only where the "
                           "output is a terminal"},
                  {.name = "--timeout",
                   .target = &options->timeout,
                   .help = "seconds of computing after which the run ends with what there is",
                   .value = "S",
                   .range = {{1e-3, 1e9}}},
                  {.name = "--threads",
                   .target = &options->threads,
                   .help = "threads that steps of many contacts may use; left out: one for each core. Results are the "
                           "same for every number",
                   .value = "N",
                   .range = {{1, 1024}}},
                  {.name = "--quiet", .target = &options->quiet, .help = "no output for people; the exit code tells"}},
      .act = [options] { return act(*options); }};
}

}  // namespace carom::cli
