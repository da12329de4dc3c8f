#pragma once

#include <array>
#include <optional>
#include <string>

#include "carom/geometry/body_pair.h"

namespace carom::record {

/// Two bodies, and how they lie to each other.
struct PairReport {
  geometry::Dimension dimension = geometry::Dimension::plane;
  std::array<std::string, 2> names = {};
  std::array<geometry::MovingBody, 2> bodies = {};
  geometry::BodyPair pair = {};
  std::optional<double> t = {};        // [s] of a scene
  std::optional<double> modulus = {};  // [Pa] effective, of materials that are known
  std::optional<double> mass = {};     // [kg] that the contact would feel along its normal, joints included

  /// Whether the gap is nothing but rounding.
  bool touches() const;
  /// Hertz's stiffness [N/m^(3/2)], where the materials are known and the contact is a point.
  std::optional<double> stiffness() const;

  std::string json() const;  // "carom-distance/1"
  std::string text() const;  // for people
};

/// "sphere", "polygon": what scenes call the shape.
std::string shape_word(const geometry::Shape& shape, geometry::Dimension dimension);

}  // namespace carom::record
