#include <fmt/format.h>

#include <memory>

#include "carom/app/problem.h"
#include "carom/record/impulse_plane_report.h"
#include "carom/record/impulse_plane_svg.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct PlaneOptions : Common {
  bool svg = false;
};

int act(const PlaneOptions& options) {
  if (options.svg && options.out.empty() && (options.json || options.quiet))
    throw InputError("carom plane", "--svg prints the picture; with --json or --quiet give it a folder by --out");
  const scene::ProblemFile file = options.read();
  const analysis::ImpulsePlane plane = app::plane_of(file);
  const std::string document = record::impulse_plane_json(plane);
  const std::string picture = options.svg ? record::impulse_plane_svg(plane) : "";
  if (!options.out.empty()) write_into(options.out, "plane.json", document);
  if (!options.out.empty() && options.svg) write_into(options.out, "plane.svg", picture);
  if (options.svg && options.out.empty())
    fmt::print("{}", picture);
  else if (options.json)
    fmt::print("{}", document);
  else if (!options.quiet)
    fmt::print("{}{}", file.about.empty() ? "" : file.about + "\n", record::impulse_plane_text(plane));
  return plane.paths.back().solved ? Exit::ok : Exit::no_answer;
}

}  // namespace

Verb plane_verb() {
  auto options = std::make_shared<PlaneOptions>();
  Verb verb{.name = "plane",
            .summary = "one contact with friction in the plane of its impulses: lines, regions, path",
            .footer = "Example: carom plane examples/rod_reverses.json --svg > rod.svg",
            .options = options->options(),
            .act = [options] { return act(*options); }};
  verb.options.push_back({.name = "--svg",
                          .target = &options->svg,
                          .help = "draw the plane: the picture goes to standard output, or to --out"});
  return verb;
}

}  // namespace carom::cli
