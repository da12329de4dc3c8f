#include "command_line.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "carom/app/version.h"
#include "carom/base/error.h"
#include "carom/scene/words.h"

namespace carom::cli {
namespace {

/// A number from the first to the second of a range, which NaN is not.
CLI::Validator within(const std::pair<double, double>& range) {
  return {[range](std::string& text) -> std::string {
            char* end = nullptr;
            const double value = std::strtod(text.c_str(), &end);
            if (end != text.c_str() && *end == '\0' && value >= range.first && value <= range.second) return "";
            return fmt::format("{} is not a number from {} to {}", text, range.first, range.second);
          },
          ""};
}

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
  if (option.range) added->check(within(*option.range));
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

bool is_verb(const std::vector<Verb>& verbs, std::string_view word) {
  return std::any_of(verbs.begin(), verbs.end(), [&](const Verb& verb) { return verb.name == word; });
}

/// The verb that was asked for, if there is no such verb.
std::string_view unknown_verb(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
  if (words.empty()) return "";
  const std::string_view asked = words.front();
  return is_verb(verbs, asked) || asked.starts_with("-") ? "" : asked;
}

/// `help VERB` is `VERB --help`, `help` is `--help`.
std::vector<std::string> asking_for_help(const std::vector<Verb>& verbs, std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  if (words.size() == 1) return {"--help"};
  if (!is_verb(verbs, words[1])) return {words[1]};  // which is refused
  return {words[1], "--help"};
}

/// The options that may stand behind the verb of a command line; without a verb, those of the tool.
std::vector<std::string_view> known_options(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
  std::vector<std::string_view> known = {"--help"};
  if (words.empty() || !is_verb(verbs, words.front())) known.emplace_back("--version");
  for (const Verb& verb : verbs)
    if (!words.empty() && verb.name == words.front())
      for (const Option& option : verb.options)
        if (option.name.starts_with("--")) known.emplace_back(option.name);
  return known;
}

/// `carom run: there is no option "--hlep"; did you mean "--help"?`, or nothing if all options are known.
std::string about_unknown_option(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
  const std::vector<std::string_view> known = known_options(verbs, words);
  for (const std::string& word : words) {
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    if (!name.starts_with("--") || name.size() < 3 || std::find(known.begin(), known.end(), name) != known.end())
      continue;
    return fmt::format("there is no option {}; {}", scene::in_quotes(name),
                       scene::suggestion(name, known, "the options are"));
  }
  return "";
}

/// Whether a word may be the value of an option that needs none. An option is not, and neither is what a verb reads: so
/// `--svg problem.json` draws the problem, and `--svg -` what standard input has.
bool is_value(std::string_view word) {
  return !word.starts_with("-") && !word.ends_with(".json") && !word.ends_with(".toml");
}

/// Takes the options that have no value out of the words, where they may, and gives them empty ones.
std::vector<std::string> without_bare_options(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
  const auto verb = std::find_if(verbs.begin(), verbs.end(),
                                 [&](const Verb& one) { return !words.empty() && one.name == words.front(); });
  if (verb == verbs.end()) return words;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto option = std::find_if(verb->options.begin(), verb->options.end(),
                                     [&](const Option& one) { return one.may_be_bare && one.name == words[i]; });
    if (option == verb->options.end() || (i + 1 < words.size() && is_value(words[i + 1])))
      others.push_back(words[i]);
    else
      std::get<std::optional<std::string>*>(option->target)->emplace();
  }
  return others;
}

/// What to do with a file that stands where a verb should.
std::string verb_for_file(std::string_view word) {
  if (word.ends_with(".toml")) return fmt::format("carom run {} runs a scene", word);
  if (word.ends_with(".json")) return fmt::format("carom impact {} solves a problem", word);
  if (word.ends_with(".urdf") || word.ends_with(".xml")) return fmt::format("carom import {} reads a robot", word);
  return "";
}

int usage_error(const CLI::App& tool, const std::vector<Verb>& verbs, const CLI::ParseError& error,
                const std::vector<std::string>& words) {
  if (const std::string_view unknown = unknown_verb(verbs, words); !unknown.empty()) {
    const std::string file = verb_for_file(unknown);
    std::vector<std::string_view> names;
    names.reserve(verbs.size());
    for (const Verb& verb : verbs) names.push_back(verb.name);
    complain("carom: there is no verb {}; {}; see carom --help\n", scene::in_quotes(unknown),
             file.empty() ? scene::suggestion(unknown, names, "the verbs are") : scene::printable(file));
    return Exit::bad_input;
  }
  std::string command = "carom";
  for (const CLI::App* verb : tool.get_subcommands()) command += " " + verb->get_name();
  const std::string unknown_option = about_unknown_option(verbs, words);
  std::string text = unknown_option.empty() ? error.what() : unknown_option;
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
  tool.footer(
      "carom help VERB tells more of one.\n"
      "Exit codes: 0 solved, 1 the mathematics said no (no solution, not converged), 2 bad input or usage.");
  int exit = Exit::ok;
  for (const Verb& verb : verbs) {
    CLI::App* command = tool.add_subcommand(verb.name, verb.summary);
    if (!verb.footer.empty()) command->footer(verb.footer);
    for (const Option& option : verb.options) add(*command, option);
    command->callback([&] { exit = verb.act(); });
  }
  const std::vector<std::string> words = asking_for_help(verbs, {argv + std::min(argc, 1), argv + argc});
  try {
    const std::vector<std::string> others = without_bare_options(verbs, words);
    tool.parse(std::vector<std::string>(others.rbegin(), others.rend()));  // it takes them from behind
    if (std::fflush(stdout) != 0) throw InputError("standard output", "cannot be written");
    return exit;
  } catch (const CLI::Success& help) {
    return tool.exit(help);
  } catch (const CLI::ParseError& error) {
    return usage_error(tool, verbs, error, words);
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
