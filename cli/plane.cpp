#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "record/impulse_plane_report.h"
#include "record/impulse_plane_svg.h"

namespace carom::cli {
namespace {

struct PlaneOptions : Common {
  bool svg = false;
};

int run(const PlaneOptions& options) {
  if (options.svg && options.out.empty() && (options.json || options.quiet))
    throw InputError("carom plane", "--svg prints the picture; with --json or --quiet give it a folder by --out");
  const scene::ProblemFile file = options.read();
  try {
    const ImpulsePlane plane = impulse_plane(file.problem);
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
  } catch (const InputError& error) {
    throw scene::located(error, file.document);
  }
}

}  // namespace

void add_plane(CLI::App& app, int& exit) {
  CLI::App* verb =
      app.add_subcommand("plane", "one contact with friction in the plane of its impulses: lines, regions, path");
  verb->footer("Example: carom plane examples/rod_reverses.json --svg > rod.svg");
  auto options = std::make_shared<PlaneOptions>();
  options->add_to(*verb);
  verb->add_flag("--svg", options->svg, "draw the plane: the picture goes to standard output, or to --out");
  verb->callback([options, &exit] { exit = run(*options); });
}

}  // namespace carom::cli
