#include "carom/robots/scene_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace carom::robots {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kWidest = 350;     // [degrees] between the limits of a joint in space
constexpr double kNothing = 1e-13;  // beside 1: rounding of sines and products
constexpr std::string_view kGround = "ground";

std::string number(double value) {
  return fmt::format("{:.12g}", value);
}

/// What is rounding beside `scale` is 0.
std::string number(double value, double scale) {
  return number(std::abs(value) <= kNothing * scale ? 0.0 : value);
}

std::string list(const Vector3& v) {
  const double scale = v.cwiseAbs().maxCoeff();
  return fmt::format("[{}, {}, {}]", number(v.x(), scale), number(v.y(), scale), number(v.z(), scale));
}

std::string in_toml_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result + "\"";
}

/// One line, whatever the names of the file hold.
std::string comment(std::string_view text) {
  std::string line = "# ";
  for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return line + "\n";
}

bool is_turned(const Quaternion& q) {
  return q.vec().norm() > kNothing * std::abs(q.w());
}

std::string orientation(const Quaternion& given) {
  const Quaternion q = given.w() < 0 ? Quaternion(-given.coeffs()) : given;
  return fmt::format("[{}, {}, {}, {}]", number(q.w(), 1), number(q.x(), 1), number(q.y(), 1), number(q.z(), 1));
}

/// Scenes have cylinders and capsules along x.
Pose of_scene(const LinkShape& shape) {
  const bool is_long = shape.kind == LinkShape::Kind::cylinder || shape.kind == LinkShape::Kind::capsule;
  const Quaternion turn =
      is_long ? Quaternion::FromTwoVectors(Vector3::UnitX(), Vector3::UnitZ()) : Quaternion::Identity();
  return {shape.pose.position, shape.pose.orientation * turn};
}

std::string shape_text(const LinkShape& shape) {
  using Kind = LinkShape::Kind;
  std::string text = "{type = ";
  switch (shape.kind) {
    case Kind::box:
      text += fmt::format("\"box\", size = {}", list(shape.size));
      break;
    case Kind::sphere:
      text += fmt::format("\"sphere\", radius = {}", number(shape.radius));
      break;
    case Kind::cylinder:
    case Kind::capsule:
      text += fmt::format("\"{}\", radius = {}, length = {}", shape.kind == Kind::cylinder ? "cylinder" : "capsule",
                          number(shape.radius), number(shape.length));
      break;
    case Kind::ellipsoid:
      text += fmt::format("\"ellipsoid\", axes = {}", list(shape.size));
      break;
    case Kind::hull: {
      text += "\"polytope\", corners = [";
      for (std::size_t i = 0; i < shape.corners.size(); ++i) {
        if (i > 0) text += ", ";
        text += list(shape.corners[i]);
      }
      text += "]";
      break;
    }
    case Kind::plane:
      text += "\"plane\", normal = [0, 0, 1]";
      break;
  }
  const Pose pose = of_scene(shape);
  if (pose.position.norm() > 0) text += ", position = " + list(pose.position);
  if (is_turned(pose.orientation)) text += ", orientation = " + orientation(pose.orientation);
  if (!shape.name.empty()) text += ", name = " + in_toml_quotes(shape.name);
  return text + "}";
}

/// Friction of a link: the largest of its shapes; MuJoCo takes the larger one of a pair.
double friction_of(const Link& link, double otherwise) {
  std::optional<double> mu;
  for (const LinkShape& shape : link.shapes)
    if (shape.mu) mu = std::max(mu.value_or(0), *shape.mu);
  return mu.value_or(otherwise);
}

class SceneWriter {
 public:
  SceneWriter(const Robot& robot, const std::vector<Pose>& poses, const SceneOptions& options)
      : robot_(robot), poses_(poses), options_(options) {
    name_links();
  }

