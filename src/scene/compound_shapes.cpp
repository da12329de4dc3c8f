#include "carom/scene/compound_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/geometry/ball_union.h"
#include "carom/geometry/made_shapes.h"
#include "carom/scene/beside.h"
#include "carom/scene/csv.h"
#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

using geometry::Ball;
using geometry::MassProperties;

constexpr std::size_t kMostBalls = 10'000;  // of one clump
constexpr double kThinRod = 1e-3;           // of the length: the radius of a rod that does not say it

constexpr std::array<std::string_view, 2> kClumpKeys = {"spheres", "file"};
constexpr std::array<std::string_view, 2> kThinRodKeys = {"length", "radius"};

/// x, y, z, r; in the plane x, y, r.
Ball ball_of(const std::vector<double>& numbers) {
  Ball ball;
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) ball.centre[static_cast<Index>(i)] = numbers[i];
  ball.radius = numbers.back();
  return ball;
}

std::vector<Ball> listed_balls(const Field& list, std::size_t width) {
  const std::size_t count = entries_of(list, "a list of spheres [x, y, z, radius]").size();
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < count; ++i) {
    const Field one = entry(list, i);
    balls.push_back(ball_of(read_numbers(one, width)));
    if (!(balls.back().radius > 0))
      fail(one, fmt::format("has the radius {}; its last number is a radius [m], > 0", balls.back().radius));
  }
  return balls;
}

std::vector<Ball> balls_in_file(const Field& file, std::size_t width) {
  const FileBeside beside = read_beside(file);
  const Csv csv = parse_csv(beside.text, beside.path);
  if (csv.names.size() != width)
    fail(file, fmt::format("= {} has {} columns; spheres have {}", in_quotes(*file.node->text()), csv.names.size(),
                           width == 4 ? "x, y, z and the radius" : "x, y and the radius"));
  std::vector<Ball> balls;
  for (const std::vector<double>& row : csv.rows) {
    balls.push_back(ball_of(row));
    if (!(balls.back().radius > 0))
      fail(file, fmt::format("= {}: sphere {} has the radius {}; radii are > 0", in_quotes(*file.node->text()),
                             balls.size(), balls.back().radius));
  }
  return balls;
}

/// Balls that move together. The first weighs for all.
std::vector<ShapeOfBody> read_clump(const Field& table, Dimension dimension) {
  require_not_both({{table}}, "spheres", "file");
  const std::size_t width = dimension == Dimension::plane ? 3 : 4;
  const std::optional<Field> file = member(table, "file");
  const Field place =
      file ? *file : required_member(table, "spheres", "a list of spheres [x, y, z, radius] [m], or \"file\"");
  const std::vector<Ball> balls = file ? balls_in_file(*file, width) : listed_balls(place, width);
  if (balls.empty() || balls.size() > kMostBalls)
    fail(place, fmt::format("has {} spheres; a clump has from 1 to {}", balls.size(), kMostBalls));
  std::vector<ShapeOfBody> shapes;
  for (const Ball& ball : balls) {
    ShapeOfBody& shape = shapes.emplace_back();
    shape.part.shape = geometry::ball_shape(ball.radius);
    shape.part.pose.position = ball.centre;
    shape.weight = MassProperties{};
  }
  shapes.front().weight = geometry::union_of_balls(balls);
  return shapes;
}

/// m l^2/12 about its middle; it touches as a capsule of the same length.
std::vector<ShapeOfBody> read_rod(const Field& table, Dimension) {
  const double length = read_positive(required_member(table, "length", "its length [m]"));
  const std::optional<Field> radius = member(table, "radius");
  const double r = radius ? read_positive(*radius) : kThinRod * length;
  if (2 * r >= length)
    fail(*radius, fmt::format("= {} is no thin rod's of length {}; a capsule or a cylinder is thick", r, length));
  ShapeOfBody shape;
  shape.part.shape = geometry::bar_shape(length, r);
  const double volume = std::numbers::pi * r * r * length, across = volume * length * length / 12;
  shape.weight = MassProperties{volume, Vector3::Zero(), Vector3(volume * r * r / 2, across, across).asDiagonal()};
  return {shape};
}

constexpr std::array<CompoundType, 2> kCompounds = {{
    {"clump", "{type = \"clump\", spheres = [[0, 0, 0, 0.1], [0.1, 0, 0, 0.05]]}", kClumpKeys, read_clump},
    {"rod", "{type = \"rod\", length = 1}", kThinRodKeys, read_rod},
}};

}  // namespace

std::span<const CompoundType> compound_types() {
  return kCompounds;
}

const CompoundType* compound_named(const Field& name, Dimension dimension) {
  const std::string* text = name.node->text();
  if (!text || dimension == Dimension::line) return nullptr;
  const auto found =
      std::find_if(kCompounds.begin(), kCompounds.end(), [&](const CompoundType& type) { return type.name == *text; });
  return found == kCompounds.end() ? nullptr : &*found;
}

MassProperties seen_from_body(const MassProperties& own, const Pose& pose) {
  const Matrix3 R = pose.orientation.toRotationMatrix();
  return {own.volume, pose.to_world(own.centre), R * own.inertia * R.transpose()};
}

}  // namespace carom::scene
