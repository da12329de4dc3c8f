#include <fmt/format.h>

#include <memory>

#include "carom/app/problem.h"
#include "carom/record/forces_report.h"
#include "verbs.h"
#include "waiting.h"

namespace carom::cli {
namespace {

int act_on_forces(const Common& options) {
  const scene::ProblemFile file = options.read();
  const analysis::ContactForces forces = [&] {
    const Waiting line(!options.quiet, "looking for forces");
    return app::forces_of(file);
  }();
  const record::ForcesReport report{file.problem, forces};
  const std::string document = report.json();
  if (!options.out.empty()) write_into(options.out, "forces.json", document);
  if (options.json)
    fmt::print("{}", document);
  else if (!options.quiet)
    fmt::print("{}{}", file.about.empty() ? "" : file.about + "\n\n", report.text());
  return forces.solved() ? Exit::ok : Exit::no_answer;
}

}  // namespace

Verb forces_verb() {
  auto options = std::make_shared<Common>();
  return {.name = "forces",
          .summary = "forces and accelerations of contacts that last, with friction",
          .footer =
              "The file has the generalized forces \"h\", a list as long as u, and may have a \"bias\" in each "
              "contact, its\nacceleration where u' = 0. No solution, or several (Painleve's paradox), are said.\n"
              "Example: carom forces examples/painleve_rod.json",
          .options = options->options(),
          .act = [options] { return act_on_forces(*options); }};
}

}  // namespace carom::cli
