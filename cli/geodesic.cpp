#include <fmt/format.h>

#include <memory>

#include "carom/app/problem.h"
#include "carom/record/corner_report.h"
#include "carom/record/output_file.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct GeodesicOptions : Common {
  std::optional<std::string> at;
  std::string svg;
};

int show(const GeodesicOptions& options, const scene::ProblemFile& file, std::vector<std::string> velocities,
         const std::string& before) {
  return app::with_places(file, [&] {
    const ContactProblem problem = reduce(file.problem);
    const record::CornerReport report{problem, analysis::corner(problem), std::move(velocities)};
    const std::string document = report.json();
    if (!options.svg.empty()) record::write_file(options.svg, report.svg());
    if (!options.out.empty()) write_into(options.out, "geodesic.json", document);
    if (options.json)
      fmt::print("{}", document);
    else if (!options.quiet)
      fmt::print("{}{}{}{}", file.about.empty() ? "" : file.about + "\n", before, report.text(),
                 options.svg.empty() ? "" : fmt::format("picture in {}\n", options.svg));
    return Exit::ok;
  });
}

int act(const GeodesicOptions& options) {
  require_writable("--svg", options.svg, options.input);
  const Common::Chosen chosen = options.read_chosen(options.at);
  return show(options, chosen.file, chosen.velocities, chosen.line);
}

}  // namespace

Verb geodesic_verb() {
  auto options = std::make_shared<GeodesicOptions>();
  Verb verb{.name = "geodesic",
            .summary =
                "one contact as an edge, two as a corner of the kinetic metric: its angle, the ways through it, their "
                "impacts",
            .footer =
                "Examples: carom geodesic examples/pi_by_collisions.json --svg corner.svg\n"
                "          carom geodesic examples/three_balls.json --set e=1\n"
                "          carom geodesic examples/dumbbell.json --svg edge.svg",
            .options = options->options(),
            .act = [options] { return act(*options); }};
  verb.options.front().help = "the problem, a JSON file (- reads standard input), or the scene, *.toml";
  verb.options.insert(verb.options.end(), {at_option(options->at),
                                           {.name = "--svg",
                                            .target = &options->svg,
                                            .help = "draw the edge or the corner into this file",
                                            .value = "FILE"}});
  return verb;
}

}  // namespace carom::cli
