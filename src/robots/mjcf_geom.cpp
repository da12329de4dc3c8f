#include "carom/robots/mjcf_geom.h"

#include <fmt/format.h>

#include "carom/robots/mesh.h"
#include "carom/robots/parts.h"

namespace carom::robots {
namespace {

constexpr double kWater = 1000;  // [kg/m^3] of a geom that says nothing

std::vector<double> sizes_of(const Element& geom, std::size_t count) {
  const std::vector<double> sizes = numbers_of(geom, "size", count, 3);
  for (std::size_t i = 0; i < count; ++i)
    if (!(sizes[i] > 0)) fail(geom, fmt::format("<geom> size has {}, which is not positive", sizes[i]));
  return sizes;
}

/// Along the line of `fromto`, or of the half length in `size`.
void read_long(const Element& geom, LinkShape& shape) {
  const bool ends = geom.find("fromto") != nullptr;
  const std::vector<double> sizes = sizes_of(geom, ends ? 1 : 2);
  shape.radius = sizes[0];
  if (!ends) {
    shape.length = 2 * sizes[1];
    return;
  }
  const std::vector<double> line = numbers_of(geom, "fromto", 6, 6);
  const Vector3 from(line[0], line[1], line[2]), to(line[3], line[4], line[5]);
  shape.length = (to - from).norm();
  if (!(shape.length > 0)) fail(geom, "<geom> fromto has both ends at one place");
  shape.pose = {0.5 * (from + to), Quaternion::FromTwoVectors(Vector3::UnitZ(), (to - from) / shape.length)};
}

void read_mesh(const Element& geom, const MjcfSettings& settings, const ReadOptions& options, const std::string& body,
               MjcfGeom& result, std::vector<std::string>& left_out) {
  const std::string& name = required(geom, "mesh");
  const MjcfSettings::Mesh* mesh = settings.mesh(name);
  Hull hull;
  if (mesh == nullptr)
    hull.note = fmt::format("mesh {} is no file", name);
  else
    hull = read_hull(mesh->at, mesh->file, mesh->scale, options);
  if (!hull.note.empty() && result.collides) left_out.push_back(fmt::format("body {}: {}", body, hull.note));
  if (hull.corners.empty()) {
    result.shape.reset();
    return;
  }
  result.shape->kind = LinkShape::Kind::hull;
  result.shape->corners = std::move(hull.corners);
}

}  // namespace

MjcfGeom read_geom(const Element& whole, const MjcfSettings& settings, const ReadOptions& options,
                   const std::string& body, std::vector<std::string>& left_out) {
  MjcfGeom result;
  LinkShape& shape = result.shape.emplace();
  result.collides = number_of(whole, "contype", 1) != 0 || number_of(whole, "conaffinity", 1) != 0;
  if (const std::string* name = whole.find("name")) shape.name = *name;
  shape.pose = settings.pose_of(whole);
  if (whole.find("friction") != nullptr) shape.mu = numbers_of(whole, "friction", 1, 3)[0];
  if (shape.mu && !(*shape.mu >= 0)) fail(whole, fmt::format("friction = {} is negative", *shape.mu));
  const std::string* type = whole.find("type");
  const std::string kind = type != nullptr ? *type : whole.find("mesh") != nullptr ? "mesh" : "sphere";
  if (kind == "plane") {
    shape.kind = LinkShape::Kind::plane;
  } else if (kind == "sphere") {
    shape.kind = LinkShape::Kind::sphere;
    shape.radius = sizes_of(whole, 1)[0];
  } else if (kind == "box" || kind == "ellipsoid") {
    shape.kind = kind == "box" ? LinkShape::Kind::box : LinkShape::Kind::ellipsoid;
    const std::vector<double> half = sizes_of(whole, 3);
    shape.size = (kind == "box" ? 2 : 1) * Vector3(half[0], half[1], half[2]);
  } else if (kind == "capsule" || kind == "cylinder") {
    shape.kind = kind == "capsule" ? LinkShape::Kind::capsule : LinkShape::Kind::cylinder;
    read_long(whole, shape);
  } else if (kind == "mesh") {
    read_mesh(whole, settings, options, body, result, left_out);
  } else {
    left_out.push_back(fmt::format("body {}: a geom of type {}", body, kind));
    result.shape.reset();
  }
  return result;
}

void SummedMass::add(const Element& whole, const MjcfGeom& geom) {
  if (!geom.shape || geom.shape->kind == LinkShape::Kind::plane) return;
  const geometry::MassProperties solid = solid_of(*geom.shape);
  const double density = number_of(whole, "density", kWater);
  const double mass = number_of(whole, "mass", density * solid.volume);
  if (mass < 0) fail(whole, fmt::format("<geom> has the mass {}; masses are not negative", mass));
  if (mass > 0) lumps_.push_back({mass, solid.centre, mass / solid.volume * solid.inertia});
}

void SummedMass::write(Link& link) const {
  link.mass = 0;
  link.centre.setZero();
  link.inertia.setZero();
  for (const Lump& lump : lumps_) {
    link.mass += lump.mass;
    link.centre += lump.mass * lump.centre;
  }
  if (!(link.mass > 0)) return;
  link.centre /= link.mass;
  for (const Lump& lump : lumps_) {
    const Vector3 d = lump.centre - link.centre;
    link.inertia += lump.inertia + lump.mass * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
  }
}

}  // namespace carom::robots
