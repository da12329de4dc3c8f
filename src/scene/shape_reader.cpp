#include "carom/scene/shape_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/scene/beside.h"
#include "carom/scene/compound_shapes.h"
#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

using namespace geometry;

constexpr std::size_t kMostShapes = 100'000;  // of one body
constexpr double kThickness = 1;              // [m] of a plate that does not say it

/// What a scene calls a shape, and one of the kind to read it into.
struct ShapeType {
  Form form;
  Shape shape;
};

/// Solids first, then plates.
const std::vector<ShapeType>& types() {
  static const std::vector<ShapeType> all = [] {
    std::vector<ShapeType> result;
    for_each_shape([&](const auto& shape) {
      for (const Form& form : shape.forms) result.push_back({form, shape});
    });
    std::stable_partition(result.begin(), result.end(), [](const ShapeType& type) { return !type.form.plate; });
    return result;
  }();
  return all;
}

const ShapeType& read_type(const Field& field, Dimension dimension) {
  const std::string given = value_of<std::string>(field);
  std::vector<std::string_view> names;
  for (const ShapeType& type : types())
    if (type.form.is_for(dimension)) names.push_back(type.form.name);
  for (const CompoundType& type : compound_types())
    if (dimension != Dimension::line) names.push_back(type.name);
  const auto found =
      std::find_if(types().begin(), types().end(), [&](const ShapeType& type) { return type.form.name == given; });
  if (found == types().end())
    fail(field, fmt::format("= {} is no shape; {}", in_quotes(given), suggestion(given, names, "shapes are")));
  if (!found->form.is_for(dimension))
    fail(field, fmt::format("= {} is no shape for dimension = {}; there they are {}", in_quotes(given),
                            static_cast<int>(dimension), listed(names)));
  return *found;
}

/// Reads one field of a shape, by what it is.
struct FieldReader {
  const Field& shape;
  const ShapeField& field;
  Dimension dimension;
  std::size_t piece;    // of a file that has several
  std::size_t& pieces;  // how many it has

  Field required() const { return required_member(shape, field.key, field.meaning); }

  void operator()(const Numbers& numbers) const {
    if (numbers.otherwise && !member(shape, field.key)) {
      for (double* place : numbers.places) *place = *numbers.otherwise;
      return;
    }
    const Field given = required();
    const auto read_one = [&](const Field& number) {
      if (!numbers.least) return read_positive(number);
      const double value = value_of<double>(number);
      if (value < *numbers.least)
        fail(number, fmt::format("= {} is too small; {} are >= {}", value, field.key, *numbers.least));
      return value;
    };
    const std::size_t count = numbers.places.size();
    if (count > 1) read_numbers(given, count);
    for (std::size_t i = 0; i < count; ++i)
      *numbers.places[i] = numbers.factor * read_one(count > 1 ? entry(given, i) : given);
  }

  void operator()(const Direction& direction) const {
    const std::optional<Field> given = member(shape, field.key);
    *direction.place = given ? read_direction(*given, dimension) : upwards(dimension);
  }

  void operator()(const Corners& corners) const {
    const Field list = required();
    const std::size_t count = entries_of(list, "a list of points").size();
    std::vector<Vector3> points;
    for (std::size_t i = 0; i < count; ++i) points.push_back(read_vector(entry(list, i), dimension));
    try {
      corners.take(points);
    } catch (const InputError& error) {
      fail(list, error.rule);
    }
  }

  void operator()(const MeshFile& mesh) const {
    const FileBeside file = read_beside(required());
    try {
      pieces = mesh.take(file.text, piece);
    } catch (const InputError& error) {
      constexpr std::string_view line = "line ";
      const bool has_line = error.place.starts_with(line);
      const std::string number = has_line ? error.place.substr(line.size()) : "1";
      throw ReadError(fmt::format("{}:{}:1", printable(file.path), number), printable(error.rule));
    }
  }
};

/// The fields of a shape, without what another one that is given replaces.
std::vector<ShapeField> given_fields(const Field& table, std::vector<ShapeField> fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const MeshFile* mesh = std::get_if<MeshFile>(&fields[i].value);
    if (!mesh) continue;
    const std::string_view other = member(table, fields[i].key) ? mesh->instead_of : fields[i].key;
    require_not_both({{table}}, mesh->instead_of, fields[i].key);
    std::erase_if(fields, [&](const ShapeField& field) { return field.key == other; });
  }
  return fields;
}

constexpr std::array<std::string_view, 6> kKeysOfAll = {"type", "name", "position", "angle", "orientation", "density"};

/// What every shape may have: its place in the body, a name and a density.
void read_common(const Field& field, Dimension dimension, ShapeOfBody& shape) {
  shape.part.pose = read_pose({{field}}, dimension);
  if (const std::optional<Field> name = member(field, "name")) shape.part.name = line_of_text(*name);
  if (const std::optional<Field> density = member(field, "density")) shape.density = read_positive(*density);
}

/// Throws where a list is as long as another form of the same shape has it in the plane: a plate.
void require_no_plate(const Field& table, const ShapeType& type, const std::vector<ShapeField>& fields) {
  geometry::Shape shape = type.shape;
  for (const ShapeType& other : types()) {
    if (!other.form.plate || type.form.plate || other.shape.index() != type.shape.index()) continue;
    for (const ShapeField& plate : std::visit([&](auto& one) { return one.fields(other.form); }, shape)) {
      const auto* wanted = std::get_if<Numbers>(&plate.value);
      const std::optional<Field> given = member(table, plate.key);
      const auto own =
          std::find_if(fields.begin(), fields.end(), [&](const ShapeField& f) { return f.key == plate.key; });
      if (!wanted || !given || own == fields.end() || !given->node->array()) continue;
      const auto* numbers = std::get_if<Numbers>(&own->value);
      const std::size_t count = given->node->array()->size();
      if (numbers && count != numbers->places.size() && count == wanted->places.size())
        fail(*given,
             fmt::format("has {} numbers; a {} has {}, in the plane, too: {}. A plate in the plane is a {}", count,
                         in_quotes(type.form.name), numbers->places.size(), own->meaning, in_quotes(other.form.name)));
    }
  }
}

