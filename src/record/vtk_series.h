#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "simulate/run.h"

namespace carom::record {

/// States for ParaView: states.pvd, and in the folder states/ one PolyData file a recorded time with a point a body:
/// its number, velocity, angular velocity, orientation (w, x, y, z) and reach.
class VtkSeries : public Observer {
 public:
  explicit VtkSeries(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void state(const Model& model, const State& state, const Books& books) override;
  void close() const;  // writes states.pvd

 private:
  std::filesystem::path folder_;
  std::vector<double> times_;
};

}  // namespace carom::record
