#include "carom/record/vtk_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/record/vtk_file.h"

namespace carom::record {
namespace {

constexpr std::size_t kManyShapes = 300;  // from so many on, round ones are drawn with fewer points
constexpr int kFine = 24, kCoarse = 8;    // points around round shapes
constexpr double kBeyond = 1.25;          // of the extent of the scene: how far walls without an end are drawn

std::string state_name(std::size_t i) {
  return fmt::format("states/state_{:06}.vtp", i);
}
std::string force_name(std::size_t i) {
  return fmt::format("forces/force_{:06}.vtp", i);
}

/// Of the farthest point of the body; 0 for walls without an end.
double reach_of(const Body& body) {
  double reach = 0;
  for (const geometry::Part& part : body.parts)
    reach = std::max(reach, part.pose.position.norm() + geometry::reach(part.shape));
  return std::isfinite(reach) ? reach : 0;
}

/// What the scene fills at the start, walls without an end aside.
struct SceneExtent {
  Vector3 centre = Vector3::Zero();
  double size = 1;
};
SceneExtent extent_of(const Model& model, const State& state) {
  geometry::Bounds all;
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const double reach = reach_of(model.bodies()[body]);
    if (reach == 0 && !model.bodies()[body].is_free()) continue;
    const Vector3 at = model.pose(body, state).position;
    all.low = all.low.cwiseMin((at.array() - reach).matrix());
    all.high = all.high.cwiseMax((at.array() + reach).matrix());
  }
  if (!(all.low.array() <= all.high.array()).all()) return {};
  const double size = 0.5 * (all.high - all.low).norm();
  return {0.5 * (all.low + all.high), size > 0 ? size : 1};
}

/// Values of bodies, one row per cell.
class CellTable {
 public:
  void add(const Model& model, const State& state, int body, int part) {
    const Pose pose = model.pose(body, state);
    const Twist twist = model.twist(body, state);
    const Body& one = model.bodies()[body];
    body_.push_back(body);
    shape_.push_back(part);
    free_.push_back(one.is_free() ? 1 : 0);
    velocity_.insert(velocity_.end(), twist.velocity.begin(), twist.velocity.end());
    angular_.insert(angular_.end(), twist.angular.begin(), twist.angular.end());
    const Quaternion& turn = pose.orientation;
    for (const double value : {turn.w(), turn.x(), turn.y(), turn.z()}) orientation_.push_back(value);
    mass_.push_back(one.is_free() ? one.mass : 0);
    reach_.push_back(reach_of(one));
  }
  void write(VtkFile& file) && {
    file.cell_array("body", 1, std::move(body_));
    file.cell_array("shape", 1, std::move(shape_));
    file.cell_array("free", 1, std::move(free_));
    file.cell_array("velocity", 3, std::move(velocity_));
    file.cell_array("angular_velocity", 3, std::move(angular_));
    file.cell_array("orientation", 4, std::move(orientation_));
    file.cell_array("mass", 1, std::move(mass_));
    file.cell_array("reach", 1, std::move(reach_));
  }

 private:
  std::vector<double> body_, shape_, free_, velocity_, angular_, orientation_, mass_, reach_;
};

}  // namespace

VtkSeries::VtkSeries(const RunTitle&, const Model&, std::filesystem::path folder) : folder_(std::move(folder)) {}

void VtkSeries::make_surfaces(const Model& model, const State& state) {
  const SceneExtent extent = extent_of(model, state);
  std::size_t shapes = 0;
  for (const Body& body : model.bodies()) shapes += body.parts.size();
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const std::vector<geometry::Part>& parts = model.bodies()[body].parts;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const Pose at = model.pose(body, state) * parts[part].pose;
      Surface& surface = surfaces_.emplace_back();
      surface.body = body;
      surface.part = static_cast<int>(part);
      surface.mesh =
          geometry::surface_mesh(parts[part].shape, model.dimension(), shapes < kManyShapes ? kFine : kCoarse,
                                 kBeyond * extent.size, at.to_local(extent.centre));
      for (Vector3& point : surface.mesh.points) point = parts[part].pose.to_world(point);
    }
  }
}

void VtkSeries::state(const Model& model, const State& state, const Ledger&) {
  if (times_.empty()) make_surfaces(model, state);
  VtkFile out;
  CellTable cells;
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    out.vert(out.point(model.pose(body, state).position));
    cells.add(model, state, body, -1);
  }
  for (const Surface& surface : surfaces_) {
    const Pose pose = model.pose(surface.body, state);
    int first = -1;
    for (const Vector3& point : surface.mesh.points) {
      const int index = out.point(pose.to_world(point));
      if (first < 0) first = index;
    }
    for (std::vector<int> face : surface.mesh.faces) {
      for (int& corner : face) corner += first;
      out.poly(std::move(face));
      cells.add(model, state, surface.body, surface.part);
    }
  }
  std::move(cells).write(out);
  out.write(folder_ / state_name(times_.size()));
  times_.push_back(state.t);
}

void VtkSeries::close() {
  write_vtk_collection(folder_ / file, times_, state_name);
}

void VtkForces::state(const Model&, const State& state, const Ledger&) {
  state_ = state;
}

void VtkForces::contacts(const Model& model, double t, const std::vector<ContactForce>& forces) {
  VtkFile out;
  std::vector<double> force, normal, force_n, slip, mode, body_a, body_b;
  const auto add = [&](const ContactForce& one) {
    const Vector3 whole = one.force * one.normal + one.tangential;
    force.insert(force.end(), whole.begin(), whole.end());
    normal.insert(normal.end(), one.normal.begin(), one.normal.end());
    force_n.push_back(one.force);
    slip.push_back(one.slip.norm());
    const std::string_view word = word_for(one.mode);
    mode.push_back(word == word_for(ContactMode::slip) ? 2 : word == word_for(ContactMode::stick) ? 1 : 0);
    body_a.push_back(one.parts.body_a);
    body_b.push_back(one.parts.body_b);
  };
  for (const ContactForce& one : forces) {
    out.vert(out.point(one.point));
    add(one);
  }
  const auto end_of = [&](int body, const Vector3& point) -> Vector3 {
    return model.bodies()[body].is_free() ? model.pose(body, state_).position : point;
  };
  for (const ContactForce& one : forces) {
    const int a = out.point(end_of(one.parts.body_a, one.point)), b = out.point(end_of(one.parts.body_b, one.point));
    out.line(a, b);
    add(one);
  }
  out.cell_array("force", 3, std::move(force));
  out.cell_array("normal", 3, std::move(normal));
  out.cell_array("force_n", 1, std::move(force_n));
  out.cell_array("slip", 1, std::move(slip));
  out.cell_array("mode", 1, std::move(mode));
  out.cell_array("body_a", 1, std::move(body_a));
  out.cell_array("body_b", 1, std::move(body_b));
  out.write(folder_ / force_name(times_.size()));
  times_.push_back(t);
}

void VtkForces::close() {
  write_vtk_collection(folder_ / file, times_, force_name);
}

}  // namespace carom::record
