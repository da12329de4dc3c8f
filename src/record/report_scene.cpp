#include "carom/record/report_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "carom/base/word.h"
#include "carom/geometry/surface_mesh.h"
#include "carom/record/packed.h"
#include "carom/record/report_loads.h"
#include "carom/record/shapes_json.h"

namespace carom::record {
namespace {

constexpr std::size_t kSome = 30, kCrowd = 300;                // shapes: up to so many, and from so many on
constexpr int kVeryRound = 128, kRound = 56, kLessRound = 14;  // points around round shapes
constexpr double kPatch = 3;                // of the size of the scene: how far walls without an end are drawn
constexpr std::size_t kMostLinks = 20'000;  // joints and springs that are drawn

bool is_moving(const Body& body) {
  if (body.is_free()) return true;
  const Prescribed& told = *body.prescribed;
  return !told.angle.is_constant() || std::any_of(told.position.begin(), told.position.end(),
                                                  [](const TimeFunction& one) { return !one.is_constant(); });
}

Json vector_json(const Vector3& v) {
  return Json::array({six_digits(v.x()), six_digits(v.y()), six_digits(v.z())});
}
Json pose_json(const Pose& pose) {
  const Quaternion& turn = pose.orientation;
  Json list = vector_json(pose.position);
  for (const double value : {turn.x(), turn.y(), turn.z(), turn.w()}) list.push_back(six_digits(value));
  return list;
}

/// What the bodies fill, walls without an end aside.
struct Filled {
  Vector3 centre = Vector3::Zero();
  double size = 1;  // [m] half of its diagonal
};
Filled filled_by(const Model& model, const State& state) {
  geometry::Bounds all;
  const auto take = [&](const Vector3& at, double reach) {
    all.low = all.low.cwiseMin((at.array() - reach).matrix());
    all.high = all.high.cwiseMax((at.array() + reach).matrix());
  };
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const Pose pose = model.pose(body, state);
    if (model.bodies()[body].is_free()) take(pose.position, 0);
    for (const geometry::Part& part : model.bodies()[body].parts) {
      const double reach = geometry::reach(part.shape);
      if (std::isfinite(reach)) take(pose.to_world(part.pose.position), reach);
    }
  }
  for (const Joint& joint : model.description().joints)
    for (const Anchor& anchor : {joint.a, joint.b}) take(model.pose(anchor.body, state).to_world(anchor.point), 0);
  if (!(all.low.array() <= all.high.array()).all()) return {};
  const double size = 0.5 * (all.high - all.low).norm();
  return {0.5 * (all.low + all.high), size > 0 ? size : 1};
}

Json mesh_json(const geometry::SurfaceMesh& mesh, std::string_view kind) {
  std::vector<float> points;
  for (const Vector3& point : mesh.points)
    for (const double value : point) points.push_back(static_cast<float>(value));
  return {{"kind", kind}, {"points", packed_floats(points)}, {"faces", mesh.faces}};
}

/// Each different shape once.
class ShapeList {
 public:
  ShapeList(const Model& model, const State& start, const Filled& filled)
      : model_(model), start_(start), filled_(filled) {
    std::size_t shapes = 0;
    for (const Body& body : model.bodies()) shapes += body.parts.size();
    const bool is_flat = model.dimension() != geometry::Dimension::space;  // in space points are many
    around_ = shapes <= kSome && is_flat ? kVeryRound : shapes < kCrowd ? kRound : kLessRound;
  }

  /// Its number and its size: that of a ball is its radius, that of anything else 1.
  std::pair<int, double> number_of(int body, const geometry::Part& part) {
    if (const std::optional<double> radius = geometry::ball_radius(part.shape))
      return {numbered("ball", [] { return Json{{"kind", "ball"}}; }), *radius};
    if (!std::isfinite(geometry::reach(part.shape))) {
      const Pose at = model_.pose(body, start_) * part.pose;
      list_.push_back(mesh_json(geometry::surface_mesh(part.shape, model_.dimension(), around_, kPatch * filled_.size,
                                                       at.to_local(filled_.centre)),
                                "wall"));
      return {count_++, 1.0};
    }
    Body alone;
    alone.parts = {{part.shape, Pose{}}};
    return {numbered(shapes_json(alone, model_.dimension()).dump(),
                     [&] {
                       return mesh_json(geometry::surface_mesh(part.shape, model_.dimension(), around_, 1), "surface");
                     }),
            1.0};
  }
  Json take() { return std::move(list_); }

 private:
  template <class Make>
  int numbered(const std::string& key, Make&& make) {
    const auto [place, is_new] = numbers_.try_emplace(key, count_);
    if (is_new) {
      list_.push_back(make());
      ++count_;
    }
    return place->second;
  }

