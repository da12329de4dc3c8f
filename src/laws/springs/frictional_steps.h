#pragma once

#include <vector>

#include "carom/laws/springs/frictional_events.h"

namespace carom::springs {

/// A method: an impact with Coulomb friction. All contacts are followed all the time, and a step ends where one changes
/// its phase or its mode.
class FrictionalSteps {
 public:
  FrictionalSteps(const System& system, long most_steps, Path* path);

  bool anything_alive() const;
  bool prepare();
  bool is_exhausted() const;
  bool attempt();
  FirstEvent first_event() const;
  void take(const FirstEvent& event);
  bool has_ended();
  bool may_end(double share);
  bool still_suits() const { return true; }

  Result result(Status status);

 private:
  std::vector<Index> candidates(const std::vector<Index>& stopped);
  std::vector<Index> stopped_in_space() const;
  void halt(const std::vector<Index>& stopped);
  void decide(const std::vector<Index>& stopped);
  void let_go();
  double longest_step() const;
  bool reverses() const;
  void move(double part);
  void pass(const std::vector<Watch>& due);
  bool pass_phase(const Watch& watch);
  bool dies_out(double share);
  bool is_wedged(double share);
  double release_what_is_left();
  void stop_what_closes(Result& followed);
  void record();

  /// The last time that modes were decided, and how often since then without time passing.
  struct Decision {
    double time = -1;
    int stalls = 0;
  };

  const System& system_;
  const long most_steps_;
  Path* const path_;
  FrictionalMotion motion_;
  Vector y_, gamma_;  // gamma (rows)
  const Vector weight_;
  FrictionalStepper stepper_;
  numerics::StepControl control_{numerics::DormandPrince8::error_order};
  double time_ = 0, h_ = 0, h_tried_ = 0;
  Decision decision_;
  long events_ = 0, steps_ = 0, last_event_ = 0, next_look_ = 0;
  bool fresh_ = true;  // the derivative at the start of the step has to be computed
  bool shared_ = false, died_out_ = false, wedged_ = false;
};

}  // namespace carom::springs