  std::string text(std::vector<std::string>& left_out) {
    const std::string parts = materials() + bodies() + ground() + joints(left_out) + pairs();
    std::string text = comment(fmt::format("Made from {} by carom import.", options_.source));
    if (!left_out.empty()) text += "#\n# Not carried over, or changed:\n";
    for (const std::string& one : left_out) text += comment("- " + one);
    text += "\n";
    if (!robot_.name.empty()) text += "title = " + in_toml_quotes(robot_.name) + "\n";
    text += "dimension = 3\n";
    text += fmt::format("gravity = {}\n", list(robot_.gravity));
    text += fmt::format("duration = {}\nlaw = \"newton\"\n", number(options_.duration));
    return text + parts;
  }

 private:
  void name_links() {
    std::set<std::string> used = {"world"};
    if (options_.ground) used.insert(std::string(kGround));
    for (const Link& link : robot_.links) {
      std::string name = link.name;
      for (int i = 2; name.empty() || used.contains(name); ++i)
        name = fmt::format("{} {}", link.name.empty() ? "body" : link.name, i);
      used.insert(name);
      names_.push_back(name);
    }
  }

  std::string material_of(double mu) const {
    const auto place = materials_.find(mu);
    return fmt::format("surface_{}", std::distance(materials_.begin(), place) + 1);
  }

  std::string materials() {
    for (const Link& link : robot_.links)
      if (!link.shapes.empty()) materials_.insert(friction_of(link, options_.mu));
    std::string text;
    for (const double mu : materials_)
      text += fmt::format("\n[materials.{}]\ne = {}\nmu = {}\n", material_of(mu), number(options_.e), number(mu));
    return text;
  }

