#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "commands.h"
#include "scene_run.h"

namespace carom::cli {
namespace {

struct RunOptions {
  std::string scene;
  std::optional<std::string> law;
  std::vector<std::string> settings;
  bool json = false, quiet = false, check = false;
  std::string out;
};

/// The folder of the results: that of --out, else results/ and the name of the scene.
std::filesystem::path folder_of(const RunOptions& options) {
  if (!options.out.empty()) return options.out;
  const std::string stem = std::filesystem::path(options.scene).stem().string();
  return std::filesystem::path("results") / (options.scene == "-" || stem.empty() ? "scene" : stem);
}

int run_scene(const RunOptions& options) {
  const ReadyScene ready = read_scene(options.scene, options.law, options.settings);
  require_ready(ready, ready.scene.law);
  if (options.check) {
    if (!options.quiet) fmt::print("{}: nothing wrong\n\n{}", options.scene, record::contacts_text(ready.model));
    return Exit::ok;
  }
  const std::filesystem::path folder = folder_of(options);
  const SceneRun done = simulate(ready, ready.scene.law, {.folder = folder, .progress = !options.quiet, .label = ""});
  if (options.json)
    fmt::print("{}\n", done.document.dump(2));
  else if (!options.quiet)
    fmt::print("{}results in {}: {}\n", record::run_text(done.title, ready.model, done.summary), folder.string(),
               fmt::join(done.files, ", "));
  return done.summary.status == RunStatus::not_finished ? Exit::no_answer : Exit::ok;
}

}  // namespace

void add_run(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("run", "simulate a scene, print a summary, write its results");
  verb->footer(
      "Examples: carom run scenes/newtons_cradle.toml\n"
      "          carom run scenes/bouncing_ball.toml --set contact.e=0.5 --out ball");
  auto options = std::make_shared<RunOptions>();
  verb->add_option("scene", options->scene, "the scene, a TOML file; - reads standard input")->required();
  verb->add_option("--law", options->law, "use this law instead of the scene's; see carom laws")->type_name("NAME");
  verb->add_option(
          "--set", options->settings,
          "change a value: key=value, for example --set duration=5, --set body[0].mass=2, --set law.tolerance=1e-6")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_flag("--check", options->check,
                 "only read the scene and say what is wrong with it, and what its contacts have");
  verb->add_flag("--json", options->json, "the summary as one JSON document on standard output and nothing else there");
  verb->add_option("--out", options->out, "the folder of the results; left out: results/ and the scene's name")
      ->type_name("DIR");
  verb->add_flag("--quiet", options->quiet, "no output for people; the exit code tells");
  verb->callback([options, &exit] { exit = run_scene(*options); });
}

}  // namespace carom::cli
