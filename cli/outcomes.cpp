#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "carom/app/problem.h"
#include "carom/record/outcomes_report.h"
#include "carom/scene/law_choice.h"
#include "interrupt.h"
#include "verbs.h"
#include "waiting.h"

namespace carom::cli {
namespace {

struct OutcomesOptions : Common {
  std::optional<std::string> at;
  std::string unknown;
  analysis::CloudOptions cloud;
  double timeout = 0;  // [s]
};

std::vector<analysis::Unknown> unknowns_of(const std::string& text) {
  constexpr auto words = words_of(analysis::Unknown{});
  std::vector<analysis::Unknown> result;
  for (const std::string& one : scene::split_at_commas(text)) {
    const auto found = std::find(words.begin(), words.end(), one);
    if (found == words.end())
      throw InputError("--unknown", fmt::format("'{}' is none of order, stiffness, gaps, coefficients", one));
    const auto unknown = static_cast<analysis::Unknown>(found - words.begin());
    if (std::find(result.begin(), result.end(), unknown) == result.end()) result.push_back(unknown);
  }
  return result;
}

int show(const OutcomesOptions& options, const scene::ProblemFile& file, std::vector<std::string> velocities,
         const std::string& before, const Drawing& picture) {
  analysis::CloudOptions cloud_options = options.cloud;
  if (!options.unknown.empty()) cloud_options.unknowns = unknowns_of(options.unknown);
  return app::with_places(file, [&] {
    const std::atomic<bool>& stopped = interrupted();
    const analysis::OutcomeCloud cloud = [&] {
      Watch watch;
      const Waiting line(!options.quiet, "sampling outcomes", &watch, deadline_in(options.timeout));
      return analysis::outcome_cloud(file.problem, file.law.value_or(Lzb{}), cloud_options,
                                     [&](double share) { return goes_on_to_end(&watch, share) && !stopped; });
    }();
    record::OutcomesReport report{file.problem, cloud, std::move(velocities)};
    if (picture.wanted && file.problem.contacts.size() == 2)
      for (const app::NamedVelocity& one : app::known_velocities(file)) report.marks.push_back({one.name, one.u_plus});
    deliver(options, "outcomes", picture,
            {.document = report.json(),
             .text = (file.about.empty() ? "" : file.about + "\n") + before + report.text(),
             .svg = picture.wanted ? report.svg() : ""});
    return cloud.points.empty() || cloud.cancelled ? Exit::no_answer : Exit::ok;
  });
}

int act(const OutcomesOptions& options) {
  const Drawing picture = picture_of(options, "outcomes.svg", options.input);
  const Common::Chosen chosen = options.read_chosen(options.at);
  return show(options, chosen.file, chosen.velocities, chosen.line, picture);
}

}  // namespace

Verb outcomes_verb() {
  auto options = std::make_shared<OutcomesOptions>();
  Verb verb{.name = "outcomes",
            .summary = "what may happen if order, stiffnesses, gaps or coefficients are not known exactly",
            .footer =
                "Examples: carom outcomes examples/bernoulli.json --svg outcomes.svg\n"
                "          carom outcomes scenes/table.toml --at first --unknown order,stiffness\n"
                "          carom outcomes examples/newtons_cradle.json --stiffness 100 --samples 500",
            .options = options->options(),
            .act = [options] { return act(*options); }};
  verb.options.front().help = "the problem, a JSON file (- reads standard input), or the scene, *.toml";
  verb.options.insert(
      verb.options.end(),
      {options->law_option(),
       at_option(options->at),
       timeout_option(options->timeout, "ends with the samples there are"),
       {.name = "--unknown",
        .target = &options->unknown,
        .help = "what is not known, separated by commas: order, stiffness, gaps, coefficients; left out: all of it",
        .value = "WHAT,..."},
       {.name = "--samples",
        .target = &options->cloud.samples,
        .help = "of each unknown",
        .shows_default = true,
        .range = {{1, 100000}}},
       {.name = "--stiffness",
        .target = &options->cloud.stiffness,
        .help = "each stiffness is multiplied by a factor between the inverse of this and this",
        .shows_default = true,
        .range = {{1, 1e12}}},
       {.name = "--gap",
        .target = &options->cloud.gap,
        .help = "largest gap [m]; left out: as far as a contact is indented by itself",
        .range = {{0, 1e9}}},
       {.name = "--e",
        .target = &options->cloud.e,
        .help = "largest change of e",
        .shows_default = true,
        .range = {{0, 1}}},
       {.name = "--mu",
        .target = &options->cloud.mu,
        .help = "largest change of mu",
        .shows_default = true,
        .range = {{0, 1e9}}},
       {.name = "--seed", .target = &options->cloud.seed, .help = "of the samples", .shows_default = true},
       options->svg_option("the outcomes", "outcomes.svg")});
  return verb;
}

}  // namespace carom::cli
