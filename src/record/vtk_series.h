#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/geometry/surface_mesh.h"
#include "carom/record/run_sink.h"

namespace carom::record {

/// States for ParaView: states.pvd, and in the folder states/ one PolyData file per recorded time: a point for the
/// centre of each body, then the surfaces of all shapes, walls too. Each cell has the number of its body and of its
/// shape (-1 at a centre), whether it is free, velocity, angular velocity, orientation (w, x, y, z), mass and reach of
/// the body.
class VtkSeries : public RunSink {
 public:
  static constexpr std::string_view format = "vtk", file = "states.pvd", other = "states";
  static constexpr bool has_impacts = false;

  VtkSeries(const RunTitle&, const Model& model, std::filesystem::path folder);
  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void close() override;  // writes states.pvd

 private:
  struct Surface {
    int body = -1, part = 0;
    geometry::SurfaceMesh mesh;  // in the frame of the body
  };
  void make_surfaces(const Model& model, const State& state);

  std::filesystem::path folder_;
  std::vector<double> times_;
  std::vector<Surface> surfaces_;
};

/// Forces of closed contacts for ParaView: forces.pvd, and in the folder forces/ one PolyData file per recorded time: a
/// point per contact, then a line between the centres of its bodies (with a wall: from the centre to the contact), so
/// that force chains show as tubes. Each cell has force (on body b), normal, force_n, slip, mode (0 closed, 1 stick, 2
/// slip), body_a, body_b.
class VtkForces : public RunSink {
 public:
  static constexpr std::string_view format = "vtk", file = "forces.pvd", other = "forces";
  static constexpr bool has_impacts = false;
  static constexpr bool told_forces = true;

  VtkForces(const RunTitle&, const Model&, std::filesystem::path folder) : folder_(std::move(folder)) {}
  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override;
  void close() override;  // writes forces.pvd

 private:
  std::filesystem::path folder_;
  std::vector<double> times_;
  State state_;
};

}  // namespace carom::record
