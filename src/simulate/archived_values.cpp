#include "carom/simulate/archived_values.h"

#include "carom/simulate/summary_fields.h"

namespace carom::simulate {

void archived(Archive& archive, State& state) {
  archive& state.t& state.q& state.u;
}

void archived(Archive& archive, PartPair& parts) {
  archive& parts.body_a& parts.part_a& parts.body_b& parts.part_b& parts.stop;
}

void archived(Archive& archive, geometry::Feature& feature) {
  for (geometry::Element* one : {&feature.a, &feature.b}) archive & one->kind & one->first & one->second;
}

void archived(Archive& archive, ContactPair& pair) {
  geometry::ContactPoint& point = pair.point;
  archive& pair.parts& point.gap& point.point_a& point.point_b& point.normal& point.feature;
  archive& pair.local_a& pair.local_b& pair.normal_a& pair.normal_b& pair.grain;
}

void archived(Archive& archive, TangentialState& along) {
  archive& along.mu& along.mode& along.heading& along.starting& along.mu_s& along.scale;
}

void archived(Archive& archive, Mode& mode) {
  archive& mode.closed& mode.tangential;
}

void archived(Archive& archive, CarriedImpulse& carried) {
  archive& carried.parts& carried.feature& carried.impulse;
}

void archived(Archive& archive, PairLoss& loss) {
  archive& loss.body_a& loss.body_b& loss.joint& loss.impacts& loss.dissipated;
}

void archived(Archive& archive, ContactClosure& closure) {
  archive& closure.parts& closure.begin& closure.end& closure.peak_force& closure.peak_time& closure.deepest;
  archive& closure.impulse& closure.approach& closure.departure& closure.dissipated;
}

void archived(Archive& archive, RunEvent& event) {
  archive& event.t& event.kind& event.what& event.detail;
}

void archived(Archive& archive, RunSummary& summary) {
  archive& summary.ledger.kinetic& summary.ledger.potential;
  for_each_energy(summary.ledger, [&](std::string_view, double& value) { archive& value; });
  for_each_count(summary, [&](std::string_view, auto& value) { archive& value; });
  Approximations& below = summary.approximations;
  archive& below.by_rung& below.worst_rung& below.worst_where;
  archive& summary.peak_parts& summary.accumulation_times;
}

void archived(Archive& archive, RunMemory& memory) {
  archive& memory.speed& memory.approach& memory.carried& memory.joint_balance& memory.joint_energy& memory.stored;
}

}  // namespace carom::simulate
