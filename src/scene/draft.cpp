#include "carom/scene/draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::string_view kWorld = "world";
constexpr std::size_t kMostNamesListed = 20;

template <class Map>
std::string nearest_in(const Map& map, std::string_view name, std::string_view known_are) {
  std::vector<std::string_view> names;
  names.reserve(map.size());
  for (const auto& [key, value] : map) names.push_back(key);
  const std::string nearest = suggestion(name, names, "");
  if (nearest.starts_with("did") || names.size() <= kMostNamesListed) return suggestion(name, names, known_are);
  names.resize(kMostNamesListed);
  return fmt::format("{} {}, ...", known_are, listed(names));
}

}  // namespace

const Pose& Draft::pose(int body) const {
  static const Pose world;
  return body < 0 ? world : scene.placement.poses[body];
}

void add_group(Draft& draft, const Field& place, const std::string& name, Draft::Group group) {
  if (name.empty()) fail(place, "is empty; a name has at least one character");
  if (name == kWorld) fail(place, "= \"world\" names the world; a body needs another name");
  if (!draft.groups.emplace(name, group).second)
    fail(place, fmt::format("= {} is the name of an earlier body; names are distinct", in_quotes(name)));
}

void add_body(Draft& draft, const Field& origin, MadeBody made, const Start& start) {
  if (draft.bodies() >= draft.most_bodies) fail(origin, fmt::format("makes more than {} bodies", draft.most_bodies));
  const int index = static_cast<int>(draft.bodies());
  add_group(draft, member(origin, "name").value_or(origin), made.body.name, {index, index});
  Placement& placement = draft.scene.placement;
  placement.poses.push_back(start.pose * Pose{made.centre, Quaternion::Identity()});
  if (!placement.poses.back().position.allFinite())
    fail(origin, fmt::format("places {} beyond all numbers", in_quotes(made.body.name)));
  placement.velocities.push_back(start.velocity);
  placement.angular_velocities.push_back(start.angular_velocity);
  draft.centres.push_back(made.centre);
  draft.points.push_back(made.is_point);
  draft.no_inertia.push_back(made.no_inertia);
  draft.scene.origins.bodies.push_back(origin.path);
  draft.scene.description.bodies.push_back(std::move(made.body));
}

std::string read_name(const Draft& draft, const Field& table) {
  const std::optional<Field> name = member(table, "name");
  return name ? line_of_text(*name) : fmt::format("body {}", draft.bodies() + 1);
}

Draft::Group read_group(const Draft& draft, const Field& field) {
  const std::string name = value_of<std::string>(field);
  if (name == kWorld) return {-1, -1};
  const auto found = draft.groups.find(name);
  if (found == draft.groups.end())
    fail(field, fmt::format("= {} is no body; {}", in_quotes(name), nearest_in(draft.groups, name, "bodies are")));
  return found->second;
}

int read_body_name(const Draft& draft, const Field& field) {
  const Draft::Group group = read_group(draft, field);
  if (group.first != group.last) {
    const std::string name = *field.node->text();
    fail(field, fmt::format("= {} names {} bodies; name one of them, such as {}", in_quotes(name),
                            group.last - group.first + 1, in_quotes(name + " 1")));
  }
  return group.first;
}

int read_material_name(const Draft& draft, const Field& field) {
  const std::string name = value_of<std::string>(field);
  const auto found = draft.materials.find(name);
  if (found == draft.materials.end())
    fail(field,
         fmt::format("= {} is no material; {}", in_quotes(name), nearest_in(draft.materials, name, "materials are")));
  return found->second;
}

std::vector<Field> tables_of(const Field& root, std::string_view key) {
  std::vector<Field> tables;
  const std::optional<Field> list = member(root, key);
  if (!list) return tables;
  const std::string expected = fmt::format("tables, each under [[{}]]", key);
  const std::size_t count = entries_of(*list, expected).size();
  for (std::size_t i = 0; i < count; ++i) {
    tables.push_back(entry(*list, i));
    if (!tables.back().node->object()) fail_expected(tables.back(), fmt::format("a table under [[{}]]", key));
  }
  return tables;
}

}  // namespace carom::scene
