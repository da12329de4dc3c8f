#include <filesystem>

#include "carom/base/error.h"
#include "carom/record/output_file.h"
#include "verbs.h"

namespace carom::cli {

std::vector<Option> Common::options() {
  return {{.name = "problem",
           .target = &input,
           .help = "the problem, a JSON file; - reads standard input",
           .required = true},
          {.name = "--set",
           .target = &settings,
           .help = "change a value: key=value, for example --set e=0.5 (all contacts), --set contacts[0].mu=0.3, --set "
                   "law.e=0.9",
           .value = "KEY=VALUE",
           .one_by_one = true},
          {.name = "--json", .target = &json, .help = "one JSON document on standard output and nothing else there"},
          {.name = "--out", .target = &out, .help = "also write the results into this folder", .value = "DIR"},
          {.name = "--quiet", .target = &quiet, .help = "no output for people; the exit code tells"}};
}

Option Common::law_option() {
  return {
      .name = "--law", .target = &law, .help = "use this law instead of the file's; see carom laws", .value = "NAME"};
}

scene::ProblemFile Common::read() const {
  return scene::read_problem(input, {law, settings});
}

void write_into(const std::string& folder, const std::string& name, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError("--out " + folder, error.message());
  record::write_file(std::filesystem::path(folder) / name, text);
}

}  // namespace carom::cli
