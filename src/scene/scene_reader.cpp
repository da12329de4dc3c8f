#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "carom/model/contact_rules.h"
#include "carom/model/periodic.h"
#include "carom/scene/body_reader.h"
#include "carom/scene/draft.h"
#include "carom/scene/error.h"
#include "carom/scene/joint_reader.h"
#include "carom/scene/law_reader.h"
#include "carom/scene/law_set_reader.h"
#include "carom/scene/material_reader.h"
#include "carom/scene/motion_reader.h"
#include "carom/scene/overrides.h"
#include "carom/scene/path.h"
#include "carom/scene/repetition_reader.h"
#include "carom/scene/restart_reader.h"
#include "carom/scene/scene.h"
#include "carom/scene/scheme_reader.h"
#include "carom/scene/stop_reader.h"
#include "carom/scene/toml.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::array<std::string_view, 23> kSceneKeys = {
    "title",  "about",      "dimension", "gravity", "periodic", "duration", "law",  "scheme",
    "record", "parameters", "materials", "contact", "pair",     "body",     "wall", "chain",
    "grid",   "joint",      "spring",    "torsion", "force",    "stop",     "start"};

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
}

/// [parameters]: each may be a formula of the earlier ones.
void read_parameters(Document& document) {
  const std::optional<Field> table = member(root_of(document), "parameters");
  if (!table) return;
  for (const Member& one : members_of(*table)) {
    if (!is_identifier(one.key))
      fail(document, one.key_at,
           fmt::format("parameter {}: a name has letters, digits and _ and does not start with a digit",
                       in_quotes(one.key)));
    if (is_taken_in_formulas(one.key))
      fail(document, one.key_at,
           fmt::format("parameter {} has a meaning in formulas; choose another name", in_quotes(one.key)));
    const double value = value_of<double>(member(*table, one));
    document.constants.emplace(one.key, value);
  }
}

Dimension read_dimension(const Field& root) {
  const std::optional<Field> field = member(root, "dimension");
  if (!field) return Dimension::plane;
  const double value = value_of<double>(*field);
  if (value != 1 && value != 2 && value != 3)
    fail(*field, fmt::format("= {} is none of 1 (line), 2 (plane), 3 (space)", value));
  return static_cast<Dimension>(static_cast<int>(value));
}

/// A number: downwards along the last axis; or a vector.
Vector3 read_gravity(const Field& root, Dimension dimension) {
  const std::optional<Field> field = member(root, "gravity");
  if (!field) return Vector3::Zero();
  if (field->node->array()) return read_vector(*field, dimension);
  return -value_of<double>(*field) * upwards(dimension);
}

/// A number: the same along every axis; or one for each, 0 for those along which space does not repeat itself.
Vector3 read_periodic(const Field& root, Dimension dimension) {
  const std::optional<Field> field = member(root, "periodic");
  Vector3 periods = Vector3::Zero();
  if (!field) return periods;
  if (field->node->array()) {
    periods = read_vector(*field, dimension);
    for (Index k = 0; k < static_cast<Index>(dimension); ++k)
      if (periods[k] != 0) read_positive(entry(*field, static_cast<std::size_t>(k)));
    return periods;
  }
  periods.head(static_cast<Index>(dimension)).setConstant(read_positive(*field));
  return periods;
}

Recording read_recording(const Field& root, std::span<const std::string_view> known) {
  Recording recording;
  const std::optional<Field> table = member(root, "record");
  if (!table) return recording;
  require_known_keys(*table, std::array<std::string_view, 3>{"interval", "formats", "report"});
  if (const std::optional<Field> interval = member(*table, "interval")) recording.interval = read_positive(*interval);
  if (const std::optional<Field> report = member(*table, "report")) recording.report = value_of<bool>(*report);
  if (const std::optional<Field> formats = member(*table, "formats")) {
    recording.formats.clear();
    const std::size_t count = entries_of(*formats, "a list such as [\"csv\", \"vtk\"]").size();
    for (std::size_t i = 0; i < count; ++i)
      recording.formats.push_back(known.empty() ? value_of<std::string>(entry(*formats, i))
                                                : std::string(known[read_word(entry(*formats, i), known)]));
  }
  return recording;
}

