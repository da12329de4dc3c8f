#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "record/block_report.h"

namespace carom::cli {
namespace {

struct BlockOptions {
  double mass = 1, height = 0, width = 0;
  std::vector<double> mu;
  bool json = false, quiet = false;
  std::string out;
};

int run_block(const BlockOptions& options) {
  const record::BlockReport report{RockingBlock(options.mass, options.height, options.width), options.mu};
  const std::string document = report.json();
  if (!options.out.empty()) write_into(options.out, "block.json", document);
  if (options.json)
    fmt::print("{}", document);
  else if (!options.quiet)
    fmt::print("{}", report.text());
  return Exit::ok;
}

}  // namespace

void add_block(CLI::App& app, int& exit) {
  CLI::App* verb = app.add_subcommand("block", "a rocking block: kinetic angle and the coefficients it allows");
  verb->footer("Example: carom block --height 2 --width 1 --mu 0.3,0.5");
  auto options = std::make_shared<BlockOptions>();
  verb->add_option("--height", options->height, "[m]")->required();
  verb->add_option("--width", options->width, "[m]")->required();
  verb->add_option("--mass", options->mass, "[kg]")->capture_default_str();
  verb->add_option("--mu", options->mu, "friction coefficients to look at")->delimiter(',');
  verb->add_flag("--json", options->json, "one JSON document on standard output and nothing else there");
  verb->add_option("--out", options->out, "also write block.json into this folder")->type_name("DIR");
  verb->add_flag("--quiet", options->quiet, "no output for people");
  verb->callback([options, &exit] {
    try {
      exit = run_block(*options);
    } catch (const InputError& error) {  // the places are the options' names
      throw InputError(error.place.empty() ? "carom block" : "--" + error.place, error.rule);
    }
  });
}

}  // namespace carom::cli
