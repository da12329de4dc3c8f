#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "commands.h"

namespace {

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
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
  carom::cli::add_impact(app, exit);
  carom::cli::add_compare(app, exit);
  carom::cli::add_laws(app, exit);
  carom::cli::add_admissible(app, exit);
  try {
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0) throw carom::InputError("standard output", "cannot be written");
    return exit;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  } catch (const carom::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "carom: the problem does not fit into this machine's memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "carom: {}\n", error.what());
  }
  return carom::cli::Exit::bad_input;
}
