#include "carom/scene/body_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/numerics/decompositions.h"
#include "carom/scene/motion_reader.h"
#include "carom/scene/shape_reader.h"

namespace carom::scene {
namespace {

using geometry::MassProperties;

constexpr double kAtCentre = 1e-12;  // of how far the body is from the origin

/// I + m (d.d 1 - d d'): about a point at distance d from the centre of mass.
Matrix3 moved(const Matrix3& inertia, double mass, const Vector3& d) {
  return inertia + mass * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
}

/// `inertia`: a number in the plane; three numbers or a symmetric matrix in space. Where numbers are 0, the body may
/// not be able to turn about that axis (see require_points), and `mass` stands there instead: nothing comes of it.
Matrix3 read_inertia(const Field& field, Dimension dimension, double mass, std::array<bool, 3>& none) {
  if (dimension == Dimension::line) fail(field, "is for the plane and for space; bodies on a line do not turn");
  if (dimension == Dimension::plane) {
    const double given = read_not_negative(field);
    none[2] = given == 0;
    return (none[2] ? mass : given) * Matrix3::Identity();
  }
  const Node::Array& entries = entries_of(field, "three numbers, or a matrix of three rows");
  const bool matrix = !entries.empty() && entries.front().array();
  if (!matrix) {
    Vector3 three = read_three(field);
    for (std::size_t i = 0; i < 3; ++i) {
      none[i] = read_not_negative(entry(field, i)) == 0;
      if (none[i]) three[static_cast<Index>(i)] = mass;
    }
    return three.asDiagonal();
  }
  const Matrix given = value_of<Matrix>(field);
  if (given.rows() != 3 || given.cols() != 3)
    fail(field, fmt::format("is {} x {}; an inertia is 3 x 3", given.rows(), given.cols()));
  Matrix3 inertia = given;
  if (!inertia.isApprox(inertia.transpose(), 1e-12)) fail(field, "is not symmetric; an inertia is");
  if (!numerics::Cholesky(inertia).is_positive_definite()) fail(field, "is not positive definite; an inertia is");
  return inertia;
}

struct ShapeAndDensity {
  ShapeOfBody shape;
  double density = 1;
};

/// The density of each shape: its own, the body's, its material's. With a mass they only weigh the shapes.
std::vector<ShapeAndDensity> with_densities(const Draft& draft, const Given& given, int material,
                                            std::vector<ShapeOfBody> shapes) {
  require_not_both(given, "mass", "density");
  const std::optional<Field> density = given.find("density"), mass = given.find("mass");
  std::optional<double> common;
  if (density)
    common = read_positive(*density);
  else if (material >= 0)
    common = draft.densities[material];
  if (mass && !common) common = 1;
  std::vector<ShapeAndDensity> result;
  for (ShapeOfBody& shape : shapes) {
    const std::optional<double> own = shape.density ? shape.density : common;
    if (!own) fail(given.place(), "has neither mass nor density; give one of them, or a material with a density");
    result.push_back({std::move(shape), *own});
  }
  return result;
}

/// Mass (as `volume`), centre and inertia of all shapes together.
MassProperties weighed(const std::vector<ShapeAndDensity>& shapes) {
  MassProperties total;
  for (const auto& [shape, density] : shapes) {
    const MassProperties one = solid_properties(shape);
    total.volume += density * one.volume;
    total.centre += density * one.volume * one.centre;
  }
  total.centre /= total.volume;
  for (const auto& [shape, density] : shapes) {
    const MassProperties one = solid_properties(shape);
    total.inertia += moved(density * one.inertia, density * one.volume, one.centre - total.centre);
  }
  return total;
}

/// Once per scene: plates that weigh by their density and have no thickness.
void hint_at_thickness(const Draft& draft, const std::string& body, const std::vector<ShapeOfBody>& shapes) {
  std::vector<std::string>& hints = draft.scene.hints;
  if (!hints.empty() ||
      std::none_of(shapes.begin(), shapes.end(), [](const ShapeOfBody& s) { return s.assumed_thickness; }))
    return;
  hints.push_back(fmt::format("{}: a plate without `thickness` weighs as if it were 1 m thick", body));
}

void weigh(MadeBody& made, const Draft& draft, const Given& given, const std::vector<ShapeOfBody>& shapes,
           double scale) {
  const std::optional<Field> mass = given.find("mass"), inertia = given.find("inertia");
  const Dimension dimension = draft.dimension();
  if (shapes.empty()) {
    if (!mass) fail(given.place(), "has neither shape nor mass; a body needs a shape or a mass");
    made.body.mass = read_positive(*mass);
    made.is_point = !inertia && dimension != Dimension::line;
    if (made.is_point) made.body.inertia = made.body.mass * Matrix3::Identity();  // nothing turns it
  } else {
    const MassProperties actual = weighed(with_densities(draft, given, made.body.material, scaled(shapes, scale)));
    if (!mass) hint_at_thickness(draft, made.body.name, shapes);
    const MassProperties unscaled = weighed(with_densities(draft, given, made.body.material, shapes));
    const double factor = mass ? read_positive(*mass) / unscaled.volume : 1;
    made.body.mass = factor * actual.volume;
    made.body.inertia = factor * actual.inertia;
    made.centre = actual.centre;
  }
  if (const std::optional<Field> centre = given.find("centre_of_mass")) {
    if (!inertia && dimension != Dimension::line)
      fail(*centre, "is given without inertia; where the mass is not that of the shapes, both are needed");
    made.centre = scale * read_vector(*centre, dimension);
  }
  if (inertia) made.body.inertia = read_inertia(*inertia, dimension, made.body.mass, made.no_inertia);
  const bool usable = made.body.mass > 0 && std::isfinite(made.body.mass) && made.body.inertia.allFinite() &&
                      made.centre.allFinite() && (dimension == Dimension::line || made.body.inertia(2, 2) > 0);
  if (!usable)
    fail(given.place(), fmt::format("has mass {} and inertia {}; both must be positive and finite", made.body.mass,
                                    made.body.inertia(2, 2)));
}

constexpr std::array<std::string_view, 13> kWallKeys = {
    "name",     "shape",        "shapes",           "material", "position",    "angle", "orientation",
    "velocity", "acceleration", "angular_velocity", "motion",   "flexibility", "grain"};

/// What it is like to touch.
void read_touch(const Draft& draft, const Given& given, Body& body) {
  if (const std::optional<Field> material = given.find("material"))
    body.material = read_material_name(draft, *material);
  if (const std::optional<Field> flexibility = given.find("flexibility"))
    body.flexibility = read_not_negative(*flexibility);
  if (const std::optional<Field> grain = given.find("grain")) {
    if (draft.dimension() != Dimension::space)
      fail(*grain, "is for space; in the plane there is one direction of slip");
    body.grain = read_three(*grain);
    if (body.grain.isZero(0)) fail(*grain, "is zero; it is a direction along the body's surface");
    body.grain.normalize();
  }
}

}  // namespace

std::vector<std::string_view> body_keys() {
  return {"shape",          "shapes",           "material", "mass",        "density",
          "centre_of_mass", "inertia",          "position", "angle",       "orientation",
          "velocity",       "angular_velocity", "fixed",    "flexibility", "grain"};
}

MadeBody make_body(const Draft& draft, const Given& given, std::string name, double scale) {
  MadeBody made;
  made.body.name = std::move(name);
  read_touch(draft, given, made.body);
  const std::optional<Field> fixed = given.find("fixed");
  const bool is_fixed = fixed && value_of<bool>(*fixed);
  const std::vector<ShapeOfBody> shapes =
      read_shapes(given, draft.dimension(), is_fixed ? Planes::allowed : Planes::refused);
  if (!is_fixed) weigh(made, draft, given, shapes, scale);
  for (ShapeOfBody& shape : scaled(shapes, scale)) {
    shape.part.pose.position -= made.centre;
    made.body.parts.push_back(std::move(shape.part));
  }
  if (is_fixed) made.body.prescribed.emplace();
  return made;
}

Start read_start(const Draft& draft, const Given& given, const Pose& pose) {
  const Dimension dimension = draft.dimension();
  return {pose, read_vector(given, "velocity", dimension), read_angular_velocity(given, dimension)};
}

namespace {

Prescribed fixed_at(const Pose& pose) {
  Prescribed prescribed;
  for (std::size_t i = 0; i < 3; ++i) prescribed.position[i] = pose.position[static_cast<Index>(i)];
  prescribed.start = pose.orientation;
  return prescribed;
}

}  // namespace

void stand(MadeBody& made, const Given& given, const Start& start) {
  if (!made.body.prescribed) return;
  for (const auto& [key, value] :
       {std::pair("velocity", &start.velocity), {"angular_velocity", &start.angular_velocity}})
    if (const std::optional<Field> field = given.find(key); field && !value->isZero(0))
      fail(*field, "moves a body that is fixed, and that stands; a [[wall]] moves as it is told");
  made.body.prescribed = fixed_at(start.pose);
}

void read_bodies(Draft& draft, const Field& root) {
  std::vector<std::string_view> keys = body_keys();
  keys.emplace_back("name");
  for (const Field& table : tables_of(root, "body")) {
    require_known_keys(table, keys);
    const Given given{{table}};
    MadeBody made = make_body(draft, given, read_name(draft, table));
    const Start start = read_start(draft, given, read_pose(given, draft.dimension()));
    stand(made, given, start);
    add_body(draft, table, std::move(made), start);
  }
}

namespace {

/// Whether joints to what stands still keep a body from turning about those of its axes without inertia.
bool is_kept_from_turning(const Draft& draft, int body, const std::array<bool, 3>& none) {
  const Description& all = draft.scene.description;
  const auto stands = [&](int other) { return other < 0 || all.bodies[other].prescribed; };
  const auto keeps = [&](const Joint& joint) {
    if (joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::fixed) return true;
    if (joint.kind != Joint::Kind::revolute || draft.dimension() != Dimension::space) return false;
    const Vector3 axis = draft.pose(body).orientation.conjugate() * (draft.pose(joint.a.body).orientation * joint.axis);
    for (std::size_t i = 0; i < 3; ++i)
      if (none[i] && std::abs(axis[static_cast<Index>(i)]) > kAtCentre) return false;
    return true;
  };
  return std::any_of(all.joints.begin(), all.joints.end(), [&](const Joint& joint) {
    return ((joint.a.body == body && stands(joint.b.body)) || (joint.b.body == body && stands(joint.a.body))) &&
           keeps(joint);
  });
}

}  // namespace

void require_points(const Draft& draft) {
  const Description& all = draft.scene.description;
  for (std::size_t i = 0; i < draft.no_inertia.size(); ++i) {
    const std::array<bool, 3>& none = draft.no_inertia[i];
    if ((none[0] || none[1] || none[2]) && !is_kept_from_turning(draft, static_cast<int>(i), none))
      throw InputError(fmt::format("bodies[{}].inertia", i),
                       "is 0 about an axis that the body can turn about; give it a positive one, or a joint to what "
                       "stands that keeps it from turning");
  }
  const auto refuse = [&](int body, const std::string& what, const std::string& path) {
    throw InputError(path, fmt::format("{} would turn {}, which is a point mass; give that an inertia, or a shape",
                                       what, all.bodies[body].name));
  };
  const auto is_point = [&](int body) { return body >= 0 && draft.points[body]; };
  const auto at_centre = [&](const Anchor& anchor) {
    return anchor.point.norm() <= kAtCentre * draft.pose(anchor.body).position.norm();
  };
  const auto stands = [&](int body) { return body < 0 || all.bodies[body].prescribed; };
  const auto require_centre = [&](const Anchor& anchor, const std::string& what, const std::string& path) {
    if (is_point(anchor.body) && !at_centre(anchor)) refuse(anchor.body, what, path);
  };
  for (std::size_t i = 0; i < all.joints.size(); ++i) {
    const Joint& joint = all.joints[i];
    const std::string path = fmt::format("joints[{}]", i);
    const bool keeps_turn = joint.kind == Joint::Kind::prismatic || joint.kind == Joint::Kind::fixed;
    for (const auto& [own, other] : {std::pair(&joint.a, &joint.b), std::pair(&joint.b, &joint.a)}) {
      if (!is_point(own->body) || (keeps_turn && stands(other->body))) continue;
      if (keeps_turn) refuse(own->body, "a joint that keeps its orientation", path);
      require_centre(*own, "a joint away from its centre", path);
    }
  }
  for (std::size_t i = 0; i < all.springs.size(); ++i)
    for (const Anchor& anchor : {all.springs[i].a, all.springs[i].b})
      require_centre(anchor, "a spring away from its centre", fmt::format("springs[{}]", i));
  for (std::size_t i = 0; i < all.torsion_springs.size(); ++i)
    for (const int body : {all.torsion_springs[i].a, all.torsion_springs[i].b})
      if (is_point(body)) refuse(body, "a torsion spring", fmt::format("torsion_springs[{}]", i));
  for (std::size_t i = 0; i < all.loads.size(); ++i) {
    const Load& load = all.loads[i];
    const std::string path = fmt::format("loads[{}]", i);
    require_centre(load.at, "a force away from its centre", path);
    const bool turns = std::any_of(load.torque.begin(), load.torque.end(),
                                   [](const TimeFunction& one) { return !one.is_constant() || one.at(0).value != 0; });
    if (is_point(load.at.body) && turns) refuse(load.at.body, "a torque", path);
  }
}

void read_walls(Draft& draft, const Field& root) {
  for (const Field& table : tables_of(root, "wall")) {
    require_known_keys(table, kWallKeys);
    const Given given{{table}};
    MadeBody made;
    made.body.name = read_name(draft, table);
    read_touch(draft, given, made.body);
    for (ShapeOfBody& shape : read_shapes(given, draft.dimension(), Planes::allowed))
      made.body.parts.push_back(std::move(shape.part));
    if (made.body.parts.empty()) fail(table, "has no shape; a wall needs one, such as shape = \"plane\"");
    made.body.prescribed = read_motion(draft, given);
    const Start start = start_of(*made.body.prescribed);
    add_body(draft, table, std::move(made), start);
  }
}

}  // namespace carom::scene
