#include "carom/robots/urdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/robots/mesh.h"
#include "carom/robots/tree.h"

namespace carom::robots {
namespace {

Vector3 vector_of(const Element& element, std::string_view attribute, const Vector3& otherwise) {
  if (element.find(attribute) == nullptr) return otherwise;
  const std::vector<double> numbers = numbers_of(element, attribute, 3, 3);
  return {numbers[0], numbers[1], numbers[2]};
}

/// <origin xyz rpy>: turned about the fixed axes x, y, z in this order.
Pose origin_of(const Element& owner) {
  const Element* origin = owner.child("origin");
  if (origin == nullptr) return {};
  const Vector3 rpy = vector_of(*origin, "rpy", Vector3::Zero());
  const Quaternion turn = Eigen::AngleAxisd(rpy.z(), Vector3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vector3::UnitY()) *
                          Eigen::AngleAxisd(rpy.x(), Vector3::UnitX());
  return {vector_of(*origin, "xyz", Vector3::Zero()), turn};
}

double positive_of(const Element& element, std::string_view attribute) {
  const double value = numbers_of(element, attribute, 1, 1)[0];
  if (!(value > 0)) fail(element, fmt::format("<{}> {} = {} is not positive", element.name, attribute, value));
  return value;
}

void read_inertial(const Element& inertial, Link& link) {
  const Pose place = origin_of(inertial);
  link.mass = number_of(required_child(inertial, "mass"), "value", 0);
  if (link.mass < 0)
    fail(inertial, fmt::format("link {} has the mass {}; masses are not negative", link.name, link.mass));
  link.centre = place.position;
  const Element& moments = required_child(inertial, "inertia");
  const auto moment = [&](std::string_view key) { return number_of(moments, key, 0); };
  const double xx = moment("ixx"), xy = moment("ixy"), xz = moment("ixz"), yy = moment("iyy"), yz = moment("iyz"),
               zz = moment("izz");
  Matrix3 inertia;
  inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  const Matrix3 R = place.orientation.toRotationMatrix();
  link.inertia = R * inertia * R.transpose();
}

/// False, and a note, where the geometry cannot be carried over.
bool read_geometry(const Element& geometry, const ReadOptions& options, const std::string& link, LinkShape& shape,
                   std::vector<std::string>& left_out) {
  if (const Element* box = geometry.child("box")) {
    shape.kind = LinkShape::Kind::box;
    const std::vector<double> edges = numbers_of(*box, "size", 3, 3);
    shape.size = Vector3(edges[0], edges[1], edges[2]);
    if (!(shape.size.minCoeff() > 0)) fail(*box, "<box> size has an edge that is not positive");
  } else if (const Element* sphere = geometry.child("sphere")) {
    shape.kind = LinkShape::Kind::sphere;
    shape.radius = positive_of(*sphere, "radius");
  } else if (const Element* round =
                 geometry.child("cylinder") ? geometry.child("cylinder") : geometry.child("capsule")) {
    shape.kind = round->name == "cylinder" ? LinkShape::Kind::cylinder : LinkShape::Kind::capsule;
    shape.radius = positive_of(*round, "radius");
    shape.length = positive_of(*round, "length");
  } else if (const Element* mesh = geometry.child("mesh")) {
    shape.kind = LinkShape::Kind::hull;
    Hull hull = read_hull(*mesh, required(*mesh, "filename"), vector_of(*mesh, "scale", Vector3::Ones()), options);
    if (!hull.note.empty()) left_out.push_back(fmt::format("link {}: {}", link, hull.note));
    shape.corners = std::move(hull.corners);
    return !shape.corners.empty();
  } else {
    left_out.push_back(fmt::format("link {}: a collision shape of a kind that is not known", link));
    return false;
  }
  return true;
}

Link read_link(const Element& element, const ReadOptions& options, std::vector<std::string>& left_out) {
  Link link;
  link.name = required(element, "name");
  if (const Element* inertial = element.child("inertial")) read_inertial(*inertial, link);
  std::size_t visuals = 0;
  for (const Element& part : element.children) {
    visuals += part.name == "visual";
    if (part.name != "collision") continue;
    LinkShape shape;
    if (const std::string* name = part.find("name")) shape.name = *name;
    shape.pose = origin_of(part);
    if (read_geometry(required_child(part, "geometry"), options, link.name, shape, left_out))
      link.shapes.push_back(std::move(shape));
  }
  if (visuals > 0 && element.child("collision") == nullptr)
    left_out.push_back(fmt::format("link {} is only seen: it has no collision shape and touches nothing", link.name));
  return link;
}

void read_dynamics(const Element& element, LinkJoint& joint, std::vector<std::string>& left_out) {
  if (const Element* dynamics = element.child("dynamics")) {
    joint.damping = number_of(*dynamics, "damping", 0);
    if (joint.damping < 0) fail(*dynamics, fmt::format("damping = {} is negative", joint.damping));
    if (number_of(*dynamics, "friction", 0) != 0)
      left_out.push_back(fmt::format("joint {}: friction in the joint", joint.name));
  }
  for (const char* part : {"mimic", "safety_controller", "calibration"})
    if (element.child(part) != nullptr) left_out.push_back(fmt::format("joint {}: <{}>", joint.name, part));
}

/// `range`: a joint that has stops. What limits its speed or its motor is not carried over.
void read_limits(const Element& element, bool range, LinkJoint& joint, std::vector<std::string>& left_out) {
  const Element* limit = element.child("limit");
  if (limit == nullptr && range) fail(element, fmt::format("joint {} has no <limit>", joint.name));
  if (limit == nullptr) return;
  for (const char* of : {"velocity", "effort"})
    if (limit->find(of) != nullptr && number_of(*limit, of, 0) != 0)
      left_out.push_back(fmt::format("joint {}: the limit of its {}, {}", joint.name, of, number_of(*limit, of, 0)));
  if (!range) return;
  joint.limits = {number_of(*limit, "lower", 0), number_of(*limit, "upper", 0)};
  if (joint.limits->first > joint.limits->second)
    fail(*limit, fmt::format("joint {} has lower = {} above upper = {}", joint.name, joint.limits->first,
                             joint.limits->second));
}

using Names = std::map<std::string, int, std::less<>>;

int link_of(const Element& joint, std::string_view side, const Names& names) {
  const Element& end = required_child(joint, side);
  const std::string& name = required(end, "link");
  const auto found = names.find(name);
  if (found == names.end()) fail(end, fmt::format("\"{}\" is no link", name));
  return found->second;
}

LinkJoint read_joint(const Element& element, const Names& links, std::vector<std::string>& left_out) {
  LinkJoint joint;
  joint.name = required(element, "name");
  joint.parent = link_of(element, "parent", links);
  joint.child = link_of(element, "child", links);
  joint.place = origin_of(element);
  const std::string& type = required(element, "type");
  if (type == "fixed") {
    joint.kind = LinkJoint::Kind::fixed;
  } else if (type == "floating") {
    joint.kind = LinkJoint::Kind::floating;
  } else if (type == "revolute" || type == "continuous" || type == "prismatic") {
    joint.kind = type == "prismatic" ? LinkJoint::Kind::prismatic : LinkJoint::Kind::revolute;
    const Element* axis = element.child("axis");
    if (axis != nullptr) joint.axis = vector_of(*axis, "xyz", Vector3::UnitX());
    if (!(joint.axis.norm() > 0)) fail(*axis, fmt::format("joint {} has an axis of length 0", joint.name));
    joint.axis.normalize();
    read_limits(element, type != "continuous", joint, left_out);
  } else {
    fail(element, fmt::format("joint {}: type = \"{}\"; fixed, revolute, continuous, prismatic and floating are read",
                              joint.name, type));
  }
  read_dynamics(element, joint, left_out);
  return joint;
}

}  // namespace

Robot read_urdf(const Element& root, const ReadOptions& options) {
  Robot robot;
  if (const std::string* name = root.find("name")) robot.name = *name;
  std::vector<LinkJoint> joints;
  Names names, joint_names;
  std::map<std::string, int> others;
  for (const Element& part : root.children) {
    if (part.name != "link") continue;
    robot.links.push_back(read_link(part, options, robot.left_out));
    const std::string& name = robot.links.back().name;
    if (!names.emplace(name, static_cast<int>(names.size())).second)
      fail(part, fmt::format("link {} is there twice", name));
  }
  if (robot.links.empty()) fail(root, "the robot has no <link>");
  for (const Element& part : root.children) {
    if (part.name == "joint") {
      joints.push_back(read_joint(part, names, robot.left_out));
      if (!joint_names.emplace(joints.back().name, 0).second)
        fail(part, fmt::format("joint {} is there twice", joints.back().name));
    } else if (part.name != "link" && part.name != "material") {
      ++others[part.name];
    }
  }
  for (const auto& [name, count] : others) robot.left_out.push_back(fmt::format("{} <{}>", count, name));
  in_order(root, robot, std::move(joints));
  for (Link& link : robot.links) link.fixed = link.fixed || link.name == "world";
  return robot;
}

}  // namespace carom::robots
