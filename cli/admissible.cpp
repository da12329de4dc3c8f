#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "record/admissible_report.h"
#include "record/admissible_svg.h"

namespace carom::cli {
namespace {

struct AdmissibleOptions : Common {
  int samples = 0;
  std::uint64_t seed = 1;
  double tolerance = 1e-9;
  bool svg = false;
};

/// The restitution matrix of the file's law, if it has one.
Matrix matrix_of(const std::optional<ImpactLaw>& law) {
  if (!law) return {};
  return std::visit(
      [](const auto& value) -> Matrix {
        if constexpr (requires { value.E_n; })
          return value.E_n;
        else
          return {};
      },
      *law);
}

/// The candidates, and what each law makes of the problem where it applies.
std::vector<record::Mark> marks(const scene::ProblemFile& file) {
  std::vector<record::Mark> result;
  for (std::size_t i = 0; i < file.candidates.size(); ++i)
    result.push_back({fmt::format("candidate {}", i + 1), file.candidates[i]});
  for_each_law([&](auto law) {
    try {
      const ImpactLaw used = file.law && name_of(*file.law) == law.name ? *file.law : ImpactLaw(law);
      const ImpactOutcome outcome = solve(file.problem, used);
      if (outcome.solved()) result.push_back({std::string(law.name), outcome.u_plus});
    } catch (const InputError&) {  // this law does not apply: not in the picture
    }
  });
  return result;
}

int run(const AdmissibleOptions& options) {
  if (options.svg && options.out.empty() && (options.json || options.quiet))
    throw InputError("carom admissible", "--svg prints the picture; with --json or --quiet give it a folder by --out");
  const scene::ProblemFile file = options.read();
  try {
    const AdmissibleSet set(file.problem);
    const record::AdmissibleReport report{set, file.candidates, set.samples(options.samples, options.seed),
                                          matrix_of(file.law), options.tolerance};
    const std::string picture = options.svg ? record::admissible_svg(set, marks(file), report.samples) : "";
    const std::string document = report.json();
    if (!options.out.empty()) write_into(options.out, "admissible.json", document);
    if (!options.out.empty() && options.svg) write_into(options.out, "admissible.svg", picture);
    if (options.svg && options.out.empty())
      fmt::print("{}", picture);
    else if (options.json)
      fmt::print("{}", document);
    else if (!options.quiet)
      fmt::print("{}{}", file.about.empty() ? "" : file.about + "\n", report.text());
    return set.possible() ? Exit::ok : Exit::no_answer;
  } catch (const InputError& error) {
    throw scene::located(error, file.document);
  }
}

}  // namespace

void add_admissible(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("admissible", "the set of velocities that mechanics allows, whatever the law");
  verb->footer(
      "Candidates to judge stand in the file: \"candidates\": [[u+], ...].\n"
      "Example: carom admissible examples/rocking_rod.json --samples 500 --svg > rocking_rod.svg");
  auto options = std::make_shared<AdmissibleOptions>();
  options->add_to(*verb);
  options->add_law_to(*verb);
  verb->add_option("--samples", options->samples, "draw this many points of the set")->check(CLI::Range(0, 1000000));
  verb->add_option("--seed", options->seed, "of the samples")->capture_default_str();
  verb->add_option("--tolerance", options->tolerance, "relative, of the judgements")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  verb->add_flag("--svg", options->svg, "draw two contacts: the picture goes to standard output, or to --out");
  verb->callback([options, &exit] { exit = run(*options); });
}

}  // namespace carom::cli
