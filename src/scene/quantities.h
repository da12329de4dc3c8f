#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "carom/geometry/pose.h"
#include "carom/geometry/shape.h"
#include "carom/scene/field.h"

namespace carom::scene {

using geometry::Dimension;

/// What is given for a body: tables of which the first that has a key decides. A body has one; the first body of a
/// chain has the chain's table `first` before that of the chain.
struct Given {
  std::vector<Field> tables;

  std::optional<Field> find(std::string_view key) const;
  const Field& place() const { return tables.back(); }  // for errors about what is missing
};

/// Numbers with a rule; the errors name it.
double read_positive(const Field& field);
double read_not_negative(const Field& field);
double read_unit_interval(const Field& field);  // from 0 to 1
std::size_t read_count(const Field& field, std::size_t most);

/// As many numbers as the scene has dimensions, the rest 0; on the line also a number alone.
Vector3 read_vector(const Field& field, Dimension dimension);
Vector3 read_vector(const Given& given, std::string_view key, Dimension dimension);  // zero where nothing is given
Vector3 read_direction(const Field& field, Dimension dimension);                     // of length 1
Vector3 read_three(const Field& field);                                              // three numbers
std::vector<double> read_numbers(const Field& field, std::size_t count);

/// `angle` [degrees] in the plane; in space `orientation`: a quaternion [w, x, y, z], or {axis, angle [degrees]}.
Quaternion read_orientation(const Given& given, Dimension dimension);
/// `position` and orientation.
Pose read_pose(const Given& given, Dimension dimension);

/// [rad/s] a number in the plane, three in space (components in the world).
Vector3 read_angular_velocity(const Given& given, Dimension dimension);

/// Against gravity: y in the plane, z in space, x on the line.
Vector3 upwards(Dimension dimension);

double radians(double degrees);

/// Two keys that exclude each other.
void require_not_both(const Given& given, std::string_view a, std::string_view b);

}  // namespace carom::scene
