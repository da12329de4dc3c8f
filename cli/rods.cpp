#include "carom/app/rods.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "carom/base/error.h"
#include "carom/base/word.h"
#include "carom/record/rods_svg.h"
#include "interrupt.h"
#include "verbs.h"
#include "waiting.h"

namespace carom::cli {
namespace {

struct RodsVerbOptions : Output {
  std::string input, method = "exact";
  std::vector<std::string> settings;
  std::vector<double> fields;
  int elements = 200, samples = 200;
  bool path = false;
  double timeout = 0;  // [s]
};

app::RodsOptions asked(const RodsVerbOptions& options) {
  app::RodsOptions result{.elements = options.elements, .fields_times = options.fields};
  const auto words = words_of(result.method);
  const auto found = std::find(words.begin(), words.end(), options.method);
  if (found == words.end())
    throw InputError("--method",
                     fmt::format("\"{}\" is no method; methods are \"exact\", \"finite-element\"", options.method));
  result.method = static_cast<app::RodsMethod>(found - words.begin());
  if (options.path && options.samples < 1)
    throw InputError("--samples", fmt::format("{} samples; expected a number from 1", options.samples));
  if (options.path) result.samples = options.samples;
  if (options.svg && result.method != app::RodsMethod::exact)
    throw InputError("--svg", "the picture shows fronts, which the method finite-element does not have; use exact");
  return result;
}

struct Written : Found {
  bool finished = true;
};

Written written(const scene::RodsFile& file, const RodsVerbOptions& options, Watch& watch) try {
  app::RodsOptions how = asked(options);
  how.watch = &watch;
  const app::SolvedRods solved = app::solve_rods(file, how);
  return {{solved.report.json(), solved.report.text(), options.svg ? record::rods_svg(*solved.history) : ""},
          solved.report.outcome.finished};
} catch (const InputError& error) {  // the file has been read: the places are options' names
  throw error.place.starts_with("--") ? error : InputError("--" + error.place, error.rule);
}

Written written(const scene::BeamFile& file, const RodsVerbOptions& options, Watch& /*quick*/) {
  if (options.method != "exact" || options.path || !options.fields.empty())
    throw InputError("carom rods", "a beam has no waves here: --method, --path and --fields are for rods");
  const record::BeamReport report = app::solve_beam(file);
  return {{report.json(), report.text(), options.svg ? report.svg() : ""}};
}

int act_on_rods(const RodsVerbOptions& options) {
  const Drawing picture = picture_of(options, "rods.svg", options.input);
  const auto file = scene::read_rods(options.input, {{}, options.settings});
  Written result = [&] {
    Watch watch;
    const Waiting line(!options.quiet, "following waves", &watch, deadline_in(options.timeout));
    return std::visit([&](const auto& either) { return written(either, options, watch); }, file);
  }();
  const std::string about = std::visit([](const auto& either) { return either.about; }, file);
  if (!about.empty()) result.text = about + "\n\n" + result.text;
  deliver(options, "rods", picture, result);
  return result.finished ? Exit::ok : Exit::no_answer;
}

}  // namespace

Verb rods_verb() {
  auto options = std::make_shared<RodsVerbOptions>();
  return {
      .name = "rods",
      .summary = "elastic rods that meet on a line, wave by wave; a flexible beam on a stop",
      .footer =
          "Examples: carom rods examples/rods/two_rods.json --svg waves.svg\n"
          "          carom rods examples/rods/two_rods.json --method finite-element --elements 400\n"
          "          carom rods examples/rods/beam_on_stop.json --set modes=3",
      .options =
          {{.name = "rods", .target = &options->input, .help = "a JSON file; - reads standard input", .required = true},
           {.name = "--set",
            .target = &options->settings,
            .help = "change a value: key=value, for example --set duration=4, --set rods[0].velocity=2",
            .value = "KEY=VALUE",
            .one_by_one = true},
           {.name = "--method",
            .target = &options->method,
            .help = "exact follows every front, finite-element is the implicit method",
            .value = "exact|finite-element",
            .shows_default = true},
           {.name = "--elements",
            .target = &options->elements,
            .help = "finite elements of the rod that waves cross slowest",
            .value = "N",
            .shows_default = true},
           {.name = "--fields",
            .target = &options->fields,
            .help = "stress and velocity along the rods at these times",
            .value = "T",
            .commas = true},
           {.name = "--path",
            .target = &options->path,
            .help = "with --json: mean velocities, energies and forces over time, as `history`"},
           {.name = "--samples",
            .target = &options->samples,
            .help = "times of the history",
            .value = "N",
            .shows_default = true},
           timeout_option(options->timeout, "ends with what there is"),
           options->svg_option("the x-t diagram", "rods.svg"),
           {.name = "--json",
            .target = &options->json,
            .help = "one JSON document on standard output and nothing else there"},
           {.name = "--out", .target = &options->out, .help = "also write rods.json into this folder", .value = "DIR"},
           {.name = "--quiet", .target = &options->quiet, .help = "no output for people; the exit code tells"}},
      .act = [options] { return act_on_rods(*options); }};
}

}  // namespace carom::cli
