#include "scene/shape_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "geometry/obj.h"
#include "scene/beside.h"
#include "scene/error.h"
#include "scene/words.h"

namespace carom::scene {
namespace {

using namespace geometry;

constexpr std::size_t kMostShapes = 100'000;  // of one body
constexpr double kThickness = 1;              // [m] of a plate that does not say it

double positive(const Field& shape, std::string_view key, std::string_view what) {
  return read_positive(required_member(shape, key, what));
}

/// `count` positive numbers.
Vector3 sizes(const Field& shape, std::string_view key, std::size_t count, std::string_view what) {
  const Field list = required_member(shape, key, what);
  const std::vector<double> numbers = read_numbers(list, count);
  Vector3 result = Vector3::Ones();
  for (std::size_t i = 0; i < count; ++i) {
    read_positive(entry(list, i));
    result[static_cast<Index>(i)] = numbers[i];
  }
  return result;
}

Shape read_sphere(const Field& shape, Dimension) {
  return Sphere{positive(shape, "radius", "its radius [m]")};
}
Shape read_box(const Field& shape, Dimension) {
  return Box{sizes(shape, "size", 3, "its edges [width, height, depth] [m]") / 2};
}
Shape read_rectangle(const Field& shape, Dimension) {
  Vector3 half = sizes(shape, "size", 2, "its edges [width, height] [m]") / 2;
  half.z() = kThickness / 2;
  return Box{half};
}
Shape read_capsule(const Field& shape, Dimension) {
  return Capsule{positive(shape, "radius", "its radius [m]"),
                 positive(shape, "length", "the length of its straight part [m]") / 2};
}
Shape read_cylinder(const Field& shape, Dimension) {
  return Cylinder{positive(shape, "radius", "its radius [m]"), positive(shape, "length", "its length [m]") / 2};
}
Shape read_ellipsoid(const Field& shape, Dimension) {
  return Ellipsoid{sizes(shape, "axes", 3, "its three semi-axes [m]")};
}
Shape read_ellipse(const Field& shape, Dimension) {
  return Ellipsoid{sizes(shape, "axes", 2, "its two semi-axes [m]")};
}
Shape read_superellipsoid(const Field& shape, Dimension) {
  Superellipsoid result{sizes(shape, "axes", 3, "its three semi-axes [m]")};
  if (const std::optional<Field> exponents = member(shape, "exponents")) {
    const std::vector<double> given = read_numbers(*exponents, 2);
    for (std::size_t i = 0; i < 2; ++i)
      if (given[i] < 2) fail(entry(*exponents, i), fmt::format("= {} is too small; exponents are >= 2", given[i]));
    result.p = given[0];
    result.q = given[1];
  }
  return result;
}
Shape read_plane(const Field& shape, Dimension dimension) {
  const std::optional<Field> normal = member(shape, "normal");
  return HalfSpace{normal ? read_direction(*normal, dimension) : upwards(dimension)};
}

std::vector<Vector3> read_corners(const Field& list, Dimension dimension) {
  const std::size_t count = entries_of(list, "a list of points").size();
  std::vector<Vector3> corners;
  for (std::size_t i = 0; i < count; ++i) corners.push_back(read_vector(entry(list, i), dimension));
  return corners;
}

Shape read_polygon(const Field& shape, Dimension dimension) {
  const Field list = required_member(shape, "corners", "a list of points [x, y] [m]");
  std::vector<Eigen::Vector2d> corners;
  for (const Vector3& corner : read_corners(list, dimension)) corners.emplace_back(corner.head<2>());
  if (corners.size() < 3) fail(list, fmt::format("has {} corners; a polygon has at least 3", corners.size()));
  try {
    Polygon polygon = convex_polygon(corners);
    if (polygon.corners.size() < corners.size())
      fail(list, fmt::format("has {} corners, of which only {} are corners of a convex polygon; give a body several "
                             "convex shapes instead",
                             corners.size(), polygon.corners.size()));
    return polygon;
  } catch (const ReadError&) {
    throw;
  } catch (const InputError& error) {
    fail(list, "make no shape: " + error.rule);
  }
}

Polytope read_mesh(const Field& field) {
  const FileBeside file = read_beside(field);
  try {
    return read_obj(file.text);
  } catch (const InputError& error) {
    constexpr std::string_view line = "line ";
    const bool has_line = error.place.starts_with(line);
    const std::string number = has_line ? error.place.substr(line.size()) : "1";
    throw ReadError(fmt::format("{}:{}:1", printable(file.path), number), printable(error.rule));
  }
}

Shape read_polytope(const Field& shape, Dimension dimension) {
  require_not_both({{shape}}, "corners", "file");
  if (const std::optional<Field> file = member(shape, "file")) return read_mesh(*file);
  const Field list = required_member(shape, "corners", "a list of points [x, y, z] [m], or \"file\"");
  const std::vector<Vector3> corners = read_corners(list, dimension);
  if (corners.size() < 4) fail(list, fmt::format("has {} corners; a polytope has at least 4", corners.size()));
  try {
    return convex_polytope(corners);
  } catch (const InputError& error) {
    fail(list, "make no shape: " + error.rule);
  }
}

/// What a type of shape is called, where it may be, its keys beside those that every shape has, and its reader.
struct ShapeType {
  std::string_view name;
  bool line, plane, space, plate;
  std::vector<std::string_view> keys;
  Shape (*read)(const Field& shape, Dimension dimension);
};

const std::vector<ShapeType>& types() {
  constexpr bool yes = true, no = false;
  static const std::vector<ShapeType> all = {
      {"sphere", yes, yes, yes, no, {"radius"}, read_sphere},
      {"box", yes, yes, yes, no, {"size"}, read_box},
      {"capsule", no, yes, yes, no, {"radius", "length"}, read_capsule},
      {"cylinder", no, yes, yes, no, {"radius", "length"}, read_cylinder},
      {"ellipsoid", no, yes, yes, no, {"axes"}, read_ellipsoid},
      {"superellipsoid", no, yes, yes, no, {"axes", "exponents"}, read_superellipsoid},
      {"plane", yes, yes, yes, no, {"normal"}, read_plane},
      {"polytope", no, no, yes, no, {"corners", "file"}, read_polytope},
      {"disc", no, yes, no, yes, {"radius"}, read_sphere},
      {"rectangle", no, yes, no, yes, {"size"}, read_rectangle},
      {"ellipse", no, yes, no, yes, {"axes"}, read_ellipse},
      {"polygon", no, yes, no, yes, {"corners"}, read_polygon},
  };
  return all;
}

bool is_for(const ShapeType& type, Dimension dimension) {
  return dimension == Dimension::line ? type.line : dimension == Dimension::plane ? type.plane : type.space;
}

const ShapeType& read_type(const Field& field, Dimension dimension) {
  const std::string given = value_of<std::string>(field);
  std::vector<std::string_view> names;
  for (const ShapeType& type : types())
    if (is_for(type, dimension)) names.push_back(type.name);
  const auto found =
      std::find_if(types().begin(), types().end(), [&](const ShapeType& type) { return type.name == given; });
  if (found == types().end())
    fail(field, fmt::format("= {} is no shape; {}", in_quotes(given), suggestion(given, names, "shapes are")));
  if (!is_for(*found, dimension))
    fail(field, fmt::format("= {} is no shape for dimension = {}; there they are {}", in_quotes(given),
                            static_cast<int>(dimension), listed(names)));
  return *found;
}

/// {type = "sphere", ...}, or the type alone where it needs nothing else.
ShapeOfBody read_shape(const Field& field, Dimension dimension, Planes planes) {
  const bool alone = field.node->text() != nullptr;
  if (!alone && !field.node->object()) fail_expected(field, "a table such as {type = \"sphere\", radius = 0.1}");
  const Field type_field = alone ? field : required_member(field, "type", "what shape it is, such as \"sphere\"");
  const ShapeType& type = read_type(type_field, dimension);
  ShapeOfBody shape;
  if (!alone) {
    std::vector<std::string_view> keys = {"type", "position", "angle", "orientation", "density"};
    keys.insert(keys.end(), type.keys.begin(), type.keys.end());
    if (type.plate) keys.emplace_back("thickness");
    require_known_keys(field, keys);
    shape.part.pose = read_pose({{field}}, dimension);
    if (const std::optional<Field> density = member(field, "density")) shape.density = read_positive(*density);
  }
  shape.part.shape = type.read(field, dimension);
  if (std::holds_alternative<HalfSpace>(shape.part.shape) && planes == Planes::refused)
    fail(type_field, "= \"plane\" has no volume; only walls are planes");
  if (type.plate) {
    const std::optional<Field> thickness = member(field, "thickness");
    shape.thickness = thickness ? read_positive(*thickness) : kThickness;
  }
  return shape;
}

Shape scaled(const Shape& shape, double factor) {
  return std::visit(
      [&](auto copy) -> Shape {
        using T = decltype(copy);
        if constexpr (std::is_same_v<T, Sphere>) copy.radius *= factor;
        if constexpr (std::is_same_v<T, Box>) copy.half *= factor;
        if constexpr (std::is_same_v<T, Ellipsoid> || std::is_same_v<T, Superellipsoid>) copy.axes *= factor;
        if constexpr (std::is_same_v<T, Capsule> || std::is_same_v<T, Cylinder>) {
          copy.radius *= factor;
          copy.half_length *= factor;
        }
        if constexpr (std::is_same_v<T, Polygon> || std::is_same_v<T, Polytope>)
          for (auto& corner : copy.corners) corner *= factor;
        return copy;
      },
      shape);
}

}  // namespace

std::vector<ShapeOfBody> read_shapes(const Given& given, Dimension dimension, Planes planes) {
  require_not_both(given, "shape", "shapes");
  std::vector<ShapeOfBody> shapes;
  if (const std::optional<Field> one = given.find("shape")) shapes.push_back(read_shape(*one, dimension, planes));
  if (const std::optional<Field> several = given.find("shapes")) {
    const std::size_t count = entries_of(*several, "a list of shapes").size();
    if (count == 0 || count > kMostShapes)
      fail(*several, fmt::format("has {} shapes; a body has from 1 to {}", count, kMostShapes));
    for (std::size_t i = 0; i < count; ++i) shapes.push_back(read_shape(entry(*several, i), dimension, planes));
  }
  return shapes;
}

std::vector<ShapeOfBody> scaled(std::vector<ShapeOfBody> shapes, double factor) {
  for (ShapeOfBody& shape : shapes) {
    shape.part.shape = scaled(shape.part.shape, factor);
    shape.part.pose.position *= factor;
  }
  return shapes;
}

MassProperties solid_properties(const ShapeOfBody& shape) {
  MassProperties local = mass_properties(shape.part.shape, shape.thickness ? Dimension::plane : Dimension::space);
  const double thickness = shape.thickness.value_or(1);
  const Matrix3 R = shape.part.pose.orientation.toRotationMatrix();
  return {local.volume * thickness, shape.part.pose.to_world(local.centre),
          thickness * (R * local.inertia * R.transpose())};
}

}  // namespace carom::scene
