#pragma once

#include <utility>
#include <vector>

#include "carom/laws/springs/window.h"

namespace carom::springs {

/// An impact without friction: waves run through the contacts, and a window of those that they have reached and not yet
/// left is followed. What a step is, methods decide (driver.h); here is what they have in common.
class Waves {
 public:
  Waves(const System& system, long most_steps, Path* path);

  /// What came of it, after the last step.
  Result result(Status status);

  const System& system() const { return system_; }
  const Spring& spring(const Window& w, Index l) const { return system_.springs[w.contact[l]]; }
  SpringState& contact(const Window& w, Index l) { return state.contacts[w.contact[l]]; }

  bool anything_alive() const;
  bool is_exhausted() const {
    return state.steps > most_steps_ || !system_.goes_on(static_cast<double>(state.steps), most_steps_);
  }
  bool is_coarse() const;                 // order 5 suits the window better than order 8
  bool is_multirate() const;              // contacts are too many to follow them all with the steps of the fastest
  double rows_passed(double time) const;  // how many contacts one after the other a wave may pass in some time
  double reach() const;                   // the time that a window with many rates is good for
  bool is_stale() const;                  // the window lacks some contact that it needs, or carries too many
  void follow();                          // makes the window of the contacts that have to be followed now
  void leave();                           // takes its state back, and tells the neighbours outside what hit them

  struct Start {  // of the step of a contact
    double time, s, gamma;
  };
  /// Takes a contact of the window through an event and those that follow from it. A located event is at the end of the
  /// step; one that was not happened somewhere since its start. True if it is plastic and has just let go.
  bool pass(Window& w, Index l, Event event, bool located, const Start& start);
  void close_if_pressed(Index l);

  /// Whether what is left could change velocities only by a share of the tolerance.
  bool dies_out(double share);
  bool is_recorded() const { return path_ != nullptr; }
  void record() const;

  State state;  // of the contacts outside the window; inside, as they were when it was made
  Window window;
  double next_step = 0;

 private:
  bool is_alive(Index i, double s, double gamma) const;
  void sort(std::vector<Index>& contacts) const;
  void choose();
  void widen();
  void update_gap(Index i);
  bool is_projected() const;
  bool is_row() const;  // each contact touches two others at most
  bool leads_to_the_same(double energy);
  void stop_what_closes();

  const System& system_;
  const long most_steps_;
  Path* const path_;
  Vector gamma_, Lambda_;   // (m) as the state
  std::vector<int> place_;  // (m) in the window, -1 outside
  Index margin_ = 0;        // rows of contacts at rest around a window with many rates
  bool died_out_ = false;   // what was left could not be seen

  /// What the impact would end with if all that closes were stopped at once, as it was seen last.
  struct Foreseen {
    Vector Lambda;         // (m) empty: not yet
    double energy = 0;     // [J] left, at which it is looked at again
    int agreements = 0;    // looks one after the other that saw the same
    bool trusted = false;  // there were enough
  };
  Foreseen foreseen_;
};

}  // namespace carom::springs
