#include "carom/scene/pair_reader.h"

#include <fmt/format.h>

#include "carom/scene/error.h"
#include "carom/scene/quantities.h"
#include "carom/scene/shape_reader.h"
#include "carom/scene/toml.h"

namespace carom::scene {
namespace {

using geometry::MovingBody;

constexpr std::array<std::string_view, 5> kTwoBodyKeys = {"about", "title", "dimension", "a", "b"};
constexpr std::array<std::string_view, 10> kTwoBodySideKeys = {
    "name", "shape", "shapes", "position", "angle", "orientation", "velocity", "angular_velocity", "E", "nu"};

Dimension dimension_of_pair(const Field& root) {
  const std::optional<Field> field = member(root, "dimension");
  if (!field) return Dimension::plane;
  const double value = value_of<double>(*field);
  if (value != 1 && value != 2 && value != 3)
    fail(*field, fmt::format("= {} is none of 1 (line), 2 (plane), 3 (space)", value));
  return static_cast<Dimension>(static_cast<int>(value));
}

std::vector<geometry::Part> parts_of_side(const Given& given, Dimension dimension) {
  std::vector<geometry::Part> parts;
  for (ShapeOfBody& shape : read_shapes(given, dimension, Planes::allowed)) parts.push_back(std::move(shape.part));
  if (parts.empty()) fail(given.place(), "has no shape; give it shape = {type = \"sphere\", radius = 0.1} or shapes");
  return parts;
}

MovingBody read_two_body_side(const Field& table, Dimension dimension) {
  require_known_keys(table, kTwoBodySideKeys);
  const Given given{{table}};
  MovingBody body{.parts = parts_of_side(given, dimension), .pose = read_pose(given, dimension)};
  body.velocity = read_vector(given, "velocity", dimension);
  body.angular_velocity = read_angular_velocity(given, dimension);
  return body;
}

std::optional<geometry::Elasticity> elasticity_of_side(const Field& table) {
  const std::optional<Field> E = member(table, "E"), nu = member(table, "nu");
  if (!E && !nu) return std::nullopt;
  geometry::Elasticity result;
  result.E = read_positive(required_member(table, "E", "Young's modulus [Pa], which belongs to nu"));
  const Field ratio = required_member(table, "nu", "Poisson's ratio, which belongs to E");
  result.nu = value_of<double>(ratio);
  if (!(result.nu > -1 && result.nu <= 0.5))
    fail(ratio, fmt::format("= {} is out of range; Poisson's ratio is > -1 and <= 1/2", result.nu));
  return result;
}

}  // namespace

bool is_pair(const Document& document) {
  return document.root.find("a") != nullptr && document.root.find("b") != nullptr;
}

GivenPair read_pair(const Document& document) {
  const Field root = root_of(document);
  require_known_keys(root, kTwoBodyKeys);
  GivenPair pair;
  pair.dimension = dimension_of_pair(root);
  std::array<std::optional<geometry::Elasticity>, 2> elasticity;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string_view key = i == 0 ? "a" : "b";
    const Field table = required_member(root, key, "one of the two bodies");
    members_of(table);
    pair.bodies[i] = read_two_body_side(table, pair.dimension);
    elasticity[i] = elasticity_of_side(table);
    const std::optional<Field> name = member(table, "name");
    pair.names[i] = name ? line_of_text(*name) : std::string(key);
  }
  if (elasticity[0] && elasticity[1]) pair.modulus = geometry::effective_modulus(*elasticity[0], *elasticity[1]);
  return pair;
}

GivenPair parse_pair(const std::string& shape_a, const std::string& shape_b, Dimension dimension) {
  GivenPair pair;
  pair.dimension = dimension;
  pair.names = {"a", "b"};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& text = i == 0 ? shape_a : shape_b;
    const Document document = parse_toml("shape = " + text, i == 0 ? "--a" : "--b");
    const Field root = root_of(document);
    require_known_keys(root, std::array<std::string_view, 1>{"shape"});
    pair.bodies[i] = MovingBody{.parts = parts_of_side({{root}}, dimension)};
  }
  return pair;
}

}  // namespace carom::scene
