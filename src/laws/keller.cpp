#include "carom/laws/keller.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/laws/one_contact/closing_contact.h"

namespace carom {
namespace {

/// What the contact dissipates.
void add_dissipation(const ContactProblem& problem, const ClosingContact& contact, const SlipState& end,
                     Impulses& impulses) {
  impulses.dissipated_normal = impulses.dissipated_friction = Vector::Zero(problem.size());
  impulses.dissipated_normal[contact.contact] = -end.work;
  impulses.dissipated_friction[contact.contact] = -end.friction_work;
}

/// The kinetic norm of the fastest there is: of the bodies, and of a contact that walls or smooth forces move.
double fastest(const ContactProblem& problem, const ClosingContact& contact) {
  const double bodies = std::sqrt(2 * problem.impact->M.kinetic_energy(problem.impact->u_minus));
  const double mobility = contact.B.trace();
  return mobility > 0 ? std::max(bodies, contact.c.norm() / std::sqrt(mobility)) : bodies;
}

/// Between two states of a straight piece.
SlipState between(const SlipState& a, const SlipState& b, double share) {
  SlipState state = a;
  state.P += share * (b.P - a.P);
  state.work += share * (b.P[0] - a.P[0]) * (a.c[0] + 0.5 * share * (b.c[0] - a.c[0]));
  return state;
}

/// The states of a path. Straight pieces have only ends; where nothing curves, some states are added between them.
std::vector<SlipState> states_of(const ImpactCourse& course) {
  constexpr int kPieces = 16;
  if (course.curved) return course.states;
  std::vector<SlipState> states = {course.states.front()};
  for (std::size_t i = 1; i < course.states.size(); ++i) {
    for (int k = 1; k < kPieces; ++k)
      states.push_back(between(course.states[i - 1], course.states[i], static_cast<double>(k) / kPieces));
    states.push_back(course.states[i]);
  }
  return states;
}

/// In compression the contact stores the work done on it; in restitution what it is still to give back.
void write_path(const ContactProblem& problem, const ClosingContact& contact, const ImpactCourse& course, Path& path) {
  path.parameter = Path::Parameter::impulse;
  for (const SlipState& passed : states_of(course)) {
    Path::State next;
    next.time = passed.P[0];
    next.Lambda = to_rows(problem, contact, passed.P);
    next.force = next.stored = Vector::Zero(problem.size());
    const bool compresses = passed.P[0] < course.compressed.P[0];
    next.stored[contact.contact] = std::max(0.0, compresses ? -passed.work : course.end.work - passed.work);
    path.add(std::move(next));
  }
}

}  // namespace

Impulses Keller::impulses(const ContactProblem& problem, Path* path) const {
  require_tolerance(tolerance, name);
  if (!(wave_loss >= 0 && std::isfinite(wave_loss)))
    throw InputError("law.wave_loss", fmt::format("{} is not a finite number >= 0; it is a lost energy", wave_loss));
  const std::optional<ClosingContact> contact = closing_or_tangential_contact(problem, name);
  if (!contact) return no_impact(problem);
  const double speed = fastest(problem, *contact);
  const ImpactCourse course = follow_impact(*contact, {.restitution = restitution,
                                                       .wave_loss = wave_loss,
                                                       .tolerance = tolerance,
                                                       .speed = speed,
                                                       .record = path != nullptr});
  if (course.wedged) return held_fast(problem, *contact, name);
  if (const double work = -course.compressed.work; wave_loss > work * (1 + 1e-12))
    throw InputError("law.wave_loss", fmt::format("{} J is more than the {:.6g} J that compression takes; waves carry "
                                                  "away a part of that",
                                                  wave_loss, work));

  Impulses impulses;
  if (course.unfinished) {
    impulses.status = Status::iteration_limit;
    impulses.message = fmt::format("{}: slip was not followed to its end in {} steps", name, course.steps);
  }
  if (course.jammed)
    impulses.message = fmt::format("{}: friction holds the contact, which {}", name,
                                   restitution == Restitution::newton
                                       ? "parts only because Newton's coefficient says so, without friction"
                                       : "does not part");
  impulses.Lambda = to_rows(problem, *contact, course.end.P);
  add_dissipation(problem, *contact, course.end, impulses);
  const SlipState &compressed = course.compressed, &end = course.end;
  impulses.phases = TwoPhases{.compression_impulse = compressed.P[0],
                              .restitution_impulse = end.P[0] - compressed.P[0],
                              .compression_work = compressed.work,
                              .restitution_work = end.work - compressed.work};
  impulses.mode = course.mode;
  impulses.events = course.events;
  if (course.curved) impulses.accuracy = std::max(tolerance, course.missed);
  if (course.missed > tolerance)
    impulses.message = fmt::format("{}: slip is sensitive here and u+ is known to {:.1g} only", name, course.missed);
  impulses.cost = {.evaluations = course.evaluations, .iterations = course.steps + course.events, .seconds = 0};
  if (path != nullptr) write_path(problem, *contact, course, *path);
  return impulses;
}

}  // namespace carom
