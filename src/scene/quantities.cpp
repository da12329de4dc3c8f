#include "carom/scene/quantities.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/scene/words.h"

namespace carom::scene {
namespace {

std::string_view place_name(Dimension dimension) {
  return dimension == Dimension::line ? "on the line" : dimension == Dimension::plane ? "in the plane" : "in space";
}

Quaternion turned(const Vector3& axis, double angle) {
  return Quaternion(Eigen::AngleAxisd(angle, axis));
}

Quaternion read_quaternion(const Field& field) {
  const std::vector<double> q = read_numbers(field, 4);
  const Quaternion quaternion(q[0], q[1], q[2], q[3]);
  const double norm = quaternion.coeffs().stableNorm();
  if (!(norm > 0) || !std::isfinite(norm)) fail(field, "has no length; a quaternion [w, x, y, z] is not zero");
  return Quaternion(quaternion.coeffs() / norm);
}

Quaternion read_axis_and_angle(const Field& field) {
  require_known_keys(field, std::array<std::string_view, 2>{"axis", "angle"});
  const Field axis = required_member(field, "axis", "the axis that the body is turned about");
  const Field angle = required_member(field, "angle", "how far it is turned [degrees]");
  return turned(read_direction(axis, Dimension::space), radians(value_of<double>(angle)));
}

}  // namespace

std::optional<Field> Given::find(std::string_view key) const {
  for (const Field& table : tables)
    if (std::optional<Field> found = member(table, key)) return found;
  return {};
}

double read_positive(const Field& field) {
  const double value = value_of<double>(field);
  if (!(value > 0)) fail(field, fmt::format("= {} is not positive; it must be > 0", value));
  return value;
}

double read_not_negative(const Field& field) {
  const double value = value_of<double>(field);
  if (value < 0) fail(field, fmt::format("= {} is negative; it must be >= 0", value));
  return value;
}

double read_unit_interval(const Field& field) {
  const double value = value_of<double>(field);
  if (value < 0 || value > 1) fail(field, fmt::format("= {} is not between 0 and 1", value));
  return value;
}

std::size_t read_count(const Field& field, std::size_t most) {
  const double value = value_of<double>(field);
  if (!(value >= 1) || value > static_cast<double>(most) || value != std::floor(value))
    fail(field, fmt::format("= {} is not a whole number from 1 to {}", value, most));
  return static_cast<std::size_t>(value);
}

Vector3 read_vector(const Field& field, Dimension dimension) {
  const auto n = static_cast<Index>(dimension);
  Vector3 vector = Vector3::Zero();
  if (n == 1 && !field.node->array()) {
    vector[0] = value_of<double>(field);
    return vector;
  }
  const std::size_t given = entries_of(field, fmt::format("a list of {} numbers", n)).size();
  if (given != static_cast<std::size_t>(n))
    fail(field, fmt::format("has {} numbers; {} it has {}", given, place_name(dimension), n));
  vector.head(n) = value_of<Vector>(field);
  return vector;
}

Vector3 read_vector(const Given& given, std::string_view key, Dimension dimension) {
  const std::optional<Field> field = given.find(key);
  return field ? read_vector(*field, dimension) : Vector3(Vector3::Zero());
}

Vector3 read_direction(const Field& field, Dimension dimension) {
  const Vector3 vector = read_vector(field, dimension);
  const double norm = vector.stableNorm();
  if (!(norm > 0) || !std::isfinite(norm)) fail(field, "has no length; a direction is not zero");
  return vector / norm;
}

std::vector<double> read_numbers(const Field& field, std::size_t count) {
  const std::size_t given = entries_of(field, fmt::format("a list of {} numbers", count)).size();
  if (given != count) fail(field, fmt::format("has {} numbers; it must have {}", given, count));
  const Vector numbers = value_of<Vector>(field);
  return {numbers.begin(), numbers.end()};
}

Vector3 read_three(const Field& field) {
  return Vector3(read_numbers(field, 3).data());
}

Quaternion read_orientation(const Given& given, Dimension dimension) {
  const std::optional<Field> angle = given.find("angle"), orientation = given.find("orientation");
  if (angle && dimension != Dimension::plane)
    fail(*angle, fmt::format("is for the plane; {}", dimension == Dimension::space
                                                         ? "in space write orientation = {axis = [0, 0, 1], angle = 30}"
                                                         : "bodies on a line do not turn"));
  if (orientation && dimension != Dimension::space)
    fail(*orientation, fmt::format("is for space; {}", dimension == Dimension::plane ? "in the plane write angle = 30"
                                                                                     : "bodies on a line do not turn"));
  if (angle) return turned(Vector3::UnitZ(), radians(value_of<double>(*angle)));
  if (!orientation) return Quaternion::Identity();
  return orientation->node->object() ? read_axis_and_angle(*orientation) : read_quaternion(*orientation);
}

Pose read_pose(const Given& given, Dimension dimension) {
  return {read_vector(given, "position", dimension), read_orientation(given, dimension)};
}

Vector3 read_angular_velocity(const Given& given, Dimension dimension) {
  const std::optional<Field> field = given.find("angular_velocity");
  if (!field) return Vector3::Zero();
  if (dimension == Dimension::line) fail(*field, "is for the plane and for space; bodies on a line do not turn");
  if (dimension == Dimension::plane) return value_of<double>(*field) * Vector3::UnitZ();
  return read_three(*field);
}

Vector3 upwards(Dimension dimension) {
  return Vector3::Unit(static_cast<Index>(dimension) - 1);
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

void require_not_both(const Given& given, std::string_view a, std::string_view b) {
  const std::optional<Field> first = given.find(a), second = given.find(b);
  if (first && second)
    fail(*second, fmt::format("is given, and {} at {}; expected one of them, not both", a,
                              place_of(*first->document, first->node->at)));
}

}  // namespace carom::scene