  std::string bodies() const {
    std::string text;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const Link& link = robot_.links[i];
      if (link.fixed && link.shapes.empty()) continue;  // the world
      text += "\n[[body]]\nname = " + in_toml_quotes(names_[i]) + "\n";
      if (link.fixed) {
        text += "fixed = true\n";
      } else {
        text += fmt::format("mass = {}\n", number(link.mass));
        if (link.centre.norm() > 0 || !link.shapes.empty()) text += "centre_of_mass = " + list(link.centre) + "\n";
        text += "inertia = " + inertia(link.inertia) + "\n";
      }
      if (poses_[i].position.norm() > 0) text += "position = " + list(poses_[i].position) + "\n";
      if (is_turned(poses_[i].orientation)) text += "orientation = " + orientation(poses_[i].orientation) + "\n";
      if (link.shapes.empty()) continue;
      text += "material = " + in_toml_quotes(material_of(friction_of(link, options_.mu))) + "\n";
      if (link.shapes.size() == 1) {
        text += "shape = " + shape_text(link.shapes[0]) + "\n";
        continue;
      }
      text += "shapes = [\n";
      for (const LinkShape& shape : link.shapes) text += "  " + shape_text(shape) + ",\n";
      text += "]\n";
    }
    return text;
  }

  /// Small moments keep their digits.
  static std::string inertia(const Matrix3& I) {
    const auto entry = [&](Index i, Index j) {
      const double value = 0.5 * (I(i, j) + I(j, i));
      return fmt::format("{:.12g}", std::abs(value) <= kNothing * I.cwiseAbs().maxCoeff() ? 0.0 : value);
    };
    const bool diagonal = entry(0, 1) == "0" && entry(0, 2) == "0" && entry(1, 2) == "0";
    if (diagonal) return fmt::format("[{}, {}, {}]", entry(0, 0), entry(1, 1), entry(2, 2));
    std::string text = "[";
    for (Index i = 0; i < 3; ++i)
      text += fmt::format("{}[{}, {}, {}]", i > 0 ? ", " : "", entry(i, 0), entry(i, 1), entry(i, 2));
    return text + "]";
  }

  std::string ground() const {
    return options_.ground ? fmt::format("\n[[wall]]\nname = \"{}\"\nshape = \"plane\"\n", kGround) : "";
  }

  bool is_world(int link) const { return link < 0 || (robot_.links[link].fixed && robot_.links[link].shapes.empty()); }

  std::string joints(std::vector<std::string>& left_out) const {
    using Kind = LinkJoint::Kind;
    std::string text;
    for (const LinkJoint& joint : robot_.joints) {
      if (joint.kind == Kind::fixed || joint.kind == Kind::floating) continue;
      const Pose& pose = poses_[joint.child];
      const bool turns = joint.kind == Kind::revolute, ball = joint.kind == Kind::spherical;
      text += "\n[[joint]]\nname = " + in_toml_quotes(joint.name) + "\n";
      text += fmt::format("type = \"{}\"\n", turns ? "revolute" : ball ? "spherical" : "prismatic");
      text += is_world(joint.parent) ? "body = " + in_toml_quotes(names_[joint.child]) + "\n"
                                     : fmt::format("bodies = [{}, {}]\n", in_toml_quotes(names_[joint.parent]),
                                                   in_toml_quotes(names_[joint.child]));
      text += "at = " + list(pose.to_world(joint.anchor)) + "\n";
      if (ball) continue;
      text += "axis = " + list(pose.orientation * joint.axis) + "\n";
      text += drive(joint, left_out);
    }
    return text;
  }

  std::string drive(const LinkJoint& joint, std::vector<std::string>& left_out) const {
    const bool turns = joint.kind == LinkJoint::Kind::revolute;
    const double unit = turns ? kDegrees : 1;
    std::string text;
    if (joint.start != 0) text += fmt::format("start = {}\n", number(unit * joint.start));
    if (joint.limits) {
      const double low = unit * joint.limits->first, high = unit * joint.limits->second;
      if (!(low < high)) {
        left_out.push_back(fmt::format("joint {}: its limits are both {:.6g}; none are taken", joint.name, low));
      } else if (turns && high - low > kWidest) {
        left_out.push_back(fmt::format("joint {}: limits more than {} degrees apart", joint.name, kWidest));
      } else {
        text += fmt::format("limits = [{}, {}]\n", number(low), number(high));
        if (options_.e > 0) text += fmt::format("e = {}\n", number(options_.e));
      }
    }
    if (joint.damping > 0) text += fmt::format("damping = {}\n", number(joint.damping));
    if (joint.stiffness) {
      text += fmt::format("motor = {{position = {}, kp = {}}}\n", number(unit * joint.spring_rest),
                          number(*joint.stiffness));
      left_out.push_back(fmt::format("joint {}: its spring is a motor that keeps a position", joint.name));
    }
    return text;
  }

  bool touches(int link) const { return link < 0 || !robot_.links[link].shapes.empty(); }
  std::string name_of(int link) const { return link < 0 ? std::string(kGround) : names_[link]; }

  std::string pairs() const {
    std::set<std::pair<std::string, std::string>> all;
    for (const auto* pairs : {&robot_.no_contact, &options_.apart})
      for (const auto& [a, b] : *pairs) {
        if (!touches(a) || !touches(b)) continue;
        all.emplace(name_of(std::min(a, b)), name_of(std::max(a, b)));
      }
    std::string text;
    for (const auto& [a, b] : all)
      text += fmt::format("\n[[pair]]\nbodies = [{}, {}]\ntouches = false\n", in_toml_quotes(a), in_toml_quotes(b));
    return text;
  }

  const Robot& robot_;
  const std::vector<Pose>& poses_;
  const SceneOptions& options_;
  std::vector<std::string> names_;  // (links)
  std::set<double> materials_;      // by mu
};

}  // namespace

std::string scene_text(const Robot& robot, const std::vector<Pose>& poses, const SceneOptions& options,
                       std::vector<std::string>& left_out) {
  return SceneWriter(robot, poses, options).text(left_out);
}

}  // namespace carom::robots
