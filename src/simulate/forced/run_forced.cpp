#include "carom/simulate/forced/run_forced.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "carom/base/error.h"
#include "carom/simulate/forced/contact_times.h"
#include "carom/simulate/forced/forced_bodies.h"
#include "carom/simulate/forced/grains.h"
#include "carom/simulate/forced/located_run.h"
#include "carom/simulate/journal.h"
#include "carom/simulate/magnitudes.h"
#include "carom/simulate/step_grid.h"
#include "carom/simulate/told_forces.h"

namespace carom::simulate {
namespace {

constexpr double kStepsPerContact = 40;  // of the shortest one
constexpr double kSlowestTouch = 1e-3;   // of the fastest approach: damping refers to no slower one
constexpr double kUnstable = 1;          // of the limit of stability
constexpr double kMostForcedSteps = 1e10;
constexpr std::size_t kFewBodies = 40;          // may be located
constexpr double kEvaluationsPerContact = 200;  // of located motion, while the shortest contact lasts
constexpr double kLocatedWork = 1e6;            // evaluations of contacts that it may take: some ten seconds
constexpr double kTouchesAtStart = 1e-3;        // of the smaller body: gaps that count as none

constexpr char kFixedRun = 'F';  // the first byte of its checkpoints

std::string names(const Model& model, int a, int b) {
  return fmt::format("{} and {}", model.bodies()[a].name, model.bodies()[b].name);
}

[[noreturn]] void refuse(const Model& model, const PartPair& parts, const forces::Fault& fault) {
  const bool of_law = fault.field == "v_s" || fault.field == "nu";
  throw InputError(of_law ? fmt::format("law.{}", fault.field) : "contact",
                   fmt::format("{}: {}{}{}", names(model, parts.body_a, parts.body_b), fault.field,
                               fault.rule.starts_with("is ") ? " " : " = ", fault.rule));
}

ContactForce force_of(const StepContact& contact) {
  const bool swapped = contact.a > contact.b;
  const double sign = swapped ? -1 : 1;
  ContactForce result;
  result.parts = {contact.a, contact.part_a, contact.b, contact.part_b};
  if (swapped) result.parts = {contact.b, contact.part_b, contact.a, contact.part_a};
  result.point = contact.point;
  result.normal = sign * contact.n;
  result.force = contact.force;
  result.tangential = sign * contact.T;
  result.slip = sign * contact.slip;
  result.indentation = contact.indentation;
  result.mode = contact.mode;
  return result;
}

ContactClosure closure_of(const StepContact& contact, double end) {
  return {.parts = force_of(contact).parts,
          .begin = contact.begin,
          .end = end,
          .peak_force = contact.peak,
          .peak_time = contact.peak_time,
          .deepest = contact.deepest,
          .impulse = contact.impulse,
          .approach = contact.approach,
          .departure = -contact.rate,
          .dissipated = contact.lost};
}

/// Steps of one length.
class FixedRun {
 public:
  FixedRun(const Model& model, const State& start, const Compliant& law, const RunOptions& options, Observer& observer)
      : model_(model),
        rules_(model),
        options_(options),
        observer_(observer),
        journal_(model, start, options, observer) {
    before_ = journal_.summary.ledger;
    before_.stored = options.memory.stored;
    impacts_before_ = journal_.summary.impacts;
    const ContactTimes times = contact_times(model, rules_, law, start, options.duration);
    const double least = kSlowestTouch * std::max(times.speed, std::numeric_limits<double>::min());
    if (Grains::applies(model))
      bodies_ = std::make_unique<Grains>(model, rules_, law, start, least);
    else
      bodies_ = std::make_unique<ForcedBodies>(model, rules_, law, start, least);
    if (journal_.wants_forces()) {
      bodies_->on_begin = [this](const StepContact& contact, double t) {
        journal_.happened(t, RunEvent::Kind::closes, force_of(contact).parts);
      };
      bodies_->on_mode = [this](const StepContact& contact, double t) {
        const bool slips = contact.mode == ContactMode::slip;
        journal_.happened(t, slips ? RunEvent::Kind::slips : RunEvent::Kind::sticks, force_of(contact).parts);
      };
    }
    bodies_->on_end = [this](const StepContact& contact, double t) { ended(contact, t); };
  }

