#pragma once

#include <string>
#include <vector>

#include "carom/analysis/corner.h"

namespace carom::record {

/// One contact as an edge, two as a corner of the kinetic metric: the ways that the motion has through it.
struct CornerReport {
  const ContactProblem& problem;
  analysis::Corner corner;
  std::vector<std::string> velocities = {};  // (n) names of the entries of u; empty: u[i]

  std::string json() const;  // "carom-geodesic/1"
  std::string text() const;  // for people

  /// The corner with the broken lines on both of its sides, and unfolded, where they are straight; lengths are kinetic.
  /// An edge as a sheet with a line across it: flat, bent, and bent over by 180 degrees, which is the impact.
  ///                                                                               [Glocker 2004, figures 6 and 9]
  std::string svg() const;

 private:
  std::string corner_svg() const;
  std::string edge_svg() const;
};

}  // namespace carom::record
