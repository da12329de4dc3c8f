#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/scene/problem_reader.h"
#include "command_line.h"

namespace carom::cli {

/// Options that every verb on a problem has.
struct Common {
  std::string input;
  std::optional<std::string> law;
  std::vector<std::string> settings;
  bool json = false;
  bool quiet = false;
  std::string out;

  std::vector<Option> options();
  Option law_option();
  scene::ProblemFile read() const;
};

/// Writes a document into the folder of --out, which is made if it does not exist.
void write_into(const std::string& folder, const std::string& name, const std::string& text);

/// Every verb; main.cpp lists them.
Verb run_verb();
Verb impact_verb();
Verb compare_verb();
Verb laws_verb();
Verb admissible_verb();
Verb plane_verb();
Verb forces_verb();
Verb force_verb();
Verb rods_verb();
Verb block_verb();
Verb import_verb();

}  // namespace carom::cli