  const Model& model_;
  const State& start_;
  const Filled& filled_;
  int around_ = kRound, count_ = 0;
  std::map<std::string, int> numbers_;
  Json list_ = Json::array();
};

Json anchor_json(const Anchor& anchor) {
  return Json::array({anchor.body, vector_json(anchor.point)});
}

Json limit_json(double value) {
  return std::isfinite(value) ? six_digits(value) : Json();
}

/// How far a joint may turn or slide. "hand" is where b points from a hinge, in the frame of a, when it is turned by
/// -origin.
Json stops_json(const Joint& joint, Dimension dimension) {
  const Stops& stops = *joint.stops;
  Json json = {{"low", limit_json(stops.low)}, {"high", limit_json(stops.high)}, {"origin", six_digits(joint.origin)}};
  if (joint.kind != Joint::Kind::revolute) return json;
  Vector3 arm = -joint.b.point;
  if (dimension == Dimension::space) arm = joint.relative * arm;
  arm -= arm.dot(joint.axis) * joint.axis;
  if (!(arm.norm() > 0)) arm = joint.axis.unitOrthogonal();
  json["hand"] = vector_json(arm.normalized());
  return json;
}

/// Where a torsional spring is seen: at a hinge between its bodies, else at one of them.
std::pair<Anchor, Anchor> place_of_torsion(const Description& description, const TorsionSpring& spring) {
  for (const Joint& joint : description.joints) {
    if (joint.a.body == spring.a && joint.b.body == spring.b) return {joint.a, joint.b};
    if (joint.a.body == spring.b && joint.b.body == spring.a) return {joint.b, joint.a};
  }
  const Anchor middle{spring.b >= 0 ? spring.b : spring.a, Vector3::Zero()};
  return {middle, middle};
}

Json link_json(std::string_view kind, const std::string& name, const Anchor& a, const Anchor& b) {
  return {{"kind", kind}, {"name", name}, {"a", anchor_json(a)}, {"b", anchor_json(b)}};
}

Json joint_json(const Joint& joint, Dimension dimension) {
  Json json = link_json(word(joint.kind), joint.name, joint.a, joint.b);
  if (!joint.stops && !joint.motor) return json;
  json["axis"] = vector_json(joint.axis);
  json["motor"] = joint.motor.has_value();
  json["stops"] = joint.stops ? stops_json(joint, dimension) : Json();
  return json;
}

Json links_json(const Description& description) {
  Json links = Json::array();
  std::size_t count = 0;
  const auto add = [&](Json link) {
    if (count++ < kMostLinks) links.push_back(std::move(link));
  };
  for (const Joint& joint : description.joints) add(joint_json(joint, description.dimension));
  for (const Spring& spring : description.springs) add(link_json("spring", spring.name, spring.a, spring.b));
  for (const TorsionSpring& spring : description.torsion_springs) {
    const auto [a, b] = place_of_torsion(description, spring);
    Json link = link_json("torsion", spring.name, a, b);
    link["axis"] = vector_json(spring.axis);
    add(std::move(link));
  }
  return links;
}

Json loads_json(const Model& model) {
  Json loads = Json::array();
  for (const Anchor& anchor : loads_to_see(model)) loads.push_back(anchor_json(anchor));
  return loads;
}

}  // namespace

std::vector<int> moving_bodies(const Model& model) {
  std::vector<int> moving;
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body)
    if (is_moving(model.bodies()[body])) moving.push_back(body);
  return moving;
}

Json scene_to_see(const Model& model, const State& start) {
  const Filled filled = filled_by(model, start);
  ShapeList shapes(model, start, filled);
  Json bodies = Json::array();
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    const Body& body = model.bodies()[i];
    Json parts = Json::array();
    for (const geometry::Part& part : body.parts) {
      const auto [number, size] = shapes.number_of(i, part);
      Json one = Json::array({number, six_digits(size)});
      if (!part.pose.position.isZero() || !part.pose.orientation.isApprox(Quaternion::Identity()))
        one.push_back(pose_json(part.pose));
      parts.push_back(std::move(one));
    }
    Json json = {{"name", body.name}, {"free", body.is_free()}, {"parts", std::move(parts)}};
    if (body.is_free()) json["mass"] = six_digits(body.mass);
    if (!is_moving(body)) json["pose"] = pose_json(model.pose(i, start));
    if (body.material >= 0) json["material"] = model.description().materials[body.material].name;
    bodies.push_back(std::move(json));
  }
  return {
      {"shapes", shapes.take()},    {"bodies", std::move(bodies)},          {"links", links_json(model.description())},
      {"loads", loads_json(model)}, {"centre", vector_json(filled.centre)}, {"size", six_digits(filled.size)}};
}

}  // namespace carom::record