void read_general(const Field& root, Scene& scene, const SceneOptions& options) {
  if (const std::optional<Field> title = member(root, "title")) scene.title = line_of_text(*title);
  if (const std::optional<Field> about = member(root, "about")) scene.about = line_of_text(*about);
  scene.description.dimension = read_dimension(root);
  scene.description.gravity = read_gravity(root, scene.description.dimension);
  scene.description.periodic = read_periodic(root, scene.description.dimension);
  scene.duration = read_positive(required_member(root, "duration", "how long it runs [s]"));
  if (const std::optional<Field> law = member(root, "law"))
    scene.law = read_law(*law, std::array<std::string_view, 1>{"set"});
  if (const std::optional<Field> scheme = member(root, "scheme")) scene.scheme = read_scheme(*scheme);
  scene.recording = read_recording(root, options.formats);
  if (const std::optional<Field> start = member(root, "start")) {
    scene.start = read_start_of(*start);
    const std::optional<Field> clock = member(*start, "clock");
    scene.clock = clock ? value_of<double>(*clock) : scene.start->t;
    scene.start->recorded_t = std::exchange(scene.start->t, scene.clock);
    scene.start->has_clock = clock.has_value();
  }
}

void read_sections(const Field& root, Scene& scene, std::size_t most_bodies) {
  Draft draft(scene, most_bodies);
  read_materials(draft, root);
  read_bodies(draft, root);
  read_chains(draft, root);
  read_grids(draft, root);
  read_walls(draft, root);
  if (draft.bodies() == 0)
    fail(*root.document, root.node->at, "the scene has no bodies; give it a [[body]] or a [[chain]]");
  read_pairs(draft, root);
  read_joints(draft, root);
  read_springs(draft, root);
  read_torsion_springs(draft, root);
  read_loads(draft, root);
  read_stop(draft, root);
  read_law_sets(draft, root);
  require_points(draft);
}

/// A scene may do without a law where nothing can touch.
void require_law_of_contacts(const Field& root, const Scene& scene) {
  if (member(root, "law")) return;
  const Model model(scene.description);
  const ContactRules rules(model);
  const std::vector<PartPair> kinds = rules.kinds(), stops = stops_of(model);
  if (kinds.empty() && stops.empty()) return;
  const PartPair& one = kinds.empty() ? stops.front() : kinds.front();
  required_member(root, "law",
                  fmt::format("which law of impact, such as \"lzb\"; {}",
                              kinds.empty() ? fmt::format("the joint \"{}\" has stops", name_of(model, one, ""))
                                            : name_of(model, one, " and ") + " may touch"));
}

/// The path in the document of a path in the description: bodies[7].mass may be chain[0].mass.
std::string original_path(const Scene& scene, const std::string& path) {
  const std::vector<Step> steps = parse_path(path).steps;
  if (steps.size() < 2 || !steps[1].index) return path;
  const Origins& origins = scene.origins;
  for (const auto& [key, list] :
       {std::pair("bodies", &origins.bodies), std::pair("materials", &origins.materials),
        std::pair("pairs", &origins.pairs), std::pair("loads", &origins.loads), std::pair("springs", &origins.springs),
        std::pair("joints", &origins.joints), std::pair("torsion_springs", &origins.torsion_springs)})
    if (steps[0].key == key && *steps[1].index < list->size())
      return (*list)[*steps[1].index] + (steps.size() > 2 ? path.substr(path.find(']') + 1) : "");
  return path;
}

Scene read_scene(Document document, const SceneOptions& options) {
  Scene scene;
  scene.document = std::move(document);
  scene.document.files = options.files;
  apply({.law = options.law, .settings = options.settings}, scene.document);
  const Field root = root_of(scene.document);
  try {
    require_known_keys(root, kSceneKeys);
    read_parameters(scene.document);
    read_general(root, scene, options);
    read_sections(root, scene, options.most_bodies);
    require_periodic(scene.description);
    require_law_of_contacts(root, scene);
  } catch (const InputError& error) {
    throw located(error, scene);
  }
  return scene;
}

}  // namespace

Scene read_scene(const std::string& file, const SceneOptions& options) {
  return read_scene(read_toml(file), options);
}

Scene parse_scene(std::string_view text, const std::string& name, const SceneOptions& options) {
  return read_scene(parse_toml(text, name), options);
}

ReadError located(const InputError& error, const Scene& scene) {
  if (const auto* already = dynamic_cast<const ReadError*>(&error)) return *already;
  return located(InputError(original_path(scene, error.place), error.rule), scene.document);
}

}  // namespace carom::scene
