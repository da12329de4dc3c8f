#pragma once

#include <string>
#include <vector>

namespace carom::record {

/// The force in one contact under one law, as far as the law knows it.
struct ContactCourse {
  std::vector<double> times, forces;  // [s] rising, [N]; empty: the law has no inside
  struct Instant {
    double t = 0, impulse = 0;  // [s], [N s]
  };
  std::vector<Instant> instants;  // impacts that the law takes at once
};

struct OverlayLaw {
  std::string label;
  std::vector<ContactCourse> contacts;  // as many as the overlay has names
};

/// Contact forces over time under several laws, to be drawn over each other.
struct ForceOverlay {
  std::string title, about;
  std::vector<std::string> contacts;
  std::vector<OverlayLaw> laws;
  double begin = 0, end = 0;  // [s] what is shown
  bool relative = false;      // stiffnesses are only known as ratios: so are forces and times
};

/// Ends the time shown where all forces have faded and all instants are over.
void trim(ForceOverlay& overlay);

/// A picture (SVG): a panel per contact, of many contacts some, all with the same axes; a colour and a kind of line per
/// law. An impact at once is a bar whose area is its impulse; if no law has forces, impulses are stems.
std::string overlay_svg(const ForceOverlay& overlay);

}  // namespace carom::record
