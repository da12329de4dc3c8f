#pragma once

#include <array>
#include <optional>
#include <string>

#include "carom/geometry/body_pair.h"
#include "carom/scene/document.h"

namespace carom::scene {

/// Two bodies and nothing else, to be measured.
struct GivenPair {
  geometry::Dimension dimension = geometry::Dimension::plane;
  std::array<std::string, 2> names;
  std::array<geometry::MovingBody, 2> bodies;
  std::optional<double> modulus;  // [Pa] effective, if both have E and nu
};

/// Whether a document is such a pair: it has the keys `a` and `b`, which scenes do not have.
bool is_pair(const Document& document);

/// Keys: dimension (2 if left out), about, and the tables a and b, each with shape or shapes, and if wanted name,
/// position, angle or orientation, velocity, angular_velocity, E and nu. Throws ReadError.
GivenPair read_pair(const Document& document);

/// Two shapes of the command line as such a document: TOML tables, {type = "sphere", radius = 1, position = [0, 2]}.
GivenPair parse_pair(const std::string& shape_a, const std::string& shape_b, geometry::Dimension dimension);

}  // namespace carom::scene
