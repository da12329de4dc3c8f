#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "commands.h"
#include "scene/words.h"

namespace {

/// The verb that was asked for, if there is no such verb.
std::string_view unknown_verb(const CLI::App& app, int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  const auto verbs = app.get_subcommands(nullptr);
  const bool known =
      std::any_of(verbs.begin(), verbs.end(), [&](const CLI::App* sub) { return sub->get_name() == verb; });
  return known || verb.starts_with("-") ? "" : verb;
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, std::string_view unknown) {
  std::vector<std::string_view> names;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) names.push_back(verb->get_name());
  if (!unknown.empty()) {
    fmt::print(stderr, "carom: there is no verb {}; {}; see carom --help\n", carom::scene::in_quotes(unknown),
               carom::scene::suggestion(unknown, names, "the verbs are"));
    return carom::cli::Exit::bad_input;
  }
  std::string command = "carom";
  for (const CLI::App* verb : app.get_subcommands()) command += " " + verb->get_name();
  std::string text = error.what();
  for (char& c : text)
    if (c == '\n') c = ' ';
  fmt::print(stderr, "{}: {}; see {} --help\n", command, text, command);
  return carom::cli::Exit::bad_input;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Carom: impacts in multibody systems. Same problem, any law, an answer with a certificate.", "carom");
  app.set_version_flag("--version", CAROM_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 solved, 1 the mathematics said no (no solution, not converged), 2 bad input or usage.");
  int exit = carom::cli::Exit::ok;
  carom::cli::add_run(app, exit);
  carom::cli::add_impact(app, exit);
  carom::cli::add_compare(app, exit);
  carom::cli::add_laws(app, exit);
  carom::cli::add_admissible(app, exit);
  carom::cli::add_plane(app, exit);
  carom::cli::add_forces(app, exit);
  carom::cli::add_block(app, exit);
  try {
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0) throw carom::InputError("standard output", "cannot be written");
    return exit;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, unknown_verb(app, argc, argv));
  } catch (const carom::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "carom: the problem does not fit into this machine's memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "carom: {}\n", error.what());
  }
  return carom::cli::Exit::bad_input;
}
