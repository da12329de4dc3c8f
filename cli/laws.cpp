#include <fmt/format.h>

#include <memory>

#include "carom/record/laws_text.h"
#include "carom/scene/law_reader.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct LawsOptions {
  std::string name;
  bool json = false;
};

int act(const LawsOptions& options) {
  if (!options.name.empty() && !law_by_name(options.name))
    throw InputError("carom laws", scene::unknown_law(options.name));
  fmt::print("{}", options.json ? record::laws_json(options.name) : record::laws_text(options.name));
  return Exit::ok;
}

}  // namespace

Verb laws_verb() {
  auto options = std::make_shared<LawsOptions>();
  return {.name = "laws",
          .summary = "the laws, their parameters, defaults, meaning and source",
          .footer = "",
          .options = {{.name = "name", .target = &options->name, .help = "only this law"},
                      {.name = "--json", .target = &options->json, .help = "as one JSON document"}},
          .act = [options] { return act(*options); }};
}

}  // namespace carom::cli
