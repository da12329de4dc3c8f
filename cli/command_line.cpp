#include "command_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "carom/app/version.h"
#include "carom/base/error.h"
#include "carom/scene/words.h"

namespace carom::cli {
namespace {

void add(CLI::App& command, const Option& option) {
  if (bool* const* flag = std::get_if<bool*>(&option.target)) {
    command.add_flag(option.name, **flag, option.help);
    return;
  }
  CLI::Option* added = std::visit(
      [&](auto* value) -> CLI::Option* { return command.add_option(option.name, *value, option.help); }, option.target);
  if (!option.value.empty()) added->type_name(option.value);
  if (option.commas) added->delimiter(',');
  if (option.one_by_one) added->allow_extra_args(false);
  if (option.range && std::holds_alternative<int*>(option.target))
    added->check(CLI::Range(static_cast<int>(option.range->first), static_cast<int>(option.range->second)));
  else if (option.range)
    added->check(CLI::Range(option.range->first, option.range->second));
  if (option.shows_default) added->capture_default_str();
  added->required(option.required);
}

/// Says it on standard error; nobody may be listening there.
template <class... Values>
void complain(const char* format, const Values&... values) {
  const std::string text = fmt::format(fmt::runtime(format), values...);
  std::fputs(text.c_str(), stderr);
}

/// Files must not be opened in the place of a closed standard output.
void keep_standard_files() {
  for (int file = open("/dev/null", O_RDWR); file >= 0; file = open("/dev/null", O_RDWR))
    if (file > STDERR_FILENO) {
      close(file);
      return;
    }
}

/// The verb that was asked for, if there is no such verb.
std::string_view unknown_verb(const std::vector<Verb>& verbs, int argc, char** argv) {
  const std::string_view asked = argc > 1 ? argv[1] : "";
  const bool known = std::any_of(verbs.begin(), verbs.end(), [&](const Verb& verb) { return verb.name == asked; });
  return known || asked.starts_with("-") ? "" : asked;
}

int usage_error(const CLI::App& tool, const std::vector<Verb>& verbs, const CLI::ParseError& error,
                std::string_view unknown) {
  if (!unknown.empty()) {
    std::vector<std::string_view> names;
    names.reserve(verbs.size());
    for (const Verb& verb : verbs) names.push_back(verb.name);
    complain("carom: there is no verb {}; {}; see carom --help\n", scene::in_quotes(unknown),
             scene::suggestion(unknown, names, "the verbs are"));
    return Exit::bad_input;
  }
  std::string command = "carom";
  for (const CLI::App* verb : tool.get_subcommands()) command += " " + verb->get_name();
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  complain("{}: {}; see {} --help\n", command, text, command);
  return Exit::bad_input;
}

}  // namespace

int run_command_line(int argc, char** argv, const std::vector<Verb>& verbs) {
  keep_standard_files();
  CLI::App tool("Carom: impacts in multibody systems. Same problem, any law, an answer with a certificate.", "carom");
  tool.set_version_flag("--version", app::version);
  tool.require_subcommand(1);
  tool.footer("Exit codes: 0 solved, 1 the mathematics said no (no solution, not converged), 2 bad input or usage.");
  int exit = Exit::ok;
  for (const Verb& verb : verbs) {
    CLI::App* command = tool.add_subcommand(verb.name, verb.summary);
    if (!verb.footer.empty()) command->footer(verb.footer);
    for (const Option& option : verb.options) add(*command, option);
    command->callback([&] { exit = verb.act(); });
  }
  try {
    tool.parse(argc, argv);
    if (std::fflush(stdout) != 0) throw InputError("standard output", "cannot be written");
    return exit;
  } catch (const CLI::Success& help) {
    return tool.exit(help);
  } catch (const CLI::ParseError& error) {
    return usage_error(tool, verbs, error, unknown_verb(verbs, argc, argv));
  } catch (const InputError& error) {
    complain("{}\n", error.what());
  } catch (const std::bad_alloc&) {
    complain("carom: the problem does not fit into this machine's memory\n");
  } catch (const std::exception& error) {
    complain("carom: {}\n", error.what());
  }
  return Exit::bad_input;
}

}  // namespace carom::cli
