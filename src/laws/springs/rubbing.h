#pragma once

#include <vector>

#include "laws/springs/friction.h"
#include "laws/springs/impact.h"
#include "numerics/runge_kutta.h"

namespace carom::springs {

/// An impact of springs with Coulomb friction at a frozen configuration, followed from the first touch to the last
/// release. All contacts are followed all the time. The state is y = (s, Lambda, work of friction); velocities are
/// gamma_free + G Lambda. A step ends where a contact changes its phase or its grip.
class Rubbing {
 public:
  explicit Rubbing(const Task& task);

  Status run();

  Index contradiction = -1;  // a contact that closes and that joints hold fast: there is no motion

  const std::vector<Spring>& springs() const { return springs_; }
  double work() const;
  Vector Lambda() const { return y_.segment(contacts(), rows()); }  // (rows)
  Vector friction() const { return y_.tail(contacts()); }           // [J] (m) taken by it
  double duration() const;
  bool collapsed() const { return collapsed_; }
  bool shared() const { return shared_; }  // redundant contacts held together
  bool wedged() const { return wedged_; }  // friction holds contacts that are still compressed, for ever
  double kept() const { return kept_; }    // [J] in them
  long events() const { return events_; }
  long evaluations() const { return evaluations_; }
  long steps() const { return steps_; }
  double distance(const Rubbing& other) const;

 private:
  static constexpr double kStill = 1e-2;  // of the tolerance: slower slip than this is none

  enum class Watched : char { turn, release, closing, stop, hold };
  struct Watch {
    Index contact;  // -1 of a hold: it concerns all that stick
    Watched what;
  };

  using Stepper = numerics::RungeKutta<numerics::DormandPrince8>;
  using Course = numerics::Bernstein<Stepper::degree>;  // of a number over a step
  static constexpr int kCoefficients = Stepper::degree + 1;
  using Coefficients = Eigen::Matrix<double, 1, kCoefficients>;

  Index contacts() const { return problem_.size(); }
  Index rows() const { return problem_.gamma_minus.size(); }
  bool is_spatial(Index i) const { return friction_.tangents(i) == 2; }
  double slip_speed(Index i, const Vector& gamma) const;

  void set_weights(double error);
  Vector velocities(const double* y) const;
  Vector forces(const double* y, const Vector& gamma) const;
  void motion(const double* y, double* dy) const;
  double phi(Index i) const;
  double faint(const Spring& spring) const;
  bool is_alive(Index i) const;
  bool anything_alive() const;

  std::vector<Index> candidates(const std::vector<Index>& stopped);
  std::vector<Index> stopped_in_space() const;
  void halt(const std::vector<Index>& stopped);
  void decide(const std::vector<Index>& stopped);
  void let_go();

  void watch();
  void interpolate_velocities();
  Course course(const Watch& watch) const;
  static double falls(const Course& course);
  double reserve_at(double part) const;
  double lets_go(double limit) const;
  double first_event();
  void pass_events();
  bool pass_phase(const Watch& watch);

  double longest_step() const;
  bool reverses() const;
  bool attempt(double h);
  void take(double part);
  bool ends_early(double share);
  bool ends_wedged(double share);
  void finish();
  void record();

  const ContactProblem& problem_;
  const NormalProblem& normal_;
  Unloading unloading_;
  double tolerance_;
  long most_steps_;
  Path* path_;

  std::vector<Spring> springs_;
  Friction friction_;
  Vector noise_;  // (m) closing speeds that are none
  Vector y_, weight_;
  Vector gamma_;         // (rows) now
  Matrix G_;             // dense, if there are few rows
  Matrix gamma_course_;  // (rows x coefficients) over the step
  Stepper stepper_;
  numerics::StepControl control_{numerics::DormandPrince8::error_order};
  std::vector<Watch> watches_, due_;
  double energy_scale_ = 0, time_scale_ = 0;
  double time_ = 0, h_ = 0, h_tried_ = 0;
  double decided_ = -1;  // when grips were, last
  int stalls_ = 0;       // decisions since then without time between them
  long events_ = 0, steps_ = 0, last_event_ = 0;
  mutable long evaluations_ = 0;
  bool lossy_ = false, collapsed_ = false, shared_ = false, ended_early_ = false, wedged_ = false;
  double kept_ = 0;
  bool fresh_ = true;  // the derivative at the start of the step has to be computed
};

}  // namespace carom::springs
