#include "carom/app/distance.h"

#include <memory>

#include "carom/base/error.h"
#include "carom/record/pair_svg.h"
#include "interrupt.h"
#include "progress.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct DistanceOptions : Output {
  app::DistanceQuestion question;
  std::optional<std::string> at;
};

double time_of(const std::string& text) {
  const std::string number = text.starts_with("t=") ? text.substr(2) : text;
  std::size_t read = 0;
  try {
    const double t = std::stod(number, &read);
    if (read == number.size() && t == t && t - t == 0) return t;
  } catch (const std::exception&) {
  }
  throw InputError("--at", "'" + text + "' is no time [s], such as 0.35");
}

int act(const DistanceOptions& options) {
  const Drawing picture = picture_of(options, "distance.svg", options.question.file);
  app::DistanceQuestion question = options.question;
  if (options.at) question.t = time_of(*options.at);
  const record::PairReport report = [&] {
    ProgressBar bar(!options.quiet);
    return app::distance_between(
        question, {.progress = [&](const app::Progress& now) { bar.show(now, ""); }, .cancelled = &interrupted()});
  }();
  deliver(options, "distance", picture,
          {.document = report.json(), .text = report.text(), .svg = picture.wanted ? record::pair_svg(report) : ""});
  return Exit::ok;
}

}  // namespace

Verb distance_verb() {
  auto options = std::make_shared<DistanceOptions>();
  app::DistanceQuestion& question = options->question;
  return {.name = "distance",
          .summary = "two bodies: distance or depth, nearest points, normal, curvatures, how the gap changes",
          .footer =
              "A file has two bodies a and b, or is a scene, of which two are named.\n"
              "Examples: carom distance scenes/bouncing_ball.toml ball floor --at 0.2\n"
              "          carom distance pair.toml --svg pair.svg\n"
              "          carom distance --a '{type=\"disc\", radius=1}' --b '{type=\"rectangle\", size=[1, 2], "
              "position=[3, 0]}'",
          .options = {{.name = "file",
                       .target = &question.file,
                       .help = "two bodies or a scene, TOML; - reads standard input"},
                      {.name = "bodies", .target = &question.bodies, .help = "of a scene: the names of two bodies"},
                      {.name = "--at",
                       .target = &options->at,
                       .help = "of a scene: at this time [s] of its run; left out: at the start",
                       .value = "T"},
                      {.name = "--set",
                       .target = &question.settings,
                       .help = "of a scene: change a value, key=value",
                       .value = "KEY=VALUE",
                       .one_by_one = true},
                      {.name = "--a",
                       .target = &question.shape_a,
                       .help = "a shape instead of a file, a TOML table",
                       .value = "SHAPE"},
                      {.name = "--b", .target = &question.shape_b, .help = "the other one", .value = "SHAPE"},
                      {.name = "--dimension",
                       .target = &question.dimension,
                       .help = "of these shapes: 1, 2 or 3",
                       .shows_default = true,
                       .range = {{1, 3}}},
                      {.name = "--json",
                       .target = &options->json,
                       .help = "one JSON document on standard output and nothing else there"},
                      options->svg_option("both", "distance.svg"),
                      {.name = "--out",
                       .target = &options->out,
                       .help = "also write distance.json into this folder",
                       .value = "DIR"},
                      {.name = "--quiet", .target = &options->quiet, .help = "no output for people"}},
          .act = [options] { return act(*options); }};
}

}  // namespace carom::cli
