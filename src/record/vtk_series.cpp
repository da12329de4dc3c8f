#include "carom/record/vtk_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/record/output_file.h"

namespace carom::record {
namespace {

std::string file_name(std::size_t i) {
  return fmt::format("states/state_{:06}.vtp", i);
}

template <class Value>
std::string array(const Model& model, std::string_view name, int components, Value&& value) {
  std::string text = fmt::format(
      "<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">\n", name, components);
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) text += value(body) + "\n";
  return text + "</DataArray>\n";
}

std::string triple(const Vector3& v) {
  return fmt::format("{} {} {}", v.x(), v.y(), v.z());
}

/// Of the farthest point of the body; 0 for walls without an end.
double reach_of(const Body& body) {
  double reach = 0;
  for (const geometry::Part& part : body.parts)
    reach = std::max(reach, part.pose.position.norm() + geometry::reach(part.shape));
  return std::isfinite(reach) ? reach : 0;
}

}  // namespace

void VtkSeries::state(const Model& model, const State& state, const Ledger&) {
  const std::size_t size = model.bodies().size();
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\">\n<PolyData>\n"
      "<Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\">\n<Points>\n",
      size);
  text += array(model, "position", 3, [&](int body) { return triple(model.pose(body, state).position); });
  text += "</Points>\n<Verts>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n";
  for (std::size_t i = 0; i < size; ++i) text += fmt::format("{}\n", i);
  text += "</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n";
  for (std::size_t i = 0; i < size; ++i) text += fmt::format("{}\n", i + 1);
  text += "</DataArray>\n</Verts>\n<PointData>\n";
  text += array(model, "body", 1, [](int body) { return fmt::format("{}", body); });
  text += array(model, "velocity", 3, [&](int body) { return triple(model.twist(body, state).velocity); });
  text += array(model, "angular_velocity", 3, [&](int body) { return triple(model.twist(body, state).angular); });
  text += array(model, "orientation", 4, [&](int body) {
    const Quaternion turn = model.pose(body, state).orientation;
    return fmt::format("{} {} {} {}", turn.w(), turn.x(), turn.y(), turn.z());
  });
  text += array(model, "reach", 1, [&](int body) { return fmt::format("{}", reach_of(model.bodies()[body])); });
  text += "</PointData>\n</Piece>\n</PolyData>\n</VTKFile>\n";
  write_file(folder_ / file_name(times_.size()), text);
  times_.push_back(state.t);
}

void VtkSeries::close() {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (std::size_t i = 0; i < times_.size(); ++i)
    text += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", times_[i], file_name(i));
  write_file(folder_ / file, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace carom::record
