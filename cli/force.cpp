#include <fmt/format.h>

#include <memory>

#include "carom/base/nearest_word.h"
#include "carom/record/force_report.h"
#include "carom/record/force_svg.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct ForceOptions {
  std::string name, end = "force";
  double k = 1, eta = 1.5, e = 0.7, m = 1, v = 1;
  std::vector<double> c;
  bool json = false, svg = false, quiet = false;
  std::string out;
};

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
  if (options.svg && options.out.empty() && (options.json || options.quiet))
    throw InputError("carom force", "--svg prints the picture; with --json or --quiet give it a folder by --out");
  const ForceQuestion asked = question(options);
  ForceCourse course;
  try {
    course = force_course(asked);
  } catch (const InputError& error) {  // the places are the options' names
    throw InputError(error.place.empty() ? "carom force" : "--" + error.place, error.rule);
  }
  const std::string document = record::force_json(asked, course);
  const std::string picture = options.svg ? record::force_svg(asked, course) : "";
  if (!options.out.empty()) write_into(options.out, "force.json", document);
  if (!options.out.empty() && options.svg) write_into(options.out, "force.svg", picture);
  if (options.svg && options.out.empty())
    fmt::print("{}", picture);
  else if (options.json)
    fmt::print("{}", document);
  else if (!options.quiet)
    fmt::print("{}", record::force_text(asked, course));
  return Exit::ok;
}

}  // namespace

Verb force_verb() {
  auto options = std::make_shared<ForceOptions>();
  return {.name = "force",
          .summary = "one contact force at work: its loop, its course in time, what it returns",
          .footer = "Example: carom force hunt-crossley --k 1e6 --e 0.6 --m 0.1 --v 2 --svg > force.svg",
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
                      {.name = "--svg",
                       .target = &options->svg,
                       .help = "draw it: the picture goes to standard output, or to --out"},
                      {.name = "--json",
                       .target = &options->json,
                       .help = "one JSON document on standard output and nothing else there"},
                      {.name = "--out",
                       .target = &options->out,
                       .help = "also write force.json (and force.svg) into this folder",
                       .value = "DIR"},
                      {.name = "--quiet", .target = &options->quiet, .help = "no output for people"}},
          .act = [options] { return act(*options); }};
}

}  // namespace carom::cli
