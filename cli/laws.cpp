#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "record/laws_text.h"
#include "scene/law_reader.h"

namespace carom::cli {
namespace {

struct LawsOptions {
  std::string name;
  bool json = false;
};

int run(const LawsOptions& options) {
  if (!options.name.empty() && !law_by_name(options.name))
    throw InputError("carom laws", scene::unknown_law(options.name));
  fmt::print("{}", options.json ? record::laws_json(options.name) : record::laws_text(options.name));
  return Exit::ok;
}

}  // namespace

void add_laws(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("laws", "the laws, their parameters, defaults, meaning and source");
  auto options = std::make_shared<LawsOptions>();
  verb->add_option("name", options->name, "only this law");
  verb->add_flag("--json", options->json, "as one JSON document");
  verb->callback([options, &exit] { exit = run(*options); });
}

}  // namespace carom::cli
