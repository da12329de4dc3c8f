#pragma once

#include <vector>

#include "carom/impact/law.h"
#include "carom/laws/springs/spring.h"

namespace carom::springs {

/// What ends an expansion: that the force has given back e^2 of its work, or that it has pressed e times the impulse of
/// the compression. Then s' = -E / R in it, R being the impulse still to come and E the energy k s^(eta+1) / (eta+1):
/// both vanish together, and a new compression adds to what is to come.
enum class Ends { energy, impulse };

/// What to integrate, and how well.
struct Task {
  const ContactProblem& problem;
  const NormalProblem& normal;
  Force (*force)(const Contact&);
  double tolerance = 1e-9;  // relative error of the velocities afterwards
  double care = 1;          // <= 1: the error allowed in a step is that much smaller
  long most_steps = 0;
  Path* path = nullptr;
  Ends ends = Ends::energy;
  double energy = 0;  // [J] of what happens, where what closes says too little of it
};

/// The error allowed in a step, in parts of the tolerance.
inline constexpr double kStepShare = 0.004;

/// Up to this many contacts all of them are followed all the time; beyond, only those that a wave has reached.
inline constexpr Index kFewContacts = 24;

enum class Exponents { linear, hertz, any };

/// All that stays as it is while an impact of springs at a frozen configuration is followed: the contacts, and the
/// scales of the impact, which are its speeds at the first touch.
struct System {
  explicit System(const Task& task);

  const ContactProblem& problem;
  const NormalProblem& normal;
  const SparseMatrix& G;  // of the normals
  const double tolerance;
  const Ends ends;
  std::vector<Spring> springs;
  Index held = -1;            // a contact that closes and that joints hold fast: there is no motion
  double energy_scale = 0;    // [J] 0: nothing happens
  double time_scale = 0;      // [s] of the quickest contact
  double step_error = 0;      // allowed, relative
  double least_e = 1;         // above 0: expansions take so much less time than compressions
  bool lossy = false;         // some contact dissipates
  bool jumps = false;         // some contact's force jumps when it opens
  bool turns_decide = false;  // where a contact turns decides on its e: it is always located
  Exponents exponents = Exponents::any;

  Index size() const { return problem.size(); }
  bool goes_on(double work, long most) const {
    return carom::goes_on(problem.options.watch, work / static_cast<double>(most));
  }
  bool is_small() const { return size() <= kFewContacts; }
  double noise(Index i) const { return noise_[i]; }  // a closing speed that is none
  /// Whether a contact is compressed, or closes, by more than noise.
  bool is_alive(Index i, double s, double gamma) const {
    return springs[i].moves() && (gamma < -noise_[i] || s > kNoise * springs[i].noise);
  }
  /// The same where contacts are many, and what a wave leaves behind rests sooner.
  bool is_alive_among_many(Index i, const SpringState& state, double s, double gamma) const {
    return springs[i].moves() && (gamma < -(state.peak > 0 ? echo_[i] : noise_[i]) || s > springs[i].shallow);
  }
  /// Whether what contacts hold and what closing ones bring could change velocities only by a share of the tolerance.
  bool is_invisible(double energy, double share) const;
  double energy_at(Index i, double s, double gamma) const;

 private:
  static constexpr double kNoise = 1e-3;  // of the tolerance: velocities and indentations below it are not followed

  void set_scales(double least_energy);
  double layers(const Vector& s) const;

  Vector noise_, echo_;  // (m) closing speeds that are none: before a contact was touched, after it
};

/// An impact somewhere between its first touch and its last release.
struct State {
  explicit State(const System& system);

  double time = 0;
  Vector s;                           // (m)
  std::vector<SpringState> contacts;  // (m)
  long events = 0, steps = 0, evaluations = 0;
};

/// An impact that was followed, to its end unless the status says otherwise.
struct Result {
  Status status = Status::iteration_limit;
  Index held = -1;                    // the contact that a contradiction is about
  std::vector<SpringState> contacts;  // (m)
  Vector Lambda, gamma;               // (rows) impulses and velocities
  Vector speed;                       // (rows) scales of the velocities
  Vector friction;                    // (m) [J] taken by it
  long events = 0, steps = 0, evaluations = 0;
  bool collapsed = false;  // it ended in ever weaker impacts
  bool shared = false;     // redundant contacts held together
  double kept = 0;         // [J] in contacts that friction holds compressed, for ever
  bool wedged = false;     // there are some

  double duration() const;
  /// The largest difference between the velocities that two runs of the same impact end with, relative to its speed.
  double distance(const Result& other) const;
};

/// Whether the end was only that nothing visible was left of a long row of re-impacts.
bool is_faded(const System& system, const std::vector<SpringState>& contacts, const Vector& gamma);

/// The impulses that stop at once what still closes (m); empty if there are none.
Vector stopping_impulses(const System& system, const Vector& gamma);

}  // namespace carom::springs
