#pragma once

#include <string>
#include <vector>

#include "carom/analysis/admissible_set.h"

namespace carom::record {

/// A velocity to show in the picture.
struct Mark {
  std::string label;
  Vector u_plus;  // (n)
};

/// Velocities of one kind, shown as dots of one colour.
struct Dots {
  std::string label, colour;
  std::vector<Vector> u_plus;  // (n) each
};

/// The admissible set of an impact with two contacts, as a picture (SVG): the plane of the two kinetic normals, with
/// the cone of velocities that open both contacts, the cone that pressing contacts can reach, the energy ball and their
/// intersection; Moreau's segment, samples as dots, and the given marks. Distances are lengths in the kinetic metric.
/// Throws InputError unless there are two independent contacts.                               [Glocker 2004, fig. 8]
std::string admissible_svg(const analysis::AdmissibleSet& set, const std::vector<Mark>& marks,
                           const std::vector<Vector>& samples);

/// Whether there is such a picture: two independent contacts, of which one moves.
bool has_plane(const analysis::AdmissibleSet& set);

/// The same with outcomes that may be, of several kinds.
std::string cloud_svg(const analysis::AdmissibleSet& set, const std::vector<Mark>& marks,
                      const std::vector<Dots>& cloud);

}  // namespace carom::record
