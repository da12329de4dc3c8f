#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "carom/base/nearest_word.h"
#include "carom/record/force_report.h"
#include "carom/record/force_svg.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct ForceOptions : Output {
  std::string name, end = "force";
  double k = 1, eta = 1.5, e = 0.7, m = 1, v = 1;
  std::vector<double> c;
};

/// The options with the name of a force behind --svg where it belongs.
ForceOptions with_name(ForceOptions options) {
  const auto names = forces::names<forces::Normal>();
  if (options.name.empty() && options.svg && std::find(names.begin(), names.end(), *options.svg) != names.end())
    options.name = std::exchange(*options.svg, "");
  return options;
}

/// The number of a word in a list of them.
template <class Words>
std::size_t chosen(const std::string& given, const Words& words, const std::string& place) {
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == given) return i;
    all += (i > 0 ? ", " : "") + std::string(words[i]);
  }
  const std::string_view nearest = nearest_word(given, words);
  const std::string hint = nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest);
  throw InputError(place, fmt::format("unknown '{}'; {}there are {}", given, hint, all));
}

ForceQuestion question(const ForceOptions& options) {
  if (options.c.size() > 1) throw InputError("--c", "is given twice; a force has one damping");
  Contact contact{.e = options.e, .k = options.k, .eta = options.eta};
  if (!options.c.empty()) contact.c = options.c[0];
  const std::size_t number = chosen(options.name, forces::names<forces::Normal>(), "carom force");
  using End = forces::SpringDashpot::End;
  const End end = static_cast<End>(chosen(options.end, words_of(End{}), "--end"));
  ForceQuestion result{forces::force_by_index<forces::Normal>(number, contact), options.m, options.v};
  std::visit(
      [&](auto& force) {
        if constexpr (requires { force.end; }) force.end = end;
      },
      result.force);
  return result;
}

int act(const ForceOptions& options) {
  if (options.name.empty()) {
    fmt::print("{}", record::forces_list());
    return Exit::ok;
  }
  const Drawing picture = picture_of(options, "force.svg", "");
  const ForceQuestion asked = question(options);
  ForceCourse course;
  try {
    course = force_course(asked);
  } catch (const InputError& error) {  // the places are the options' names
    throw InputError(error.place.empty() ? "carom force" : "--" + error.place, error.rule);
  }
  deliver(options, "force", picture,
          {.document = record::force_json(asked, course),
           .text = record::force_text(asked, course),
           .svg = picture.wanted ? record::force_svg(asked, course) : ""});
  return Exit::ok;
}

}  // namespace

Verb force_verb() {
  auto options = std::make_shared<ForceOptions>();
  return {.name = "force",
          .summary = "one contact force at work: its loop, its course in time, what it returns",
          .footer = "Example: carom force hunt-crossley --k 1e6 --e 0.6 --m 0.1 --v 2 --svg force.svg",
          .options = {{.name = "name", .target = &options->name, .help = "which force; without it, the list of them"},
                      {.name = "--k", .target = &options->k, .help = "stiffness [N/m^eta]", .shows_default = true},
                      {.name = "--eta", .target = &options->eta, .help = "exponent", .shows_default = true},
                      {.name = "--e", .target = &options->e, .help = "restitution asked for", .shows_default = true},
                      {.name = "--c", .target = &options->c, .help = "damping, instead of e", .one_by_one = true},
                      {.name = "--end",
                       .target = &options->end,
                       .help = "of spring-dashpot: force or indentation",
                       .shows_default = true},
                      {.name = "--m", .target = &options->m, .help = "reduced mass [kg]", .shows_default = true},
                      {.name = "--v", .target = &options->v, .help = "approach speed [m/s]", .shows_default = true},
                      options->svg_option("it", "force.svg"),
                      {.name = "--json",
                       .target = &options->json,
                       .help = "one JSON document on standard output and nothing else there"},
                      {.name = "--out",
                       .target = &options->out,
                       .help = "also write force.json into this folder",
                       .value = "DIR"},
                      {.name = "--quiet", .target = &options->quiet, .help = "no output for people"}},
          .act = [options] { return act(with_name(*options)); }};
}

}  // namespace carom::cli
