#include <memory>

#include "carom/app/problem.h"
#include "carom/record/impulse_plane_report.h"
#include "carom/record/impulse_plane_svg.h"
#include "verbs.h"

namespace carom::cli {
namespace {

int act(const Common& options) {
  const Drawing picture = picture_of(options, "plane.svg", options.input);
  const scene::ProblemFile file = options.read();
  const analysis::ImpulsePlane plane = app::plane_of(file);
  deliver(options, "plane", picture,
          {.document = record::impulse_plane_json(plane),
           .text = (file.about.empty() ? "" : file.about + "\n") + record::impulse_plane_text(plane),
           .svg = picture.wanted ? record::impulse_plane_svg(plane) : ""});
  return plane.paths.back().solved ? Exit::ok : Exit::no_answer;
}

}  // namespace

Verb plane_verb() {
  auto options = std::make_shared<Common>();
  Verb verb{.name = "plane",
            .summary = "one contact with friction in the plane of its impulses: lines, regions, path",
            .footer = "Example: carom plane examples/rod_reverses.json --svg rod.svg",
            .options = options->options(),
            .act = [options] { return act(*options); }};
  verb.options.push_back(options->svg_option("the plane", "plane.svg"));
  return verb;
}

}  // namespace carom::cli
