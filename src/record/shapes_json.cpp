#include "carom/record/shapes_json.h"

namespace carom::record {
namespace {

/// Reads a shape's fields where the reader would write them.
struct FieldWriter {
  Json& json;
  std::string_view key;

  void operator()(const geometry::Numbers& numbers) const {
    const auto given = [&](const double* place) { return *place / numbers.factor; };
    if (numbers.places.size() == 1) {
      json[key] = given(numbers.places[0]);
      return;
    }
    Json list = Json::array();
    for (const double* place : numbers.places) list.push_back(given(place));
    json[key] = std::move(list);
  }
  void operator()(const geometry::Direction& direction) const {
    json[key] = Json{direction.place->x(), direction.place->y(), direction.place->z()};
  }
  void operator()(const geometry::Corners&) const {}   // written by what they became, below
  void operator()(const geometry::MeshFile&) const {}  // the same
};

/// Of shapes that have them.
template <class S>
Json corners_json(const S& shape) {
  Json list = Json::array();
  for (const auto& corner : shape.corners) list.push_back(Json(std::vector<double>(corner.begin(), corner.end())));
  return list;
}

}  // namespace

Json shapes_json(const Body& body, Dimension dimension) {
  Json shapes = Json::array();
  for (const geometry::Part& part : body.parts) {
    geometry::Shape shape = part.shape;
    Json one = std::visit(
        [&](auto& own) {
          const geometry::Form* form = &own.forms[0];
          for (const geometry::Form& other : own.forms)
            if (other.is_for(dimension) && !form->is_for(dimension)) form = &other;
          Json json = Json::object();
          json["kind"] = form->name;
          for (const geometry::ShapeField& field : own.fields(*form))
            std::visit(FieldWriter{json, field.key}, field.value);
          if constexpr (requires { own.corners; }) json["corners"] = corners_json(own);
          return json;
        },
        shape);
    if (!part.name.empty()) one["name"] = part.name;
    const Quaternion& turn = part.pose.orientation;
    one["at"] = Json{part.pose.position.x(), part.pose.position.y(), part.pose.position.z()};
    one["orientation"] = Json{turn.w(), turn.x(), turn.y(), turn.z()};
    shapes.push_back(std::move(one));
  }
  return shapes;
}

}  // namespace carom::record