  RunSummary run(const State& start, double step) {
    State state = start;
    double now = start.t, first = start.t, interval = options_.interval;
    long done = 0, recorded = 0;
    const auto archived = [&](Archive archive) {
      char kind = kFixedRun;
      archive& kind& step& first& done& now& interval& recorded& state.t& state.q& state.u& journal_&* bodies_;
      archive& before_.stored& before_.dissipated_impacts& before_.dissipated_slip& before_.dissipated_dampers;
      archive& before_.work& impacts_before_;
      return archive.bytes();
    };
    const bool goes_on = !options_.inner.empty();
    if (goes_on) archived(Archive(options_.inner));
    double told_at = now;
    const StepGrid grid = step_grid(first, options_.begin(start) + options_.duration - first, step);
    const double h = grid.h;
    if (!goes_on && !options_.so_far) record_start(state);
    if (!goes_on)
      recorded = options_.next_record(start, start.t + 0.5 * h);
    else if (std::exchange(interval, options_.interval) != options_.interval)
      recorded = options_.record_after(options_.begin(start), now + 0.5 * h);
    bool told_end = false;
    for (; done < grid.last && journal_.goes_on(options_, state);) {
      const long i = done + 1, steps = grid.last;
      if (i == steps || observer_.wants_checkpoint()) {
        if (observer_.keeps_checkpoints()) observer_.checkpoint(now, archived({}));
        told_end = i == steps;
      }
      bodies_->step(grid.length(i));
      done = i;
      ++journal_.summary.steps;
      const double t = now = grid.at(i);
      journal_.summary.impacts = impacts_before_ + bodies_->closures;
      journal_.progress(t);
      if (!options_.stop.empty()) {
        state = bodies_->state();
        state.t = t;
      }
      if (t < options_.begin(start) + static_cast<double>(recorded) * options_.interval - 0.5 * h && i < steps)
        continue;
      state = bodies_->state();
      state.t = t;
      if (const std::string body = body_out_of_range(model_, state); !body.empty()) {
        journal_.summary.status = RunStatus::not_finished;
        journal_.summary.message = fmt::format("t = {:.9g} s: the motion of {} is no longer a number", t, body);
        break;
      }
      record(state);
      ++recorded;
      told_at = t;
    }
    if (!told_end && observer_.keeps_checkpoints()) observer_.checkpoint(now, archived({}));
    if (journal_.summary.message.empty() && bodies_->worst_ratio > kUnstable)
      journal_.summary.message = fmt::format(
          "steps of {:.3g} s are above the limit of stability, {:.3g} s, of the contact of {} at t = {:.6g} s", h,
          h / std::sqrt(bodies_->worst_ratio), names(model_, bodies_->worst_a, bodies_->worst_b), bodies_->worst_time);
    if (bodies_->worst_ratio > kUnstable && journal_.summary.status == RunStatus::solved)
      journal_.summary.status = RunStatus::approximate;
    journal_.summary.impacts = impacts_before_ + bodies_->closures;
    State end = bodies_->state();
    end.t = now;
    if (!body_out_of_range(model_, end).empty()) return journal_.finished(state);
    if (journal_.ends_early(end) && told_at < now)
      record(end);
    else
      account();
    tell_lasting(now);
    journal_.energies(end);
    journal_.summary.memory.stored = journal_.summary.ledger.stored;
    return journal_.finished(end);
  }

 private:
  /// Contacts are not yet found; what an earlier run left in them is known.
  void record_start(const State& state) {
    journal_.summary.ledger.stored = before_.stored;
    journal_.record(state);
    if (journal_.wants_forces()) journal_.forces(state.t, {}, told_joints(model_, state, std::vector<ContactForce>{}));
  }

  void account() {
    Ledger& ledger = journal_.summary.ledger;
    double stored = 0, along = 0;
    bodies_->for_contacts([&](const StepContact& contact) {
      stored += contact.stored();
      along += contact.stored_along();
      note_peak(contact);
    });
    ledger.stored = stored + along;
    const ContactWork work = bodies_->done();
    ledger.dissipated_impacts = before_.dissipated_impacts + before_.stored + work.normal - stored;
    ledger.dissipated_slip = before_.dissipated_slip + work.along - along;
    ledger.dissipated_dampers = before_.dissipated_dampers + work.dampers;
    ledger.work = before_.work + work.walls + work.loads;
  }

  void record(const State& state) {
    account();
    journal_.record(state);
    std::vector<ContactForce> forces;
    bodies_->for_contacts([&](const StepContact& contact) { forces.push_back(force_of(contact)); });
    std::sort(forces.begin(), forces.end(),
              [](const ContactForce& x, const ContactForce& y) { return x.parts < y.parts; });
    if (journal_.wants_forces()) journal_.forces(state.t, forces, told_joints(model_, state, forces));
  }

  void ended(const StepContact& contact, double t) {
    note_peak(contact);
    journal_.closure(closure_of(contact, t));
  }

