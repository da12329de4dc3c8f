#include <memory>

#include "carom/base/error.h"
#include "carom/record/block_report.h"
#include "carom/record/block_svg.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct BlockOptions : Output {
  double mass = 1, height = 0, width = 0;
  std::vector<double> mu;
};

int act(const BlockOptions& options) try {
  const Drawing picture = picture_of(options, "block.svg", "");
  const record::BlockReport report{analysis::RockingBlock(options.mass, options.height, options.width), options.mu};
  deliver(options, "block", picture,
          {.document = report.json(),
           .text = report.text(),
           .svg = picture.wanted ? record::block_svg(report.block, report.mu) : ""});
  return Exit::ok;
} catch (const InputError& error) {  // the places are the options' names
  throw InputError(error.place.empty()             ? "carom block"
                   : error.place.starts_with("--") ? error.place
                                                   : "--" + error.place,
                   error.rule);
}

}  // namespace

Verb block_verb() {
  auto options = std::make_shared<BlockOptions>();
  return {
      .name = "block",
      .summary = "a rocking block: kinetic angle and the coefficients it allows",
      .footer = "Example: carom block --height 2 --width 1 --mu 0.3,0.5 --svg block.svg",
      .options =
          {{.name = "--height", .target = &options->height, .help = "[m]", .required = true},
           {.name = "--width", .target = &options->width, .help = "[m]", .required = true},
           {.name = "--mass", .target = &options->mass, .help = "[kg]", .shows_default = true},
           {.name = "--mu", .target = &options->mu, .help = "friction coefficients to look at", .commas = true},
           {.name = "--json",
            .target = &options->json,
            .help = "one JSON document on standard output and nothing else there"},
           {.name = "--out", .target = &options->out, .help = "also write block.json into this folder", .value = "DIR"},
           options->svg_option("what blocks of every slenderness may do", "block.svg"),
           {.name = "--quiet", .target = &options->quiet, .help = "no output for people"}},
      .act = [options] { return act(*options); }};
}

}  // namespace carom::cli
