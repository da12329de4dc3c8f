#include <fmt/format.h>

#include <memory>

#include "carom/app/problem.h"
#include "carom/record/admissible_report.h"
#include "carom/record/admissible_svg.h"
#include "interrupt.h"
#include "verbs.h"
#include "waiting.h"

namespace carom::cli {
namespace {

struct AdmissibleOptions : Common {
  int samples = 0;
  double timeout = 0;  // [s]
  std::uint64_t seed = 1;
  double tolerance = 1e-9;
};

std::vector<record::Mark> marks(const scene::ProblemFile& file) {
  std::vector<record::Mark> result;
  for (const app::NamedVelocity& one : app::known_velocities(file)) result.push_back({one.name, one.u_plus});
  return result;
}

std::vector<Vector> samples(const analysis::AdmissibleSet& set, const AdmissibleOptions& options) {
  Watch watch;
  const Waiting line(!options.quiet, "sampling the set", &watch, deadline_in(options.timeout));
  return set.samples(options.samples, options.seed, &watch);
}

int act(const AdmissibleOptions& options) {
  const Drawing picture = picture_of(options, "admissible.svg", options.input);
  const scene::ProblemFile file = options.read();
  return app::with_places(file, [&] {
    const analysis::AdmissibleSet set(file.problem);
    const record::AdmissibleReport report{set,
                                          file.candidates,
                                          samples(set, options),
                                          app::restitution_matrix_of(file),
                                          options.tolerance,
                                          app::restitution_of(file, set.contact_problem())};
    deliver(options, "admissible", picture,
            {.document = report.json(),
             .text = (file.about.empty() ? "" : file.about + "\n") + report.text(),
             .svg = picture.wanted ? record::admissible_svg(set, marks(file), report.samples) : ""});
    return set.possible() ? Exit::ok : Exit::no_answer;
  });
}

}  // namespace

Verb admissible_verb() {
  auto options = std::make_shared<AdmissibleOptions>();
  Verb verb{.name = "admissible",
            .summary = "the set of velocities that mechanics allows, whatever the law",
            .footer =
                "Candidates to judge stand in the file: \"candidates\": [[u+], ...].\n"
                "Example: carom admissible examples/rocking_rod.json --samples 500 --svg rocking_rod.svg",
            .options = options->options(),
            .act = [options] { return act(*options); }};
  verb.options.insert(verb.options.end(),
                      {options->law_option(),
                       {.name = "--samples",
                        .target = &options->samples,
                        .help = "draw this many points of the set",
                        .range = {{0, 1000000}}},
                       {.name = "--seed", .target = &options->seed, .help = "of the samples", .shows_default = true},
                       {.name = "--tolerance",
                        .target = &options->tolerance,
                        .help = "relative, of the judgements",
                        .shows_default = true,
                        .range = {{0, 1}}},
                       timeout_option(options->timeout, "ends with the samples there are"),
                       options->svg_option("two contacts", "admissible.svg")});
  return verb;
}

}  // namespace carom::cli
