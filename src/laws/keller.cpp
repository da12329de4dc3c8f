#include "laws/keller.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "laws/one_contact/friction_disc.h"
#include "laws/one_contact/slip_curve.h"

namespace carom {
namespace {

using Restitution = Keller::Restitution;

constexpr double kTogether = 1e-12;  // of two distances, relative: nearer events are one
constexpr double kSingular = 1e-13;  // of dc/dP_n, relative to its terms: below this friction holds the contact

/// How an impact went.
struct Course {
  SlipState end, compressed;      // at the end; at the end of compression
  std::vector<SlipState> states;  // all that were passed, if asked for
  std::string mode;
  long events = 0, steps = 0, evaluations = 0;
  bool curved = false;      // slip was integrated
  bool jammed = false;      // friction holds the contact before restitution ends
  bool wedged = false;      // and before compression ends
  bool unfinished = false;  // too many steps
};

/// One impact from its first touch to its end, a sequence of straight pieces and slip curves.
class Process {
 public:
  Process(const ClosingContact& contact, const Keller& law, double precision, bool record)
      : contact_(contact), law_(law), curve_(contact, precision), recording_(record) {
    state_.c = contact.c;
    pass();
  }

  Course run() {
    if (state_.slip() > 0)
      motion_ = contact_.mu == 0 || curve_.is_straight(state_) ? Motion::straight : Motion::curved;
    else
      leave_zero_slip();
    started_sticking_ = motion_ == Motion::sticking;
    while (phase_ != Phase::over) motion_ == Motion::curved ? advance_along_curve() : advance_straight();
    course_.end = state_;
    course_.mode = mode();
    course_.steps = curve_.steps;
    course_.evaluations = curve_.evaluations;
    course_.curved = curve_.evaluations > 0;
    return std::move(course_);
  }

 private:
  enum class Motion { straight, curved, sticking };
  enum class Phase { compression, restitution, closing_again, over };

  std::string mode() const {
    if (course_.jammed) return "jam";
    if (contact_.tangents == 0) return "frictionless";
    if (started_sticking_) return "sticking(initial)";
    if (stopped_in_ == Phase::over) return "sliding";
    return fmt::format("{}-{}", stopped_in_ == Phase::compression ? "C" : "R",
                       motion_ == Motion::sticking ? "sticking" : "reversed");
  }

  void pass() {
    if (recording_) course_.states.push_back(state_);
  }

  /// What a contact without slip does next.
  void leave_zero_slip() {
    const FrictionDisc next = friction_on_disc(contact_.B_tt(), contact_.B_tn(), contact_.mu);
    motion_ = next.sticks ? Motion::sticking : Motion::straight;
    friction_ = next.P;
  }

  void advance_along_curve() {
    const SlipCurve::End end = curve_.follow(state_, goal_, [this] { pass(); });
    if (end == SlipCurve::End::goal) return reach_goal();
    motion_ = Motion::straight;
    if (end == SlipCurve::End::unfinished) {
      course_.unfinished = true;
      phase_ = Phase::over;
    }
  }

  /// dc/dP_n, cleared of rounding; sticking slip stays 0.
  Eigen::Vector3d rate() const {
    const Eigen::Vector3d press(1, friction_[0], friction_[1]);
    Eigen::Vector3d result = contact_.B * press;
    const Eigen::Vector3d terms = contact_.B.cwiseAbs() * press.cwiseAbs();
    for (int i = 0; i < 3; ++i)
      if (std::abs(result[i]) <= kSingular * terms[i]) result[i] = 0;
    if (motion_ == Motion::sticking) result.tail<2>().setZero();
    return result;
  }

  double distance_to_stop(const Eigen::Vector3d& rate) const {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const double slip = state_.slip();
    if (motion_ == Motion::sticking || contact_.mu == 0 || slip == 0) return kNever;
    const double falls = -state_.direction().dot(rate.tail<2>());
    return falls > 0 ? slip / falls : kNever;
  }

  void advance_straight() {
    if (motion_ == Motion::straight && state_.slip() > 0) friction_ = -contact_.mu * state_.direction();
    const Eigen::Vector3d dc = rate();
    const double to_goal = goal_.distance(state_, dc), to_stop = distance_to_stop(dc);
    const double next = std::min(to_goal, to_stop);
    if (!std::isfinite(next)) return get_stuck();
    move_straight(state_, friction_, dc, next);
    const bool at_goal = to_goal <= next * (1 + kTogether);
    if (to_stop <= next * (1 + kTogether)) stop_slip();
    if (at_goal)
      reach_goal();
    else
      pass();
  }

  void stop_slip() {
    state_.P.tail<2>() -= pseudo_solve(contact_.B_tt(), state_.c.tail<2>());  // what rounding and tolerance leave
    state_.c.tail<2>().setZero();
    if (stopped_in_ == Phase::over) stopped_in_ = phase_;
    ++course_.events;
    leave_zero_slip();
  }

  void reach_goal() {
    ++course_.events;
    if (phase_ == Phase::compression) {
      state_.c[0] = 0;
      course_.compressed = state_;
      phase_ = Phase::restitution;
      goal_ = end_of_restitution();
      pass();
      if (goal_.missing(state_) <= 0) phase_ = Phase::over;
      return;
    }
    pass();
    if (state_.c[0] < 0 && phase_ == Phase::restitution) {  // swerving slip has closed it again
      phase_ = Phase::closing_again;
      goal_ = {SlipGoal::Of::velocity, 0};
      return;
    }
    phase_ = Phase::over;
  }

