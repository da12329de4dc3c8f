#pragma once

#include <string>
#include <variant>
#include <vector>

#include "carom/scene/document.h"
#include "carom/scene/overrides.h"
#include "carom/waves/beam.h"
#include "carom/waves/rods.h"

namespace carom::scene {

/// A file of elastic rods, "carom-rods/1".
struct RodsFile {
  waves::RodsProblem problem;
  std::string about;  // a line of explanation
};

/// A file of a beam that hits a stop, "carom-beam/1".
struct BeamFile {
  waves::Beam beam;
  std::vector<double> positions;  // [m] where it is hit; empty: a curve over its length
  std::string about;
};

/// Reads either of them, from a file or from standard input for "-", and validates it; a file without a format has
/// rods. Throws ReadError.
std::variant<RodsFile, BeamFile> read_rods(const std::string& path, const Overrides& overrides = {});
std::variant<RodsFile, BeamFile> read_rods(Document document, const Overrides& overrides = {});

}  // namespace carom::scene
