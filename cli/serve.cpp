#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include "carom/base/error.h"
#include "carom/server/server.h"
#include "interrupt.h"
#include "verbs.h"

extern char** environ;

namespace carom::cli {
namespace {

constexpr int kPort = 8737;
constexpr std::chrono::milliseconds kGlance{50};  // how often an interruption is looked for

struct ServeOptions {
  std::string scene, host = "127.0.0.1", folder;
  int port = kPort, most_runs = 2;
  double timeout = 60;  // [s]
  bool no_open = false;
};

/// The folder of the scenes: that of --folder, else the scene's, else scenes/ where there is one.
std::filesystem::path folder_of(const ServeOptions& options) {
  namespace fs = std::filesystem;
  if (!options.folder.empty()) return options.folder;
  if (!options.scene.empty()) {
    const fs::path parent = fs::path(options.scene).parent_path();
    return parent.empty() ? fs::path(".") : parent;
  }
  std::error_code ignored;
  return fs::is_directory("scenes", ignored) ? "scenes" : ".";
}

/// What the page opens first, behind its address.
std::string query_of(const ServeOptions& options, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (options.scene.empty()) return "";
  const fs::path file(options.scene);
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) throw InputError(options.scene, "there is no such file");
  if (file.extension() != ".toml") throw InputError(options.scene, "is no scene; scenes are *.toml");
  if (!fs::equivalent(file, folder / file.filename(), failed) || failed)
    throw InputError(options.scene,
                     fmt::format("is not in the folder {}, from which scenes are served", folder.string()));
  std::string query = "?scene=";
  for (const char c : file.stem().string()) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    query += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return query;
}

/// In the user's browser, where somebody sits at a screen.
void open_in_browser(std::string address) {
  if (isatty(STDOUT_FILENO) == 0 || (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY"))) return;
  std::string program = "xdg-open";
  char* arguments[] = {program.data(), address.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1, 0);
  pid_t child = 0;
  posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quiet);
}

int act(const ServeOptions& options) {
  const std::filesystem::path folder = folder_of(options);
  const std::string query = query_of(options, folder);
  server::ServerOptions what;
  what.host = options.host;
  what.port = options.port;
  what.folder = folder.string();
  what.most_runs = options.most_runs;
  what.run_time = std::chrono::milliseconds(static_cast<long>(options.timeout * 1000));
  server::Server server(what);
  const std::string address = server.address() + query;
  const std::atomic<bool>& stop = interrupted();
  std::thread serving([&] { server.serve(); });
  fmt::print("{}\n", address);
  std::fflush(stdout);
  fmt::print(stderr, "the laboratory is at this address, with the scenes of {}; Ctrl-C ends it\n", folder.string());
  if (!options.no_open) open_in_browser(address);
  while (!stop) std::this_thread::sleep_for(kGlance);
  server.stop();
  serving.join();
  return Exit::ok;
}

}  // namespace

Verb serve_verb() {
  auto options = std::make_shared<ServeOptions>();
  return {.name = "serve",
          .summary = "the laboratory for browsers: scenes to change, run and compare; on this machine alone",
          .footer =
              "Examples: carom serve\n"
              "          carom serve scenes/newtons_cradle.toml --port 0",
          .options = {{.name = "scene", .target = &options->scene, .help = "the scene to begin with"},
                      {.name = "--port",
                       .target = &options->port,
                       .help = "listen at this port; 0 chooses one that is free",
                       .value = "N",
                       .shows_default = true,
                       .range = {{0, 65535}}},
                      {.name = "--host",
                       .target = &options->host,
                       .help = "listen at this address; any but loopback lets others of the network in",
                       .value = "ADDRESS",
                       .shows_default = true},
                      {.name = "--folder",
                       .target = &options->folder,
                       .help = "the folder of the scenes; left out: the scene's, or scenes/, or this one",
                       .value = "DIR"},
                      {.name = "--no-open", .target = &options->no_open, .help = "do not open a browser"},
                      {.name = "--max-runs",
                       .target = &options->most_runs,
                       .help = "runs at a time; others wait",
                       .value = "N",
                       .shows_default = true,
                       .range = {{1, 64}}},
                      {.name = "--timeout",
                       .target = &options->timeout,
                       .help = "seconds of computing after which a run ends with what there is",
                       .value = "S",
                       .shows_default = true,
                       .range = {{1e-3, 1e6}}}},
          .act = [options] { return act(*options); }};
}

}  // namespace carom::cli