  SlipGoal end_of_restitution() const {
    const double e = contact_.e;
    switch (law_.restitution) {
      case Restitution::newton:
        return {SlipGoal::Of::velocity, contact_.rebound()};
      case Restitution::poisson:
        return {SlipGoal::Of::impulse, (1 + e) * state_.P[0]};
      case Restitution::stronge:
        break;
    }
    return {SlipGoal::Of::work, state_.work + std::max(0.0, -e * e * state_.work - law_.wave_loss)};
  }

  void get_stuck() {
    (phase_ == Phase::restitution ? course_.jammed : course_.wedged) = true;
    phase_ = Phase::over;
  }

  const ClosingContact& contact_;
  const Keller& law_;
  SlipCurve curve_;
  bool recording_;
  Motion motion_ = Motion::straight;
  Phase phase_ = Phase::compression;
  Phase stopped_in_ = Phase::over;  // over: slip never stopped
  bool started_sticking_ = false;
  Eigen::Vector2d friction_ = Eigen::Vector2d::Zero();  // dP_t/dP_n on a straight piece
  SlipGoal goal_{SlipGoal::Of::velocity, 0};
  SlipState state_;
  Course course_;
};

/// The impact, and where slip curves, again with smaller errors until two runs agree within the tolerance or rounding
/// ends it; `missed` is by how much they differ, relative to the velocity before.
Course follow(const ContactProblem& problem, const ClosingContact& contact, const Keller& law, bool record,
              double& missed) {
  constexpr double kFirst = 0.01;   // precision of the first run, of the tolerance
  constexpr double kFiner = 0.01;   // of each further one, of that before
  constexpr double kLeast = 1e-15;  // finer is rounding
  const double speed = std::sqrt(2 * problem.impact->M.kinetic_energy(problem.impact->u_minus));
  double precision = kFirst * law.tolerance;
  Course course = Process(contact, law, precision, record).run();
  while (course.curved && !course.unfinished && precision > kLeast) {
    precision = std::max(kLeast, kFiner * precision);
    Course finer = Process(contact, law, precision, record).run();
    const Eigen::Vector3d change = finer.end.P - course.end.P;
    missed = std::sqrt(std::max(0.0, change.dot(contact.B * change))) / speed;
    finer.evaluations += course.evaluations;
    course = std::move(finer);
    if (missed <= law.tolerance) break;
  }
  return course;
}

/// What the contact dissipates. The ledger takes a contact's mean velocity from before the impact; where smooth forces
/// or joints change it at once, what they take of its impulse's work is added.
void add_dissipation(const ContactProblem& problem, const ClosingContact& contact, const SlipState& end,
                     Impulses& impulses) {
  const Eigen::Vector3d changed = 0.5 * (contact.c_minus - contact.c);
  impulses.dissipated_normal = impulses.dissipated_friction = Vector::Zero(problem.size());
  impulses.dissipated_normal[contact.contact] = -end.work - changed[0] * end.P[0];
  impulses.dissipated_friction[contact.contact] = -end.friction_work - changed.tail<2>().dot(end.P.tail<2>());
}

/// In compression the contact stores the work done on it; in restitution what it is still to give back.
void write_path(const ContactProblem& problem, const ClosingContact& contact, const Course& course, Path& path) {
  for (const SlipState& passed : course.states) {
    Path::State next;
    next.time = passed.P[0];
    next.Lambda = to_rows(problem, contact, passed.P);
    next.force = next.stored = Vector::Zero(problem.size());
    const bool compresses = passed.P[0] < course.compressed.P[0];
    next.stored[contact.contact] = std::max(0.0, compresses ? -passed.work : course.end.work - passed.work);
    path.states.push_back(std::move(next));
  }
}

}  // namespace

Impulses Keller::impulses(const ContactProblem& problem, Path* path) const {
  require_tolerance(tolerance, name);
  if (!(wave_loss >= 0 && std::isfinite(wave_loss)))
    throw InputError("law.wave_loss", fmt::format("{} is not a finite number >= 0; it is a lost energy", wave_loss));
  const std::optional<ClosingContact> contact = closing_or_tangential_contact(problem, name);
  if (!contact) return no_impact(problem);
  double missed = 0;
  const Course course = follow(problem, *contact, *this, path != nullptr, missed);
  if (course.wedged) return held_fast(problem, *contact, name);

  Impulses impulses;
  if (course.unfinished) {
    impulses.status = Status::iteration_limit;
    impulses.message = fmt::format("{}: slip was not followed to its end in {} steps", name, course.steps);
  }
  if (course.jammed)
    impulses.message = fmt::format("{}: friction holds the contact before its restitution is complete", name);
  impulses.Lambda = to_rows(problem, *contact, course.end.P);
  add_dissipation(problem, *contact, course.end, impulses);
  const SlipState &compressed = course.compressed, &end = course.end;
  impulses.phases = TwoPhases{.compression_impulse = compressed.P[0],
                              .restitution_impulse = end.P[0] - compressed.P[0],
                              .compression_work = compressed.work,
                              .restitution_work = end.work - compressed.work};
  impulses.mode = course.mode;
  impulses.events = course.events;
  if (course.curved) impulses.accuracy = std::max(tolerance, missed);
  if (missed > tolerance)
    impulses.message = fmt::format("{}: slip is sensitive here and u+ is known to {:.1g} only", name, missed);
  impulses.cost = {.evaluations = course.evaluations, .iterations = course.steps + course.events, .seconds = 0};
  if (path != nullptr) write_path(problem, *contact, course, *path);
  return impulses;
}

}  // namespace carom
