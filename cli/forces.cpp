#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "record/forces_report.h"

namespace carom::cli {
namespace {

int run(const Common& options) {
  const scene::ProblemFile file = options.read();
  try {
    if (file.h.size() == 0)
      throw InputError("", "has no \"h\"; carom forces needs the generalized forces, a list as long as u");
    const ContactForces forces = contact_forces(file.problem, file.h, file.bias);
    const record::ForcesReport report{file.problem, forces};
    const std::string document = report.json();
    if (!options.out.empty()) write_into(options.out, "forces.json", document);
    if (options.json)
      fmt::print("{}", document);
    else if (!options.quiet)
      fmt::print("{}{}", file.about.empty() ? "" : file.about + "\n\n", report.text());
    return forces.solved() ? Exit::ok : Exit::no_answer;
  } catch (const InputError& error) {
    throw scene::located(error, file.document);
  }
}

}  // namespace

void add_forces(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("forces", "forces and accelerations of contacts that last, with friction");
  verb->footer(
      "The file has the generalized forces \"h\", a list as long as u, and may have a \"bias\" in each contact, its\n"
      "acceleration where u' = 0. No solution, or several (Painleve's paradox), are said.\n"
      "Example: carom forces examples/painleve_rod.json");
  auto options = std::make_shared<Common>();
  options->add_to(*verb);
  verb->callback([options, &exit] { exit = run(*options); });
}

}  // namespace carom::cli