/// {type = "sphere", ...}, or the type alone where it needs nothing else. Of a file with several pieces one of them.
/// Returns how many there are.
std::size_t read_convex(const Field& field, const Field& type_field, Dimension dimension, Planes planes,
                        std::size_t piece, std::vector<ShapeOfBody>& shapes) {
  const ShapeType& type = read_type(type_field, dimension);
  ShapeOfBody shape;
  shape.part.shape = type.shape;
  const std::vector<ShapeField> fields = std::visit([&](auto& one) { return one.fields(type.form); }, shape.part.shape);
  if (field.node->object()) {
    std::vector<std::string_view> keys(kKeysOfAll.begin(), kKeysOfAll.end());
    for (const ShapeField& one : fields) keys.push_back(one.key);
    if (type.form.plate) keys.emplace_back("thickness");
    require_known_keys(field, keys);
    read_common(field, dimension, shape);
  }
  if (dimension == Dimension::plane) require_no_plate(field, type, fields);
  std::size_t pieces = 1;
  for (const ShapeField& one : given_fields(field, fields))
    std::visit(FieldReader{field, one, dimension, piece, pieces}, one.value);
  if (planes == Planes::refused && !std::isfinite(reach(shape.part.shape)))
    fail(type_field, "= \"plane\" has no volume; only walls are planes");
  if (type.form.plate) {
    const std::optional<Field> thickness = member(field, "thickness");
    shape.thickness = thickness ? read_positive(*thickness) : kThickness;
    shape.assumed_thickness = !thickness;
  }
  shapes.push_back(std::move(shape));
  return pieces;
}

/// A shape, appended: one convex one, or several that are written as one.
void read_shape(const Field& field, Dimension dimension, Planes planes, std::vector<ShapeOfBody>& shapes) {
  const bool alone = field.node->text() != nullptr;
  if (!alone && !field.node->object()) fail_expected(field, "a table such as {type = \"sphere\", radius = 0.1}");
  const Field type = alone ? field : required_member(field, "type", "what shape it is, such as \"sphere\"");
  if (const CompoundType* compound = compound_named(type, dimension)) {
    if (alone) fail(field, fmt::format("= {} needs more: {}", in_quotes(compound->name), compound->example));
    std::vector<std::string_view> keys(kKeysOfAll.begin(), kKeysOfAll.end());
    keys.insert(keys.end(), compound->keys.begin(), compound->keys.end());
    require_known_keys(field, keys);
    ShapeOfBody common;
    read_common(field, dimension, common);
    for (ShapeOfBody& one : compound->read(field, dimension)) {
      one.part.pose = common.part.pose * one.part.pose;
      one.part.name = common.part.name;
      one.density = common.density;
      if (one.weight) one.weight = seen_from_body(*one.weight, common.part.pose);
      shapes.push_back(std::move(one));
    }
    return;
  }
  const std::size_t pieces = read_convex(field, type, dimension, planes, 0, shapes);
  for (std::size_t piece = 1; piece < pieces; ++piece) read_convex(field, type, dimension, planes, piece, shapes);
}

}  // namespace

std::vector<ShapeOfBody> read_shapes(const Given& given, Dimension dimension, Planes planes) {
  require_not_both(given, "shape", "shapes");
  std::vector<ShapeOfBody> shapes;
  if (const std::optional<Field> one = given.find("shape")) read_shape(*one, dimension, planes, shapes);
  if (const std::optional<Field> several = given.find("shapes")) {
    const std::size_t count = entries_of(*several, "a list of shapes").size();
    if (count == 0 || count > kMostShapes)
      fail(*several, fmt::format("has {} shapes; a body has from 1 to {}", count, kMostShapes));
    for (std::size_t i = 0; i < count; ++i) read_shape(entry(*several, i), dimension, planes, shapes);
  }
  return shapes;
}

std::vector<ShapeOfBody> scaled(std::vector<ShapeOfBody> shapes, double factor) {
  for (ShapeOfBody& shape : shapes) {
    std::visit([&](auto& one) { one.scale(factor); }, shape.part.shape);
    shape.part.pose.position *= factor;
    if (!shape.weight) continue;
    shape.weight->volume *= std::pow(factor, 3);
    shape.weight->centre *= factor;
    shape.weight->inertia *= std::pow(factor, 5);
  }
  return shapes;
}

MassProperties solid_properties(const ShapeOfBody& shape) {
  if (shape.weight) return *shape.weight;
  MassProperties local = mass_properties(shape.part.shape, shape.thickness ? Dimension::plane : Dimension::space);
  const double thickness = shape.thickness.value_or(1);
  const Matrix3 R = shape.part.pose.orientation.toRotationMatrix();
  return {local.volume * thickness, shape.part.pose.to_world(local.centre),
          thickness * (R * local.inertia * R.transpose())};
}

std::string_view meaning_of_shape_key(std::string_view type, std::string_view key) {
  for (const ShapeType& one : types()) {
    if (one.form.name != type) continue;
    Shape shape = one.shape;
    for (const ShapeField& field : std::visit([&](auto& own) { return own.fields(one.form); }, shape))
      if (field.key == key) return field.meaning;
  }
  return {};
}

}  // namespace carom::scene
