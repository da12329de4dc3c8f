#pragma once

#ifdef CAROM_WITH_HDF5

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "carom/base/word.h"
#include "carom/record/hdf5_file.h"
#include "carom/record/impact_vectors.h"

namespace carom::record::hdf5 {

using Numbers = Growing<double>;

/// One row per impact, one per contact of an impact, and one per free body of an impact.
struct ImpactTable {
  ImpactTable(hid_t parent, const std::string& file)
      : impacts(make_group(parent, "impacts", file)),
        time(impacts, "time", {}, "s", file),
        energy_before(impacts, "energy_before", {}, "J", file),
        energy_after(impacts, "energy_after", {}, "J", file),
        dissipated(impacts, "dissipated", {}, "J", file),
        duration(impacts, "duration", {}, "s", file),
        contacts(impacts, "contacts", {}, "1", file),
        at_rest(impacts, "at_rest", {}, "1", file),
        consistent(impacts, "consistent", {}, "1", file),
        offset(impacts, "offset", {}, "1", file),
        body_a(impacts, "body_a", {}, "1", file),
        body_b(impacts, "body_b", {}, "1", file),
        point(impacts, "point", {3}, "m", file),
        normal(impacts, "normal", {3}, "1", file),
        gamma_minus(impacts, "gamma_minus", {}, "m/s", file),
        gamma_plus(impacts, "gamma_plus", {}, "m/s", file),
        impulse(impacts, "impulse", {}, "kg m/s", file),
        tangential(impacts, "tangential_impulse", {3}, "kg m/s", file),
        peak_force(impacts, "peak_force", {}, "N", file),
        body_offset(impacts, "body_offset", {}, "1", file),
        body(impacts, "body", {}, "1", file),
        velocity_before(impacts, "velocity_before", {3}, "m/s", file),
        velocity_after(impacts, "velocity_after", {3}, "m/s", file),
        angular_before(impacts, "angular_velocity_before", {3}, "rad/s", file),
        angular_after(impacts, "angular_velocity_after", {3}, "rad/s", file) {
    offset.add(0);
    body_offset.add(0);
  }

  void add(const Model& model, const ImpactEvent& event) {
    const ImpactOutcome& outcome = *event.outcome;
    const bool answered = outcome.u_plus.size() > 0;
    time.add(event.t);
    energy_before.add(outcome.energy.before);
    energy_after.add(outcome.energy.after);
    dissipated.add(answered ? outcome.energy.dissipated() : 0);
    duration.add(outcome.duration.value_or(std::nan("")));
    contacts.add(static_cast<std::int32_t>(event.told_contacts().size()));
    at_rest.add(event.at_rest ? 1 : 0);
    consistent.add(outcome.certificate.consistent ? 1 : 0);
    if (answered) add_contacts(model, event);
    if (answered) add_bodies(model, event);
    offset.add(last_);
    body_offset.add(last_body_);
    each([](auto& one) { one.end_row(); });
  }
  void flush() {
    each([](auto& one) { one.flush(); });
  }

 private:
  void add_contacts(const Model& model, const ImpactEvent& event) {
    const ImpactOutcome& outcome = *event.outcome;
    const std::vector<std::size_t> told = event.told_contacts();
    for (const std::size_t i : told) {
      body_a.add(event.pairs[i].parts.body_a);
      body_b.add(event.pairs[i].parts.body_b);
      point.add_all(middle_of(model, event.pairs[i]));
      normal.add_all(event.pairs[i].point.normal);
      tangential.add_all(tangential_impulse(model, event, i));
      peak_force.add(outcome.peak_force ? (*outcome.peak_force)[static_cast<Index>(i)] : std::nan(""));
    }
    gamma_minus.add_all(outcome.normal(outcome.gamma_minus)(told));
    gamma_plus.add_all(outcome.normal(outcome.gamma_plus)(told));
    impulse.add_all(outcome.normal(outcome.Lambda)(told));
    last_ += static_cast<std::int64_t>(told.size());
  }
  void add_bodies(const Model& model, const ImpactEvent& event) {
    for (const std::size_t i : event.told_bodies()) {
      const Twist before = twist_in(model, event, i, event.u_before), after = twist_in(model, event, i, event.u_after);
      body.add(event.bodies[i]);
      velocity_before.add_all(before.velocity);
      velocity_after.add_all(after.velocity);
      angular_before.add_all(before.angular);
      angular_after.add_all(after.angular);
      ++last_body_;
    }
  }
  template <class Act>
  void each(Act&& act) {
    for (Numbers* one :
         {&time, &energy_before, &energy_after, &dissipated, &duration, &point, &normal, &gamma_minus, &gamma_plus,
          &impulse, &tangential, &peak_force, &velocity_before, &velocity_after, &angular_before, &angular_after})
      act(*one);
    for (Growing<std::int32_t>* one : {&contacts, &body_a, &body_b, &body}) act(*one);
    for (Growing<std::uint8_t>* one : {&at_rest, &consistent}) act(*one);
    act(offset);
    act(body_offset);
  }

  Handle impacts;
  Numbers time, energy_before, energy_after, dissipated, duration;
  Growing<std::int32_t> contacts;
  Growing<std::uint8_t> at_rest, consistent;
  Growing<std::int64_t> offset;
  Growing<std::int32_t> body_a, body_b;
  Numbers point, normal, gamma_minus, gamma_plus, impulse, tangential, peak_force;
  Growing<std::int64_t> body_offset;
  Growing<std::int32_t> body;
  Numbers velocity_before, velocity_after, angular_before, angular_after;
  std::int64_t last_ = 0, last_body_ = 0;  // contacts and bodies so far
};

/// One row per event.
struct EventTable {
  EventTable(hid_t parent, const std::string& file)
      : events(make_group(parent, "events", file)),
        time(events, "time", {}, "s", file),
        kind(events, "kind", file),
        what(events, "what", file),
        detail(events, "detail", file) {}

  void add(const RunEvent& event) {
    time.add(event.t);
    time.end_row();
    kind.add(std::string(word(event.kind)));
    what.add(event.what);
    detail.add(event.detail);
  }
  void flush() {
    time.flush();
    for (GrowingTexts* one : {&kind, &what, &detail}) one->flush();
  }

 private:
  Handle events;
  Numbers time;
  GrowingTexts kind, what, detail;
};

}  // namespace carom::record::hdf5

#endif
