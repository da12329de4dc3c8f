#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "carom/scene/body_reader.h"
#include "carom/scene/repetition_reader.h"

namespace carom::scene {
namespace {

/// The same numbers on every machine (SplitMix64), so that a seed means the same scene everywhere.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53; }

  Vector3 direction(Dimension dimension) {
    if (dimension == Dimension::line) return uniform(-1, 1) < 0 ? Vector3(-1, 0, 0) : Vector3(1, 0, 0);
    const double z = dimension == Dimension::space ? uniform(-1, 1) : 0;
    const double angle = uniform(0, 2 * std::numbers::pi), r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

enum class Lattice { square, hexagonal };
constexpr std::array<std::string_view, 2> words_of(Lattice) {
  return {"square", "hexagonal"};
}

struct Grid {
  std::string name;
  std::array<std::size_t, 3> count = {1, 1, 1};
  Vector3 spacing = Vector3::Zero();
  Lattice lattice = Lattice::square;
  Vector3 corner = Vector3::Zero();
  double jitter = 0, speed = 0;
  std::uint64_t seed = 1;
};

std::vector<std::string_view> grid_keys() {
  std::vector<std::string_view> keys = body_keys();
  keys.insert(keys.end(), {"name", "count", "spacing", "lattice", "member", "jitter", "speed", "seed"});
  return keys;
}

std::array<std::size_t, 3> read_counts(const Field& field, Dimension dimension, std::size_t most_bodies) {
  std::array<std::size_t, 3> counts = {1, 1, 1};
  if (dimension == Dimension::line && !field.node->array()) {
    counts[0] = read_count(field, most_bodies);
    return counts;
  }
  const auto n = static_cast<std::size_t>(dimension);
  read_numbers(field, n);
  for (std::size_t i = 0; i < n; ++i) counts[i] = read_count(entry(field, i), most_bodies);
  const double all = static_cast<double>(counts[0]) * static_cast<double>(counts[1]) * static_cast<double>(counts[2]);
  if (all > static_cast<double>(most_bodies))
    fail(field, fmt::format("makes {} bodies; a scene has at most {}", all, most_bodies));
  return counts;
}

Vector3 read_spacing(const Field& table, Dimension dimension) {
  const Field field = required_member(table, "spacing", "the distance of neighbours [m]");
  if (!field.node->array()) return Vector3::Constant(read_positive(field));
  Vector3 spacing = read_vector(field, dimension);
  for (std::size_t i = 0; i < static_cast<std::size_t>(dimension); ++i) read_positive(entry(field, i));
  return spacing;
}

std::uint64_t read_seed(const Field& field) {
  const double value = value_of<double>(field);
  if (value < 0 || value > 9007199254740992.0 || value != std::floor(value))
    fail(field, fmt::format("= {} is not a whole number from 0 to 2^53", value));
  return static_cast<std::uint64_t>(value);
}

Grid read_grid(const Draft& draft, const Field& table) {
  require_known_keys(table, grid_keys());
  const Dimension dimension = draft.dimension();
  Grid grid;
  grid.name = line_of_text(required_member(table, "name", "the bodies are called after it, such as \"disc 1\""));
  grid.count =
      read_counts(required_member(table, "count", "how many bodies along each axis"), dimension, draft.most_bodies);
  grid.spacing = read_spacing(table, dimension);
  grid.corner = read_vector(Given{{table}}, "position", dimension);
  if (const std::optional<Field> lattice = member(table, "lattice")) {
    read(*lattice, grid.lattice);
    if (grid.lattice == Lattice::hexagonal && dimension != Dimension::plane)
      fail(*lattice, "= \"hexagonal\" is for the plane");
  }
  if (const std::optional<Field> jitter = member(table, "jitter")) grid.jitter = read_not_negative(*jitter);
  if (const std::optional<Field> speed = member(table, "speed")) grid.speed = read_not_negative(*speed);
  if (const std::optional<Field> seed = member(table, "seed")) grid.seed = read_seed(*seed);
  require_not_both(Given{{table}}, "velocity", "speed");
  return grid;
}

/// Rows of a hexagonal lattice are shifted by half a spacing, in turn, and nearer by sqrt(3)/2.
Vector3 lattice_point(const Grid& grid, std::size_t i, std::size_t j, std::size_t k) {
  const auto x = static_cast<double>(i), y = static_cast<double>(j), z = static_cast<double>(k);
  const bool hexagonal = grid.lattice == Lattice::hexagonal;
  const double shift = hexagonal && j % 2 == 1 ? 0.5 : 0, height = hexagonal ? std::numbers::sqrt3 / 2 : 1;
  return grid.corner + grid.spacing.cwiseProduct(Vector3(x + shift, height * y, z));
}

void add_grid(Draft& draft, const Field& table) {
  const Grid grid = read_grid(draft, table);
  const Dimension dimension = draft.dimension();
  const MadeBody made = make_body(draft, Given{{table}}, grid.name);
  const std::size_t count = grid.count[0] * grid.count[1] * grid.count[2];
  const int first = static_cast<int>(draft.bodies());
  RandomNumbers random(grid.seed);
  for (std::size_t k = 0; k < grid.count[2]; ++k)
    for (std::size_t j = 0; j < grid.count[1]; ++j)
      for (std::size_t i = 0; i < grid.count[0]; ++i) {
        const std::size_t number = draft.bodies() - static_cast<std::size_t>(first);
        const std::optional<Field> own = member_table(table, number, count);
        const Given given = own ? Given{{*own, table}} : Given{{table}};
        MadeBody body = own ? make_body(draft, given, grid.name) : made;
        body.body.name = fmt::format("{} {}", grid.name, number + 1);
        Start start = read_start(draft, given, {lattice_point(grid, i, j, k), read_orientation(given, dimension)});
        for (Index axis = 0; axis < static_cast<Index>(dimension); ++axis)
          start.pose.position[axis] += random.uniform(-grid.jitter, grid.jitter);
        stand(body, given, start);
        if (grid.speed > 0 && body.body.is_free() && !(own && member(*own, "velocity")))
          start.velocity = grid.speed * random.direction(dimension);
        add_body(draft, table, std::move(body), start);
      }
  add_group(draft, *member(table, "name"), grid.name, {first, static_cast<int>(draft.bodies()) - 1});
}

}  // namespace

void read_grids(Draft& draft, const Field& root) {
  for (const Field& table : tables_of(root, "grid")) add_grid(draft, table);
}

}  // namespace carom::scene
