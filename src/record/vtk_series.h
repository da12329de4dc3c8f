#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/record/run_sink.h"

namespace carom::record {

/// States for ParaView: states.pvd, and in the folder states/ one PolyData file per recorded time with one point per
/// body: its number, velocity, angular velocity, orientation (w, x, y, z) and reach.
class VtkSeries : public RunSink {
 public:
  static constexpr std::string_view format = "vtk", file = "states.pvd";
  static constexpr bool has_impacts = false;

  VtkSeries(const RunTitle&, const Model&, std::filesystem::path folder) : folder_(std::move(folder)) {}
  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void close() override;  // writes states.pvd

 private:
  std::filesystem::path folder_;
  std::vector<double> times_;
};

}  // namespace carom::record
