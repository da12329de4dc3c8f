#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "carom/forces/all.h"

namespace carom {

/// One contact force to look at: a body of that mass meets a wall at that speed.
struct ForceQuestion {
  forces::Normal force;
  double mass = 1;   // [kg] reduced
  double speed = 1;  // [m/s]
};

std::string_view name_of(const forces::Normal& force);
std::string_view summary_of(const forces::Normal& force);

/// What the force does in that impact.
struct ForceCourse {
  struct Point {
    double time, indentation, rate, force;  // [s], [m], [m/s], [N]
  };
  std::vector<Point> points;
  std::optional<double> asked;  // [-] e, if the force was given one
  double returned = 1;          // [-] e of this impact
  double deepest = 0, peak = 0, duration = 0;
  double before = 0, lost = 0;                       // [J]
  std::vector<std::pair<double, double>> at_speeds;  // [m/s], [-] what it returns at other speeds
};

/// Throws InputError whose place is the name of a number: k, eta, e, c, m, v.
ForceCourse force_course(const ForceQuestion& question);

}  // namespace carom