  /// What contacts that last where the run ends did so far.
  void tell_lasting(double t) {
    std::vector<ContactClosure> lasting;
    bodies_->for_contacts([&](const StepContact& contact) {
      lasting.push_back(closure_of(contact, t));
      lasting.back().dissipated -= contact.stored() + contact.stored_along();
    });
    journal_.lasting(std::move(lasting));
  }

  void note_peak(const StepContact& contact) {
    RunSummary& summary = journal_.summary;
    summary.deepest_penetration = std::max(summary.deepest_penetration, contact.deepest);
    if (contact.peak <= summary.peak_force) return;
    summary.peak_force = contact.peak;
    summary.peak_time = contact.peak_time;
    summary.peak_parts = force_of(contact).parts;
  }

  const Model& model_;
  ContactRules rules_;
  const RunOptions& options_;
  Observer& observer_;
  Journal journal_;
  Ledger before_;  // of an earlier part of the run, and what it left in contacts
  long impacts_before_ = 0;
  std::unique_ptr<SteppedBodies> bodies_;
};

/// About how many evaluations of contacts located motion takes, if those that touch at the start last.
double located_work(const Model& model, const ContactRules& rules, const State& start, const ContactTimes& times,
                    double duration) {
  const std::size_t touching = ContactSearch(model, rules).touching(start, kTouchesAtStart).size();
  return kEvaluationsPerContact * duration / times.shortest * static_cast<double>(touching);
}

}  // namespace

void require_forces(const Model& model, const State& start, const ForcedMotion& scheme, const Compliant& law) {
  if (!model.description().periodic.isZero() && !model.description().joints.empty())
    throw InputError("periodic", "is for the schemes event-driven and time-stepping where bodies are jointed");
  const ContactRules rules(model);
  for (const PartPair& parts : rules.kinds())
    if (!rules.knows_stiffness(parts))
      throw InputError("contact",
                       fmt::format("the stiffness of {} is not known, and contact forces need it: give k, or "
                                   "E and nu of both materials for smooth bodies",
                                   names(model, parts.body_a, parts.body_b)));
  for (const PartPair& parts : rules.kinds()) {
    const TypicalContact typical = typical_contact(model, rules, parts);
    const double mass = typical.mass;
    const StepContact made = step_contact(typical.contact, law, mass, mass);
    const auto fault = std::visit([&](const auto& force) { return force.fault(mass); }, made.normal);
    if (fault) refuse(model, parts, *fault);
    if (!made.has_friction()) continue;
    if (const auto rough = std::visit([](const auto& force) { return force.fault(); }, made.friction))
      refuse(model, parts, *rough);
  }
  if (scheme.step <= 0) return;
  const ContactTimes times = contact_times(model, rules, law, start, 0);
  if (scheme.step > times.stable)
    throw InputError("scheme.step",
                     fmt::format("{:.3g} s is above the limit of stability, {:.3g} s, of the contact of {} "
                                 "at {:.3g} m/s; take at most a tenth of that",
                                 scheme.step, times.stable, names(model, times.body_a, times.body_b), times.speed));
}

RunSummary run_forced(const Model& model, const State& start, const ForcedMotion& scheme, const Compliant& law,
                      const RunOptions& options, Observer& observer) {
  const ContactRules rules(model);
  const ContactTimes times = contact_times(model, rules, law, start, options.duration);
  const bool chosen = scheme.steps == ForcedMotion::Steps::chosen && scheme.step <= 0;
  const bool goes_on = !options.inner.empty(), was_fixed = goes_on && options.inner[0] == kFixedRun;
  const bool few = model.bodies().size() <= kFewBodies;
  const double work = chosen && few ? located_work(model, rules, start, times, options.duration) : 0;
  const bool located = scheme.steps == ForcedMotion::Steps::located || (chosen && few && work <= kLocatedWork);
  if (goes_on ? !was_fixed : located) return run_located(model, start, scheme, law, options, observer);
  const double estimated = std::min(times.shortest / kStepsPerContact, options.duration);
  const double step = std::max(scheme.step > 0 ? scheme.step : estimated, options.duration / kMostForcedSteps);
  FixedRun run(model, start, law, options, observer);
  RunSummary summary = run.run(start, step);
  if (work > kLocatedWork && summary.message.empty())
    summary.message = fmt::format(
        "fixed steps of {:.2g} s, because contacts that touch from the start would take located motion some {:.0e} "
        "evaluations; steps = \"located\" follows them",
        step, work);
  return summary;
}

}  // namespace carom::simulate
