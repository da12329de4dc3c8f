#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "commands.h"

namespace carom::cli {

void Common::add_to(CLI::App& verb) {
  verb.add_option("problem", input, "the problem, a JSON file; - reads standard input")->required();
  verb.add_option("--set", settings,
                  "change a value: key=value, for example --set e=0.5 (all contacts), --set contacts[0].mu=0.3, --set "
                  "law.e=0.9")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb.add_flag("--json", json, "one JSON document on standard output and nothing else there");
  verb.add_option("--out", out, "also write the results into this folder")->type_name("DIR");
  verb.add_flag("--quiet", quiet, "no output for people; the exit code tells");
}

void Common::add_law_to(CLI::App& verb) {
  verb.add_option("--law", law, "use this law instead of the file's; see carom laws")->type_name("NAME");
}

scene::ProblemFile Common::read() const {
  return scene::read_problem(input, {law, settings});
}

void write_into(const std::string& folder, const std::string& name, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError("--out " + folder, error.message());
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw InputError(path.string(), fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace carom::cli
