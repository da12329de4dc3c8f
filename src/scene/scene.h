#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/model/description.h"
#include "carom/scene/document.h"
#include "carom/scene/error.h"
#include "carom/scene/recorded_run.h"
#include "carom/simulate/run.h"

namespace carom::scene {

/// What a run writes beside its summary.
struct Recording {
  std::optional<double> interval;  // [s] between states; left out: duration / 1000
  std::vector<std::string> formats = {"csv"};
  std::optional<bool> report;  // a page to look at; left out: where the build has one
};

/// Where the things of a description stand in the document: paths such as chain[0], for errors found later.
struct Origins {
  std::vector<std::string> bodies, materials, pairs, loads, springs, torsion_springs, joints;
};

/// A scene as it was read: what moves, how, and for how long.
struct Scene {
  std::string title, about;
  Description description;
  Placement placement;
  Scheme scheme;
  ImpactLaw law;
  LawSets sets;                      // contacts that have a law of their own
  double duration = 1;               // [s]
  double clock = 0;                  // [s] the time at which it starts
  std::optional<RecordedRun> start;  // a run that it starts from
  Recording recording;
  simulate::StopRules stop;
  std::vector<std::string> hints;  // what is allowed and may yet be a slip
  Document document;               // where everything stands, for messages
  Origins origins;
};

struct SceneOptions {
  std::optional<std::string> law;     // replaces the law as --law does
  std::vector<std::string> settings;  // "key=value" as in --set
  std::size_t most_bodies = 1'000'000;
  std::vector<std::string_view> formats = {};  // words that record.formats may have; empty: any
  FilesBeside files = {};                      // that the scene may name
};

/// Reads a TOML scene. Throws ReadError: file:line:column, value, rule.
Scene read_scene(const std::string& file, const SceneOptions& options = {});
Scene parse_scene(std::string_view text, const std::string& name, const SceneOptions& options = {});

/// An error of the model or of a run, whose place is a path such as bodies[3].mass, with the position that the body has
/// in the scene.
ReadError located(const InputError& error, const Scene& scene);

}  // namespace carom::scene
