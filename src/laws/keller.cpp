#include "carom/laws/keller.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/laws/one_contact/closing_contact.h"

namespace carom {
namespace {

/// What the contact dissipates.
void add_dissipation(const ContactProblem& problem, const one_contact::ClosingContact& contact,
                     const one_contact::SlipState& end, Impulses& impulses) {
  impulses.dissipated_normal = impulses.dissipated_friction = Vector::Zero(problem.size());
  impulses.dissipated_normal[contact.contact] = -end.work;
  impulses.dissipated_friction[contact.contact] = -end.friction_work;
}

/// The kinetic norm of the fastest there is: of the bodies, and of a contact that walls or smooth forces move.
double fastest(const ContactProblem& problem, const one_contact::ClosingContact& contact) {
  const double bodies = std::sqrt(2 * problem.impact->M.kinetic_energy(problem.impact->u_minus));
  const double mobility = contact.B.trace();
  return mobility > 0 ? std::max(bodies, contact.c.norm() / std::sqrt(mobility)) : bodies;
}

/// Between two states of a straight piece.
one_contact::SlipState between(const one_contact::SlipState& a, const one_contact::SlipState& b, double share) {
  one_contact::SlipState state = a;
  state.P += share * (b.P - a.P);
  state.work += share * (b.P[0] - a.P[0]) * (a.c[0] + 0.5 * share * (b.c[0] - a.c[0]));
  return state;
}

/// The states of a path. Straight pieces have only ends; where nothing curves, some states are added between them.
std::vector<one_contact::SlipState> states_of(const one_contact::OneContactImpact& impact) {
  constexpr int kPieces = 16;
  if (impact.curved) return impact.states;
  std::vector<one_contact::SlipState> states = {impact.states.front()};
  for (std::size_t i = 1; i < impact.states.size(); ++i) {
    for (int k = 1; k < kPieces; ++k)
      states.push_back(between(impact.states[i - 1], impact.states[i], static_cast<double>(k) / kPieces));
    states.push_back(impact.states[i]);
  }
  return states;
}

/// In compression the contact stores the work done on it; in restitution what it is still to give back.
void write_path(const ContactProblem& problem, const one_contact::ClosingContact& contact,
                const one_contact::OneContactImpact& impact, Path& path) {
  path.parameter = Path::Parameter::impulse;
  for (const one_contact::SlipState& passed : states_of(impact)) {
    Path::State next;
    next.time = passed.P[0];
    next.Lambda = to_rows(problem, contact, passed.P);
    next.force = next.stored = Vector::Zero(problem.size());
    const bool compresses = passed.P[0] < impact.compressed.P[0];
    next.stored[contact.contact] = std::max(0.0, compresses ? -passed.work : impact.end.work - passed.work);
    path.add(std::move(next));
  }
}

}  // namespace

Impulses Keller::impulses(const ContactProblem& problem, Path* path) const {
  require_tolerance(tolerance, name);
  if (!(wave_loss >= 0 && std::isfinite(wave_loss)))
    throw InputError("law.wave_loss", fmt::format("{} is not a finite number >= 0; it is a lost energy", wave_loss));
  const std::optional<one_contact::ClosingContact> contact = one_contact::closing_or_tangential_contact(problem, name);
  if (!contact) return one_contact::no_impact(problem);
  const double speed = fastest(problem, *contact);
  const one_contact::OneContactImpact impact = one_contact::integrate_impact(*contact, {.restitution = restitution,
                                                                                        .wave_loss = wave_loss,
                                                                                        .tolerance = tolerance,
                                                                                        .speed = speed,
                                                                                        .record = path != nullptr});
  if (impact.wedged) return one_contact::held_fast(problem, *contact, name);
  if (const double work = -impact.compressed.work; wave_loss > work * (1 + 1e-12))
    throw InputError("law.wave_loss", fmt::format("{} J is more than the {:.6g} J that compression takes; waves carry "
                                                  "away a part of that",
                                                  wave_loss, work));

  Impulses impulses;
  if (impact.unfinished) {
    impulses.status = Status::iteration_limit;
    impulses.message = fmt::format("{}: slip was not followed to its end in {} steps", name, impact.steps);
  }
  if (impact.jammed)
    impulses.message = fmt::format("{}: friction holds the contact, which {}", name,
                                   restitution == one_contact::Restitution::newton
                                       ? "parts only because Newton's coefficient says so, without friction"
                                       : "does not part");
  impulses.Lambda = to_rows(problem, *contact, impact.end.P);
  add_dissipation(problem, *contact, impact.end, impulses);
  const one_contact::SlipState &compressed = impact.compressed, &end = impact.end;
  impulses.phases = TwoPhases{.compression_impulse = compressed.P[0],
                              .restitution_impulse = end.P[0] - compressed.P[0],
                              .compression_work = compressed.work,
                              .restitution_work = end.work - compressed.work};
  impulses.works = PhaseWorks{Vector::Zero(problem.size()), Vector::Zero(problem.size())};
  impulses.works->compression[contact->contact] = compressed.work;
  impulses.works->restitution[contact->contact] = end.work - compressed.work;
  if (contact->e_of != nullptr) {
    impulses.e_used.resize(problem.size());
    for (Index i = 0; i < problem.size(); ++i) impulses.e_used[i] = problem.contacts()[i].e;
    impulses.e_used[contact->contact] = impact.e;
  }
  impulses.mode = impact.mode;
  impulses.events = impact.events;
  if (impact.curved) impulses.accuracy = std::max(tolerance, impact.change);
  if (impact.change > tolerance)
    impulses.message = fmt::format("{}: slip is sensitive here and u+ is known to {:.1g} only", name, impact.change);
  impulses.cost = {.evaluations = impact.evaluations, .iterations = impact.steps + impact.events, .seconds = 0};
  if (path != nullptr) write_path(problem, *contact, impact, *path);
  return impulses;
}

}  // namespace carom
