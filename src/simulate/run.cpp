#include "carom/simulate/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "carom/model/joint_coordinate.h"
#include "carom/model/joint_rows.h"
#include "carom/simulate/contact_search.h"
#include "carom/simulate/event_driven.h"
#include "carom/simulate/forced/run_forced.h"
#include "carom/simulate/magnitudes.h"
#include "carom/simulate/time_stepping.h"

namespace carom::simulate {
namespace {

constexpr double kJointError = 1e-6;       // of the lengths or speeds: joints may be off by so much at the start
constexpr double kOverlap = 1e-3;          // of the smaller body's size
constexpr double kKnownOverlap = 0.5;      // the same between bodies that an earlier run placed
constexpr double kKnownJointError = 1e-3;  // of the lengths or speeds: the same

std::string names(const Model& model, const PartPair& parts) {
  return name_of(model, parts, " and ");
}

/// One of every kind of contact, and every stop.
std::vector<PartPair> all_kinds(const Model& model, const ContactRules& rules) {
  std::vector<PartPair> kinds = rules.kinds();
  const std::vector<PartPair> stops = stops_of(model);
  kinds.insert(kinds.end(), stops.begin(), stops.end());
  return kinds;
}

/// Impulses divide by the ratios of stiffnesses, so all or none must be known.
void require_stiffness(const Model& model, const ContactRules& rules, const ImpactLaw& law) {
  if (!reads(law, "k")) return;
  std::optional<PartPair> known, unknown;
  for (const PartPair& parts : all_kinds(model, rules)) (rules.knows_stiffness(parts) ? known : unknown) = parts;
  if (known && unknown)
    throw InputError("contact", fmt::format("{} needs the stiffness of every contact: that of {} is known, that of {} "
                                            "is not; give k, or E and nu of both materials for smooth bodies",
                                            name_of(law), names(model, *known), names(model, *unknown)));
}

/// Energy in contacts is what their first impact releases. Other schemes have none at which they could.
void require_no_preload(const Model& model, const Scheme& scheme) {
  if (std::holds_alternative<EventDriven>(scheme)) return;
  for (const PairRule& rule : model.description().pairs) {
    if (!(rule.E0.value_or(0) > 0) && !(rule.preload.value_or(0) > 0)) continue;
    const bool steps = std::holds_alternative<TimeStepping>(scheme);
    throw InputError(
        "contact", fmt::format("{} = {} is energy that the first impact of a contact releases, and {}; use the scheme "
                               "event-driven",
                               rule.preload ? "preload" : "E0", rule.preload ? *rule.preload : *rule.E0,
                               steps ? "a time step is no impact: its laws relate velocities, not energies"
                                     : "under contact forces a contact is pressed by how its bodies are placed"));
  }
}

/// What depends on the direction needs one: the grain of one of the two bodies.
void require_direction(const Model& model, const PartPair& parts, const PairProperties& known) {
  if (!known.mu_2 && !known.e_t_2) return;
  const char* key = known.mu_2 ? "mu" : "e_t";
  const auto refuse = [&](const char* rule) {
    throw InputError("contact",
                     fmt::format("{} of {} depends on the direction, [{}, {}]; {}", key, names(model, parts),
                                 known.mu_2 ? known.mu : known.e_t, known.mu_2 ? *known.mu_2 : *known.e_t_2, rule));
  };
  if (model.dimension() != Dimension::space) refuse("that is for space: in the plane there is one direction");
  const bool a = model.bodies()[parts.body_a].has_grain(), b = model.bodies()[parts.body_b].has_grain();
  if (!a && !b) refuse("give one of the bodies a `grain`, the direction of the first number");
  if (a && b) refuse("both bodies have a `grain`, and only one can say which direction is the first");
}

/// An impact of one contact of every kind that may occur: what the law cannot treat it refuses here. In time steps,
/// contacts that are still open take part with e = 0.
void try_law(const Model& model, const ContactRules& rules, const ImpactLaw& law, bool in_steps) {
  const std::vector<PartPair> kinds = all_kinds(model, rules);
  if (kinds.empty()) return;
  const Index size = static_cast<Index>(kinds.size()) + (in_steps ? 1 : 0);
  ImpactProblem problem;
  problem.M = MassMatrix::diagonal(Vector::Ones(size));
  problem.W.resize(size, size);
  problem.W.setIdentity();
  problem.u_minus = Vector::Zero(size);
  for (const PartPair& parts : kinds) {
    const PairProperties known = rules.properties(parts);
    Contact contact;
    contact.name = names(model, parts);
    contact.e = known.e;
    contact.e_of = known.e_of;
    contact.mu = known.mu;
    if (known.mu_s) contact.mu_s = std::max(*known.mu_s, known.mu);
    contact.e_t = known.e_t;
    contact.k = known.k.value_or(1);
    contact.eta = known.eta;
    require_direction(model, parts, known);
    if (known.mu_2 && *known.mu_2 != known.mu && reads(law, "mu") && !reads(law, "mu_2"))
      throw InputError("contact", fmt::format("mu of {} depends on the direction, [{}, {}]; {} has one coefficient of "
                                              "friction (carom laws tells which read mu_2)",
                                              names(model, parts), known.mu, *known.mu_2, name_of(law)));
    problem.contacts.push_back(contact);
  }
  if (in_steps) problem.contacts.push_back({.name = "a contact that is still open"});
  try {
    solve(problem, law);
  } catch (const InputError& error) {
    const bool of_contact = error.place.starts_with("contacts[");
    throw InputError(
        of_contact ? "contact" : error.place,
        fmt::format("{} cannot be used in this scene{}: {}", name_of(law),
                    in_steps ? " (in time steps, contacts that are still open have e = 0)" : "", error.rule));
  }
}

void require_parameters(const EventDriven& scheme) {
  if (!(scheme.tolerance >= 1e-13 && scheme.tolerance <= 1e-3))
    throw InputError("scheme.tolerance", fmt::format("{} is not between 1e-13 and 1e-3", scheme.tolerance));
  if (!(scheme.rest > 0 && scheme.rest <= 0.1))
    throw InputError("scheme.rest", fmt::format("{} is not between 0 and 0.1", scheme.rest));
  if (!(scheme.most_impacts >= 1))
    throw InputError("scheme.most_impacts", fmt::format("{} is less than 1", scheme.most_impacts));
}

void require_parameters(const TimeStepping& scheme) {
  if (!(scheme.step > 0) || !std::isfinite(scheme.step))
    throw InputError("scheme.step", fmt::format("{} is not a positive time", scheme.step));
  if (!(scheme.theta >= 0.5 && scheme.theta <= 1))
    throw InputError("scheme.theta", fmt::format("{} is not between 0.5 and 1", scheme.theta));
  if (const double accuracy = scheme.accuracy.value_or(0); !(accuracy >= 0 && accuracy <= 0.1))
    throw InputError("scheme.accuracy", fmt::format("{} is not between 0 and 0.1", accuracy));
}

void require_parameters(const ForcedMotion& scheme) {
  if (!(scheme.step >= 0) || !std::isfinite(scheme.step))
    throw InputError("scheme.step", fmt::format("{} is not a positive time", scheme.step));
  if (!(scheme.tolerance >= 1e-12 && scheme.tolerance <= 1e-3))
    throw InputError("scheme.tolerance", fmt::format("{} is not between 1e-12 and 1e-3", scheme.tolerance));
}

bool is_known(const RunOptions& options, int body) {
  const std::vector<char>& known = options.memory.known;
  return !known.empty() && (body < 0 || known[body]);
}

void require_joints_hold(const Model& model, const State& start, const RunOptions& options) {
  for (int i = 0; i < static_cast<int>(model.description().joints.size()); ++i) {
    const Joint& joint = model.description().joints[i];
    const bool known = is_known(options, joint.a.body) && is_known(options, joint.b.body);
    const double most = known ? kKnownJointError : kJointError;
    const JointRows rows = joint_rows(model, start, {i});
    const double size =
        std::max({joint.length, joint.a.point.norm(), joint.b.point.norm(), start.q.cwiseAbs().maxCoeff()});
    if (rows.value.size() > 0 && rows.value.cwiseAbs().maxCoeff() > most * size)
      throw InputError(fmt::format("joints[{}]", i), fmt::format("{} does not hold at the start: it is off by {:.3g}",
                                                                 joint.name, rows.value.cwiseAbs().maxCoeff()));
    const Vector rate = rows.J.transpose() * start.u + rows.drift;
    const double speed = start.u.cwiseAbs().maxCoeff() + rows.drift.cwiseAbs().maxCoeff();
    if (rate.size() > 0 && rate.cwiseAbs().maxCoeff() > most * speed)
      throw InputError(fmt::format("joints[{}]", i),
                       fmt::format("{} is torn apart by the velocities at the start, at {:.3g} m/s", joint.name,
                                   rate.cwiseAbs().maxCoeff()));
  }
}

[[noreturn]] void refuse_beyond(const Model& model, const State& start, const PartPair& stop) {
  const Joint& joint = model.description().joints[stop.joint()];
  const bool turns = joint.kind == Joint::Kind::revolute;
  const double unit = turns ? 180 / std::numbers::pi : 1;
  throw InputError(fmt::format("joints[{}]", stop.joint()),
                   fmt::format("{} is at {:.6g} {} at the start, beyond its limits {:.6g} and {:.6g}", joint.name,
                               unit * joint_coordinate(model, start, joint).value, turns ? "degrees" : "m",
                               unit * joint.stops->low, unit * joint.stops->high));
}

void require_no_overlap(const Model& model, const State& start, const RunOptions& options) {
  const ContactRules rules(model);
  const ContactSearch search(model, rules);
  for (const ContactPair& pair : search.touching(start, 0)) {
    const double depth = -pair.point.gap;
    const bool known = is_known(options, pair.parts.body_a) && is_known(options, pair.parts.body_b);
    const double most = known ? kKnownOverlap : kOverlap;
    if (pair.parts.is_stop() && depth > most * search.smaller_size(pair.parts)) refuse_beyond(model, start, pair.parts);
    if (depth > most * search.smaller_size(pair.parts))
      throw InputError(
          fmt::format("bodies[{}]", pair.parts.body_b),
          fmt::format("{} overlap by {:.3g} m at the start; move them apart, or let them pass through each "
                      "other with touches = false in a [[pair]]",
                      names(model, pair.parts), depth));
  }
}

void require_numbers(const Model& model, const State& start, const Scheme& scheme, const RunOptions& options) {
  std::visit([](const auto& value) { require_parameters(value); }, scheme);
  require_magnitudes(model, start, scheme, options);
}

void require_placement(const Model& model, const State& start, const RunOptions& options) {
  require_joints_hold(model, start, options);
  require_no_overlap(model, start, options);
}

}  // namespace

void require_scheme_and_law(const Model& model, const Scheme& scheme, const ImpactLaw& law) {
  const ContactRules rules(model);
  require_no_preload(model, scheme);
  if (std::holds_alternative<TimeStepping>(scheme) && has_path(law))
    throw InputError("law", fmt::format("{} follows waves through one impact and a time step is no impact; use the "
                                        "scheme event-driven, or a law such as newton",
                                        name_of(law)));
  if (std::holds_alternative<ForcedMotion>(scheme) && !is_contact_force(law))
    throw InputError("law",
                     fmt::format("{} is no contact force, and the scheme compliant moves bodies under such forces; "
                                 "use the law compliant, or another scheme",
                                 name_of(law)));
  if (const std::vector<PartPair> stops = stops_of(model);
      std::holds_alternative<ForcedMotion>(scheme) && !stops.empty())
    throw InputError(fmt::format("joints[{}].limits", stops.front().joint()),
                     "are for the schemes event-driven and time-stepping; the scheme compliant has no stops of joints");
  require_stiffness(model, rules, law);
  try_law(model, rules, law, std::holds_alternative<TimeStepping>(scheme));
}

void require_law(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law) {
  require_scheme_and_law(model, scheme, law);
  if (const auto* forced = std::get_if<ForcedMotion>(&scheme))
    require_forces(model, start, *forced, std::get<Compliant>(law));
}

bool is_contact_force(const ImpactLaw& law) {
  return std::holds_alternative<Compliant>(law);
}

void require_start(const Model& model, const State& start, const Scheme& scheme, const RunOptions& options) {
  require_numbers(model, start, scheme, options);
  require_placement(model, start, options);
}

void require_ready(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
                   const RunOptions& options) {
  require_numbers(model, start, scheme, options);
  require_law(model, start, scheme, law);
  require_sets(model, scheme, options.sets);
  require_placement(model, start, options);
}

RunSummary run(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
               const RunOptions& options, Observer& observer) {
  require_ready(model, start, scheme, law, options);
  return run_ready(model, start, scheme, law, options, observer);
}

RunSummary run_ready(const Model& model, const State& start, const Scheme& scheme, const ImpactLaw& law,
                     const RunOptions& options, Observer& observer) {
  const auto begin = std::chrono::steady_clock::now();
  RunSummary summary = std::visit(
      [&]<class S>(const S& chosen) {
        if constexpr (std::is_same_v<S, EventDriven>)
          return run_event_driven(model, start, chosen, law, options, observer);
        else if constexpr (std::is_same_v<S, TimeStepping>)
          return run_time_stepping(model, start, chosen, law, options, observer);
        else
          return run_forced(model, start, chosen, std::get<Compliant>(law), options, observer);
      },
      scheme);
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return summary;
}

}  // namespace carom::simulate
