#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace carom::cli {

/// Exit codes of the tool.
enum Exit { ok = 0, no_answer = 1, bad_input = 2 };

/// What may stand behind a verb.
struct Option {
  /// Where its value goes; a bool is a flag, a list may be given several times.
  using Target = std::variant<bool*, int*, std::uint64_t*, double*, std::string*, std::optional<std::string>*,
                              std::vector<std::string>*, std::vector<double>*>;

  std::string name;  // "--law"; without dashes it is an argument and known by its place
  Target target;
  std::string help;
  std::string value = {};  // what stands for the value in the help; empty: its type
  bool required = false;
  bool shows_default = false;  // in the help
  bool one_by_one = false;     // lists: one value behind each name
  bool commas = false;         // lists: values may be separated by commas
  bool may_be_bare = false;    // optional texts: without a value behind it, the text is empty
  std::optional<std::pair<double, double>> range = {};
};

/// One thing that the tool does: `act` returns its exit code when the options have their values.
struct Verb {
  std::string name, summary, footer;
  std::vector<Option> options;
  std::function<int()> act;
};

/// Finds the verb and acts, or helps. What is wrong is told in one line on standard error.
int run_command_line(int argc, char** argv, const std::vector<Verb>& verbs);

}  // namespace carom::cli
