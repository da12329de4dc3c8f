#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scene/error.h"
#include "scene/problem_reader.h"

namespace carom::cli {

/// Exit codes of the tool.
enum Exit { ok = 0, no_answer = 1, bad_input = 2 };

/// Options that every verb on a problem has.
struct Common {
  std::string input;
  std::optional<std::string> law;
  std::vector<std::string> settings;
  bool json = false;
  bool quiet = false;
  std::string out;

  void add_to(CLI::App& verb);
  void add_law_to(CLI::App& verb);
  scene::ProblemFile read() const;
};

/// Writes a document into the folder of --out, which is made if it does not exist.
void write_into(const std::string& folder, const std::string& name, const std::string& text);

/// Verbs. Each adds its subcommand; what it returns when parsed goes to `exit`.
void add_run(CLI::App& app, int& exit);
void add_impact(CLI::App& app, int& exit);
void add_compare(CLI::App& app, int& exit);
void add_laws(CLI::App& app, int& exit);
void add_admissible(CLI::App& app, int& exit);
void add_plane(CLI::App& app, int& exit);
void add_forces(CLI::App& app, int& exit);
void add_block(CLI::App& app, int& exit);

}  // namespace carom::cli
