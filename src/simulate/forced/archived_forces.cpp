#include "carom/simulate/forced/archived_forces.h"

namespace carom::simulate {
namespace {

template <class Variant>
void alternative(Archive& archive, Variant& force) {
  std::size_t index = force.index();
  archive& index;
  if (archive.reads()) force = forces::force_by_index<Variant>(index, Contact{});
  std::visit(
      [&]<class Force>(Force& held) {
        Force::fields(held, [&](std::string_view, auto& value, auto&&...) { archive& value; });
      },
      force);
}

}  // namespace

void archived(Archive& archive, forces::Normal& force) {
  alternative(archive, force);
}

void archived(Archive& archive, forces::Friction& force) {
  alternative(archive, force);
}

void archived(Archive& archive, forces::RollingResistance& resistance) {
  archive& resistance.mu_r& resistance.radius& resistance.k_r;
}

void archived(Archive& archive, forces::Memory& memory) {
  archive& memory.v0& memory.damping& memory.d_max& memory.d_p& memory.loading;
}

void archived(Archive& archive, forces::ContactState& state) {
  archive& state.phase& state.mode& state.memory& state.touched& state.growing& state.heading[0] & state.heading[1];
  archive& state.compressions& state.touches& state.peak& state.peak_time& state.deepest;
  archive& state.compressed& state.returned& state.counted& state.last_force;
}

}  // namespace carom::simulate
