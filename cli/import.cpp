#include "carom/app/import.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "carom/base/error.h"
#include "carom/record/output_file.h"
#include "verbs.h"

namespace carom::cli {
namespace {

struct ImportVerbOptions {
  std::string input, out, pose, meshes;
  std::vector<std::string> packages;
  double above = 0.1, e = 0, mu = 0.8, duration = 1;
  bool fixed_base = false, ground = false, quiet = false;
};

/// "a=1,b=2" as pairs; what stands behind the last = of each is its value.
std::vector<std::pair<std::string, std::string>> assignments(const std::string& option, const std::string& text) {
  std::vector<std::pair<std::string, std::string>> result;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string one = text.substr(start, end - start);
    const std::size_t equals = one.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(option, fmt::format("\"{}\" is not NAME=VALUE", one));
    result.emplace_back(one.substr(0, equals), one.substr(equals + 1));
    start = end + 1;
  }
  return result;
}

app::ImportOptions asked(const ImportVerbOptions& options) {
  app::ImportOptions result;
  for (const auto& [name, value] : assignments("--pose", options.pose)) {
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0' || !std::isfinite(number))
      throw InputError("--pose", fmt::format("{} = \"{}\" is no number", name, value));
    result.pose[name] = number;
  }
  for (const std::string& one : options.packages)
    for (const auto& [name, folder] : assignments("--package", one)) result.packages[name] = folder;
  result.meshes = options.meshes;
  result.fixed_base = options.fixed_base;
  result.ground = options.ground;
  result.above = options.above;
  result.e = options.e;
  result.mu = options.mu;
  result.duration = options.duration;
  return result;
}

int act_on_robot(const ImportVerbOptions& options) {
  const app::ImportedScene scene = app::import_robot(options.input, asked(options));
  if (options.out.empty())
    fmt::print("{}", scene.text);
  else
    record::write_file(options.out, scene.text);
  if (options.quiet) return Exit::ok;
  if (!options.out.empty())
    fmt::print(stderr, "{}: {} bodies, {} shapes, {} joints\n", options.out, scene.bodies, scene.shapes, scene.joints);
  if (!scene.left_out.empty()) fmt::print(stderr, "not carried over, or changed:\n");
  for (const std::string& one : scene.left_out) fmt::print(stderr, "- {}\n", one);
  return Exit::ok;
}

}  // namespace

Verb import_verb() {
  auto options = std::make_shared<ImportVerbOptions>();
  return {
      .name = "import",
      .summary = "a robot, in URDF or MJCF, as a scene",
      .footer =
          "Examples: carom import examples/robots/quadruped.urdf --ground --out dog.toml\n"
          "          carom import arm.urdf --fixed-base --pose \"shoulder=0.5,elbow=-1.2\" --out arm.toml\n"
          "          carom import robot.urdf --package robot_description=share/robot_description --out robot.toml\n"
          "docs/robots.md says what is carried over.",
      .options =
          {{.name = "robot", .target = &options->input, .help = "a URDF or MJCF file", .required = true},
           {.name = "--out",
            .target = &options->out,
            .help = "write the scene into this file; without it, to standard output",
            .value = "FILE"},
           {.name = "--pose",
            .target = &options->pose,
            .help = "joints at the start, in rad or m: \"knee=0.5,hip=-0.2\"",
            .value = "JOINT=VALUE,..."},
           {.name = "--fixed-base", .target = &options->fixed_base, .help = "the root link stands in the world"},
           {.name = "--ground",
            .target = &options->ground,
            .help = "add a plane at z = 0 unless the file has one, and place the robot above it"},
           {.name = "--above",
            .target = &options->above,
            .help = "with --ground: how high its lowest point is at the start [m]",
            .value = "H",
            .shows_default = true},
           {.name = "--e", .target = &options->e, .help = "restitution of contacts and stops", .shows_default = true},
           {.name = "--mu",
            .target = &options->mu,
            .help = "friction of shapes that say nothing",
            .shows_default = true},
           {.name = "--duration", .target = &options->duration, .help = "of the scene [s]", .shows_default = true},
           {.name = "--package",
            .target = &options->packages,
            .help = "where meshes of package://NAME/ are",
            .value = "NAME=FOLDER",
            .one_by_one = true},
           {.name = "--meshes",
            .target = &options->meshes,
            .help = "the folder that meshes may be in; that of the file unless it is given",
            .value = "FOLDER"},
           {.name = "--quiet", .target = &options->quiet, .help = "do not list what was left out"}},
      .act = [options] { return act_on_robot(*options); }};
}

}  // namespace carom::cli
