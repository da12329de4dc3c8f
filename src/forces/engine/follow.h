#pragma once

#include <optional>

#include "carom/base/watch.h"
#include "carom/forces/engine/motion.h"
#include "carom/impact/outcome.h"
#include "carom/impact/path.h"

namespace carom::forces {

/// An impact to be followed: contacts that touch at d = 0, are indented by the energy E0, or have a gap to close, from
/// one state of their kinematics on.
struct Task {
  const Kinematics& kinematics;
  NormalList normal;
  FrictionList friction;
  Vector x;                 // state at the beginning
  Vector mass;              // (m) [kg] that moves in each contact's normal; 0: nothing does
  Vector E0;                // (m) [J]
  double tolerance = 1e-9;  // relative error of the velocities afterwards
  double care = 1;          // <= 1: the error allowed in a step is that much smaller
  long most_steps = 250000;
  Path* path = nullptr;
  Watch* watch = nullptr;

  /// Tells the watch what has been done; whether to go on: there is a limit to steps and evaluations.
  bool goes_on(long steps, long evaluations) const;
};

/// An impact that was followed, to its end unless the status says otherwise.
struct Followed {
  Status status = Status::iteration_limit;
  Vector x;                            // state at the end
  Vector gamma;                        // (rows)
  std::vector<ContactState> contacts;  // (m)
  Vector work, rubbed;                 // (m) [J] done on the contacts by their normal and tangential motion
  double speed = 0;                    // [m/s] what errors are relative to
  double duration = 0;                 // [s] until the last force vanished
  double kept = 0;                     // [J] in contacts that friction holds compressed
  bool wedged = false;
  bool shared = false;  // redundant contacts stuck together
  long events = 0, steps = 0, evaluations = 0;
};

/// The largest approach speed of the contacts at this state [m/s].
double approach_speed(const Kinematics& kinematics, const Vector& x);

/// Follows contacts from their first touch until all are open and part, or press no more: an error-controlled method of
/// order 8 whose steps end where something happens to a contact.
Followed follow(const Task& task);

}  // namespace carom::forces
