#include <memory>

#include "carom/app/problem.h"
#include "carom/record/corner_report.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct GeodesicOptions : Common {
  std::optional<std::string> at;
};

int show(const GeodesicOptions& options, const scene::ProblemFile& file, std::vector<std::string> velocities,
         const std::string& before, const Drawing& picture) {
  return app::with_places(file, [&] {
    const ContactProblem problem = reduce(file.problem);
    const record::CornerReport report{problem, analysis::corner(problem), std::move(velocities)};
    deliver(options, "geodesic", picture,
            {.document = report.json(),
             .text = (file.about.empty() ? "" : file.about + "\n") + before + report.text(),
             .svg = picture.wanted ? report.svg() : ""});
    return Exit::ok;
  });
}

int act(const GeodesicOptions& options) {
  const Drawing picture = picture_of(options, "geodesic.svg", options.input);
  const Common::Chosen chosen = options.read_chosen(options.at);
  return show(options, chosen.file, chosen.velocities, chosen.line, picture);
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
  verb.options.insert(verb.options.end(),
                      {at_option(options->at), options->svg_option("the edge or the corner", "geodesic.svg")});
  return verb;
}

}  // namespace carom::cli
