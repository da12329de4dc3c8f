#include "carom/scene/rods_reader.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "carom/scene/error.h"
#include "carom/scene/json.h"
#include "carom/scene/keys.h"
#include "carom/scene/quantities.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

using waves::EndForce;
using waves::Rod;
using waves::Wall;

constexpr std::array<std::string_view, 2> kRodsFormats = {"carom-rods/1", "carom-beam/1"};

double read_number(const Field& field) {
  return value_of<double>(field);
}

constexpr std::array<Key<EndForce>, 2> kForceKeys = {{
    {"end", "the end it acts on, \"left\" or \"right\"", [](const Field& f, EndForce& v) { read(f, v.end); }, true},
    {"value", "the force [N], to the right", into<&EndForce::value, read_number>, true},
}};

EndForce read_end_force(const Field& field) {
  EndForce force;
  read_table(field, kForceKeys, force);
  return force;
}

/// A force, or a list of them: one an end.
void read_end_forces(const Field& field, Rod& rod) {
  if (!field.node->array()) {
    rod.forces.push_back(read_end_force(field));
    return;
  }
  for (std::size_t i = 0; i < field.node->array()->size(); ++i) rod.forces.push_back(read_end_force(entry(field, i)));
}

constexpr std::array<Key<Rod>, 9> kRodKeys = {{
    {"name", "its name", [](const Field& f, Rod& rod) { rod.name = line_of_text(f); }},
    {"length", "its length [m]", into<&Rod::length, read_positive>, true},
    {"E", "Young's modulus [Pa]", into<&Rod::E, read_positive>, true},
    {"rho", "its density [kg/m^3]", into<&Rod::rho, read_positive>, true},
    {"area", "its section [m^2]", into<&Rod::area, read_positive>},
    {"position", "where its left end is at t = 0 [m]", into<&Rod::position, read_number>, true},
    {"velocity", "its velocity at t = 0 [m/s]", into<&Rod::velocity, read_number>},
    {"fixed", "the end that is held, \"left\" or \"right\"", [](const Field& f, Rod& rod) { read(f, rod.fixed); }},
    {"force", "a constant force on an end, {\"end\": \"left\", \"value\": 1}", read_end_forces},
}};

constexpr std::array<Key<Wall>, 2> kStandingWallKeys = {{
    {"name", "its name", [](const Field& f, Wall& wall) { wall.name = line_of_text(f); }},
    {"position", "where it stands [m]", into<&Wall::position, read_number>, true},
}};

template <class T, std::size_t n>
std::vector<T> read_list(const Field& list, const std::array<Key<T>, n>& keys, std::string_view expected) {
  std::vector<T> result(entries_of(list, expected).size());
  for (std::size_t i = 0; i < result.size(); ++i) read_table(entry(list, i), keys, result[i]);
  return result;
}

/// Rods without a name are called by their number, walls as well, unless somebody else has that name.
void name_all(waves::RodsProblem& problem) {
  std::set<std::string> taken;
  for (const Rod& rod : problem.rods) taken.insert(rod.name);
  for (const Wall& wall : problem.walls) taken.insert(wall.name);
  const auto name = [&](std::string& given, const std::string& usual, const std::string& otherwise) {
    if (given.empty()) given = taken.contains(usual) ? otherwise : usual;
  };
  const bool one = problem.walls.size() == 1;
  for (std::size_t i = 0; i < problem.rods.size(); ++i)
    name(problem.rods[i].name, fmt::format("{}", i + 1), fmt::format("rods[{}]", i));
  for (std::size_t i = 0; i < problem.walls.size(); ++i)
    name(problem.walls[i].name, one ? "wall" : fmt::format("wall {}", i + 1), fmt::format("walls[{}]", i));
}

RodsFile read_rods_file(const Field& root) {
  require_known_keys(root, std::array<std::string_view, 5>{"format", "about", "duration", "rods", "walls"});
  RodsFile file;
  file.problem.duration = read_positive(required_member(root, "duration", "how long to look [s]"));
  file.problem.rods = read_list(required_member(root, "rods", "the list of rods"), kRodKeys, "a list of rods");
  if (const std::optional<Field> walls = member(root, "walls"))
    file.problem.walls = read_list(*walls, kStandingWallKeys, "a list of walls");
  name_all(file.problem);
  validate(file.problem);
  return file;
}

constexpr std::array<Key<BeamFile>, 7> kBeamKeys = {{
    {"format", "carom-beam/1"},
    {"about", "a line of explanation"},
    {"length", "its length [m]", [](const Field& f, BeamFile& file) { file.beam.length = read_positive(f); }, true},
    {"mass", "its mass [kg]", [](const Field& f, BeamFile& file) { file.beam.mass = read_positive(f); }, true},
    {"e", "restitution at the point that is hit",
     [](const Field& f, BeamFile& file) { file.beam.e = read_unit_interval(f); }, true},
    {"modes", "bending modes from the lowest",
     [](const Field& f, BeamFile& file) { file.beam.modes = static_cast<int>(read_count(f, waves::kMostModes)); }},
    {"positions", "where it is hit [m], a list"},
}};

BeamFile read_beam_file(const Field& root) {
  BeamFile file;
  read_table(root, kBeamKeys, file);
  validate(file.beam);
  const std::optional<Field> positions = member(root, "positions");
  if (!positions) return file;
  const std::size_t count = entries_of(*positions, "a list of numbers").size();
  for (std::size_t i = 0; i < count; ++i) {
    const Field field = entry(*positions, i);
    file.positions.push_back(value_of<double>(field));
    if (const double x = file.positions.back(); !(x >= 0 && x <= file.beam.length))
      fail(field, fmt::format("= {} is not on the beam, from 0 to {}", x, file.beam.length));
  }
  return file;
}

bool is_beam(const Field& root) {
  const std::optional<Field> format = member(root, "format");
  return format && read_word(*format, kRodsFormats) == 1;
}

}  // namespace

std::variant<RodsFile, BeamFile> read_rods(const std::string& path, const Overrides& overrides) {
  return read_rods(read_json(path), overrides);
}

std::variant<RodsFile, BeamFile> read_rods(Document document, const Overrides& overrides) {
  const Field root = root_of(document);
  if (!root.node->object()) fail_expected(root, "an object: rods or a beam");
  apply(overrides, document);
  try {
    std::variant<RodsFile, BeamFile> file;
    if (is_beam(root))
      file = read_beam_file(root);
    else
      file = read_rods_file(root);
    if (const std::optional<Field> about = member(root, "about"))
      std::visit([&](auto& either) { either.about = line_of_text(*about); }, file);
    return file;
  } catch (const InputError& error) {
    throw located(error, document);
  }
}

}  // namespace carom::scene
