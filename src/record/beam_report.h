#pragma once

#include <string>
#include <vector>

#include "carom/waves/beam.h"

namespace carom::record {

/// What is to be said about a beam that hits a stop.
struct BeamReport {
  waves::Beam beam;
  std::vector<waves::BeamImpact> impacts;

  std::string json() const;  // "carom-beam-outcome/1"
  std::string text() const;  // for people
  std::string svg() const;   // restitution as a rigid body over the place where it is hit
};

}  // namespace carom::record
