#pragma once

#include <filesystem>
#include <memory>

#include "carom/record/run_sink.h"

namespace carom::record {

/// Whether this build of Carom writes HDF5.
bool has_hdf5();

/// run.h5, for large runs: blocks are written while the run goes on, so memory holds one block per dataset.
///   time, energy/{kinetic, potential, dissipated_impacts, dissipated_dampers, dissipated_slip, work, stored}  (states)
///   body, mass, radius, shapes (bodies): of all bodies, walls too; mass 0: not free; radius NaN: no ball; shapes: JSON
///   position, velocity, angular_velocity (states x bodies x 3), orientation (states x bodies x 4): w, x, y, z
///   impacts/{time, energy_before, energy_after, dissipated, duration, contacts, at_rest, consistent}   (impacts)
///   impacts/offset (impacts + 1): the contacts of impact i are offset[i] ... offset[i+1]-1 of
///   impacts/{body_a, body_b, point, normal, gamma_minus, gamma_plus, impulse, tangential_impulse, peak_force}; an
///   impact without an answer has none; duration and peak_force are NaN where the law has none
///   impacts/body_offset (impacts + 1): likewise its free bodies, of impacts/{body, velocity_before, velocity_after,
///   angular_velocity_before, angular_velocity_after}
///   events/{time, kind, what, detail} (events), kind as events.csv names it
///   contacts/{time, offset} (recorded times; offset has one more): the closed contacts at time i are offset[i] ...
///   offset[i+1]-1 of contacts/{body_a, shape_a, body_b, shape_b, point, normal, force_n, force_t, slip, mode}, forces
///   on body b; mode 0 closed, 1 stick, 2 slip
///   joints/{force, torque} (recorded times x joints x 3), on body b where they are joined; joint: their names
/// Each dataset has an attribute `unit`; the file has `format`, `title`, `law` and `scheme`. Vectors are in the world.
/// The same run gives the same bytes. Throws InputError when it cannot be written.
class Hdf5Run : public RunSink {
 public:
  static constexpr std::string_view format = "hdf5", file = "run.h5";
  static constexpr bool has_impacts = true;
  static constexpr bool told_forces = true;
  static std::string_view missing() { return has_hdf5() ? "" : "HDF5 (libhdf5-dev)"; }

  Hdf5Run(const RunTitle& title, const Model& model, const std::filesystem::path& folder);
  ~Hdf5Run() override;
  Hdf5Run(const Hdf5Run&) = delete;
  Hdf5Run& operator=(const Hdf5Run&) = delete;

  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void impact(const Model& model, const ImpactEvent& event) override;
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override;
  void joints(const Model& model, double t, const std::vector<JointForce>& forces) override;
  void event(const Model& model, const RunEvent& event) override;
  void close() override;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace carom::record
