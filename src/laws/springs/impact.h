#pragma once

#include <utility>
#include <vector>

#include "impact/law.h"
#include "laws/springs/window.h"

namespace carom::springs {

/// What to integrate, and how well.
struct Task {
  const ContactProblem& problem;
  const NormalProblem& normal;
  Unloading unloading = Unloading::bi;
  double tolerance = 1e-9;  // relative error of the velocities afterwards
  double care = 1;          // <= 1: the error allowed in a step is that much smaller
  long most_steps = 0;
  Path* path = nullptr;
};

/// Up to this many contacts all of them are followed all the time; beyond, only those that a wave has reached.
inline constexpr Index kFewContacts = 24;

/// The error allowed in a step, in parts of the tolerance.
inline constexpr double kStepShare = 0.004;

/// The scales of an impact: its speeds at the first touch.
struct Scales {
  Scales(const std::vector<Spring>& springs, const ContactProblem& problem, const NormalProblem& normal);
  /// Gives a contact its own.
  void apply(Spring& spring, double tolerance) const;

  double fastest = 0, strongest = 0;  // closing speed [m/s], square root of twice its energy [J^1/2]
  double energy = 0;                  // [J]
  Index held = -1;                    // a contact that closes and that joints hold fast
};

/// An impact of springs at a frozen configuration, followed from the first touch to the last release.
class Impact {
 public:
  explicit Impact(const Task& task);

  /// Follows it to its end, or to a limit.
  Status run();

  Index contradiction = -1;  // a contact that closes and that joints hold fast: there is no motion

  const std::vector<Spring>& springs() const { return springs_; }
  const Vector& Lambda() const { return Lambda_; }
  double duration() const;
  bool collapsed() const { return collapsed_; }
  long events() const { return events_; }
  long evaluations() const { return window_.evaluations; }
  long steps() const { return steps_; }

  /// The largest difference between the velocities that two runs of the same impact end with, relative to its speed.
  double distance(const Impact& other) const;

 private:
  template <class Pair, Exponents exponents>
  friend class Integration;
  template <class Pair, Exponents exponents>
  friend class Multirate;

  void set_scales();
  double layers() const;
  bool is_alive(Index i, double s, double gamma) const;
  bool anything_alive() const;
  bool is_coarse() const;
  bool is_multirate() const;
  double rows_passed(double time) const;
  double reach() const;
  bool small() const { return problem_.size() <= kFewContacts; }

  void follow();
  void leave();
  void sort(std::vector<Index>& contacts) const;
  void choose();
  void widen();
  bool is_stale() const;
  void update_gap(Index i);

  struct Start {  // of the step of a contact
    double time, s, gamma;
  };
  static std::pair<double, double> turn_between(const Window& window, Index l, const Start& start, double end);
  void pass(Window& window, Index l, Event event, bool located, const Start& start);
  void close_if_pressed(Index l);

  bool ends_early(double share);
  bool is_projected() const;
  bool is_faded() const;
  void project();
  void record() const;

  const ContactProblem& problem_;
  const NormalProblem& normal_;
  const SparseMatrix& G_;
  Unloading unloading_;
  double tolerance_;
  long most_steps_;
  Path* path_;

  std::vector<Spring> springs_;
  Vector s_, gamma_, Lambda_;  // of the contacts outside the window; inside, as they were when it was made
  Vector noise_, echo_;        // closing speeds that are none: before a contact was touched, after it
  std::vector<int> place_;     // in the window, -1 outside
  Window window_;
  Exponents exponents_ = Exponents::any;

  double energy_scale_ = 0, time_scale_ = 0;
  double step_error_ = 0;  // allowed, relative
  double least_e_ = 1;     // above 0: expansions take so much less time than compressions
  double next_step_ = 0;
  Index margin_ = 0;  // rows of contacts at rest around a window with many rates
  double time_ = 0;
  long events_ = 0, steps_ = 0;
  bool lossy_ = false;        // some contact dissipates
  bool jumps_ = false;        // some contact's force jumps when it opens
  bool steep_ = false;        // some contact has eta < 1
  bool ended_early_ = false;  // what was left could not be seen
  bool collapsed_ = false;
  std::vector<Index> let_go_;  // plastic contacts of the present step
};

}  // namespace carom::springs
