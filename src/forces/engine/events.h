#pragma once

#include "carom/forces/engine/motion.h"

namespace carom::forces {

/// What may happen to a contact: each has a function of the state that is positive before it and negative after it.
enum class Happening : char {
  touches,
  opens,
  slackens,  // its force would have to pull
  presses,   // again, after that
  turns,     // its indentation stops growing
  reloads,   // and grows again
  loads,     // beyond where it turned
  yields,    // a held dent, under more than made it
  loosens,   // a held dent, under nothing
  stops,     // to slip
  slips,     // what stuck
  sticks,    // an elastic one that slipped
  gives,     // what resisted turning
  halts,     // what gave way to turning
};

struct Event {
  Index contact = 0;
  Happening what = Happening::touches;
  Index turning = -1;  // which, where it gives or halts
};

/// The events that may come next.
std::vector<Event> watched(const Motion& motion, const Scales& scales);

struct EventValue {
  double value = 0;
  double noise = 0;  // values nearer to 0 are rounding
};
EventValue value_of(const Event& event, const Motion& motion, const Scales& scales, double t, const double* y,
                    const Moment& moment);

/// Whether that depends on what `Motion::evaluate_one` finds alone.
bool is_local(const Event& event, const Motion& motion);

/// Whether it only has to be counted: where forces depend on the present alone, turning and reloading change nothing.
bool is_passive(const Event& event, const Motion& motion);
/// Counts one, with the indentation [m] and the work done on the contact [J] at that moment.
void count(const Event& event, Motion& motion, double d, double work);

/// Lets it happen: changes the contact's phase, mode and memory, and its springs in y. Returns whether it has to be
/// decided anew who sticks.
bool happen(const Event& event, Motion& motion, const Scales& scales, double t, double* y, const Moment& moment);

/// Contacts that begin to press, before anything moves.
void settle(Index i, Motion& motion, const Scales& scales, double* y, const Moment& moment);

/// Decides for all contacts with Coulomb friction that do not slip whether they stick, with the forces of a moment
/// later, and stops what is left of their motion.
void decide_sticking(Motion& motion, const Scales& scales, double t, double* y);

/// What changes without an event, between steps: directions that were kept are free where slip is fast enough, and
/// springs under small forces point against the slip. Returns whether something did.
bool adjust_directions(Motion& motion, const Scales& scales, double* y, const Moment& moment);

/// Turning: its events, their values, and what they change.
void watch_turning(const Motion& motion, std::vector<Event>& events);
EventValue value_of_turning(const Event& event, const Motion& motion, const Scales& scales, const double* y,
                            const Moment& moment);
void happen_to_turning(const Event& event, Motion& motion, double* y, const Moment& moment);
/// What resists turning of a contact that begins to press, or presses no more.
void settle_turning(Index contact, Motion& motion, const Scales& scales, double* y, const Moment& moment);
void release_turning(Index contact, Motion& motion, double* y);

/// Counts the work done on a contact since it was counted last.
void count_work(ContactState& one, double work);

}  // namespace carom::forces
