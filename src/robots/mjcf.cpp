#include "carom/robots/mjcf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/robots/mjcf_geom.h"
#include "carom/robots/mjcf_settings.h"
#include "carom/robots/tree.h"

namespace carom::robots {
namespace {

constexpr std::size_t kMostDegrees = 6;  // joints of one body

/// What a joint does to its body at a coordinate, in the frame of the body.
Pose motion_of(const LinkJoint& joint, double coordinate) {
  if (joint.kind == LinkJoint::Kind::prismatic) return {coordinate * joint.axis, Quaternion::Identity()};
  const Quaternion turn(Eigen::AngleAxisd(coordinate, joint.axis));
  return {joint.anchor - turn * joint.anchor, turn};
}

Pose inverse(const Pose& pose) {
  return {-(pose.orientation.conjugate() * pose.position), pose.orientation.conjugate()};
}

class MjcfReader {
 public:
  MjcfReader(const Element& root, const ReadOptions& options)
      : options_(options), settings_(root, options), root_(root) {}

  Robot read() {
    if (const std::string* name = root_.find("model")) robot_.name = *name;
    std::map<std::string, int> others;
    const Element* world = nullptr;
    for (const Element& part : root_.children) {
      if (part.name == "option" && part.find("gravity") != nullptr) {
        const std::vector<double> g = numbers_of(part, "gravity", 3, 3);
        robot_.gravity = Vector3(g[0], g[1], g[2]);
      } else if (part.name == "worldbody") {
        if (world != nullptr) fail(part, "a second <worldbody>; one is read");
        world = &part;
      } else if (part.name == "include") {
        robot_.left_out.push_back(
            fmt::format("<include> of {}", part.find("file") != nullptr ? *part.find("file") : "?"));
      } else if (part.name != "compiler" && part.name != "default" && part.name != "asset" && part.name != "contact" &&
                 part.name != "option" && part.name != "size" && part.name != "visual" && part.name != "statistic") {
        for (const Element& one : part.children) ++others[part.name + "/" + one.name];
      }
    }
    if (world == nullptr) fail(root_, "the model has no <worldbody>");
    read_world(*world);
    for (const Element& part : root_.children)
      if (part.name == "contact") read_contact(part);
    for (const auto& [name, count] : in_joints_) robot_.left_out.push_back(fmt::format("{} of {} joints", name, count));
    for (const auto& [name, count] : in_bodies_)
      robot_.left_out.push_back(fmt::format("{} <{}> in bodies", count, name));
    for (const auto& [name, count] : others) robot_.left_out.push_back(fmt::format("{} <{}>", count, name));
    in_order(root_, robot_, std::move(joints_));
    return std::move(robot_);
  }

 private:
  void read_world(const Element& world) {
    Link ground;
    ground.name = "ground";
    ground.fixed = true;
    const std::string* childclass = world.find("childclass");
    for (const Element& part : world.children)
      if (part.name == "geom") add_geom(part, childclass != nullptr ? *childclass : "", ground, nullptr);
    if (!ground.shapes.empty()) {
      const int index = add_link(world, std::move(ground));
      LinkJoint stands;
      stands.child = index;
      joints_.push_back(stands);
    }
    for (const Element& part : world.children)
      if (part.name == "body") read_body(part, -1, childclass != nullptr ? *childclass : "");
    if (robot_.links.empty()) fail(world, "the model has no <body>");
  }

  void add_geom(const Element& element, const std::string& childclass, Link& link, SummedMass* mass) {
    const Element whole = settings_.with_defaults(element, childclass);
    MjcfGeom geom = read_geom(whole, settings_, options_, link.name, robot_.left_out);
    if (mass != nullptr) mass->add(whole, geom);
    if (geom.shape && geom.collides) link.shapes.push_back(*std::move(geom.shape));
  }

  int add_link(const Element& at, Link link) {
    if (link.name.empty()) link.name = fmt::format("body {}", robot_.links.size() + 1);
    if (!names_.emplace(link.name, static_cast<int>(robot_.links.size())).second)
      fail(at, fmt::format("body {} is there twice", link.name));
    robot_.links.push_back(std::move(link));
    return static_cast<int>(robot_.links.size()) - 1;
  }

  void read_body(const Element& element, int parent, std::string childclass) {
    if (const std::string* own = element.find("childclass")) childclass = *own;
    Link link;
    if (const std::string* name = element.find("name")) link.name = *name;
    if (link.name.empty()) link.name = fmt::format("body {}", robot_.links.size() + 1);
    SummedMass summed;
    std::vector<LinkJoint> moving;
    bool free = false;
    for (const Element& part : element.children) {
      if (part.name == "geom") add_geom(part, childclass, link, &summed);
      if (part.name == "joint") moving.push_back(read_joint(settings_.with_defaults(part, childclass), link.name));
      free = free || part.name == "freejoint";
      const bool known = part.name == "geom" || part.name == "joint" || part.name == "freejoint" ||
                         part.name == "inertial" || part.name == "body" || part.name == "site" ||
                         part.name == "camera" || part.name == "light";
      if (!known) ++in_bodies_[part.name];
    }
    free = free || std::any_of(moving.begin(), moving.end(),
                               [](const LinkJoint& joint) { return joint.kind == LinkJoint::Kind::floating; });
    if (free && (parent >= 0 || moving.size() > 1))
      fail(element, "a free joint is alone, and its body is in <worldbody>");
    if (moving.size() > kMostDegrees)
      fail(element,
           fmt::format("body {} has {} joints; at most {} make sense", link.name, moving.size(), kMostDegrees));
    read_mass(element, summed, link);
    if (free) {
      moving.assign(1, {});
      moving[0].kind = LinkJoint::Kind::floating;
    }
    link.fixed = parent < 0 && moving.empty();
    const int index = connect(element, std::move(link), parent, settings_.pose_of(element), std::move(moving));
    for (const Element& part : element.children)
      if (part.name == "body") read_body(part, index, childclass);
  }

  /// The body, and before it a light one for each of its joints but the last.
  int connect(const Element& element, Link link, int parent, const Pose& place, std::vector<LinkJoint> moving) {
    if (moving.empty()) moving.emplace_back();
    const int carrier = parent;
    Pose next = place;
    for (std::size_t i = 0; i < moving.size(); ++i) {
      LinkJoint joint = moving[i];
      joint.parent = parent;
      joint.place = joint.start != 0 ? next * inverse(motion_of(joint, joint.start)) : next;
      next = {};
      Link between;
      between.name = fmt::format("{} {}", link.name, i + 1);
      const bool last = i + 1 == moving.size();
      parent = joint.child = add_link(element, last ? link : between);
      joints_.push_back(std::move(joint));
    }
    if (moving.size() > 1 && carrier >= 0) robot_.no_contact.emplace_back(carrier, parent);
    return parent;
  }

  void read_mass(const Element& element, const SummedMass& summed, Link& link) {
    const Element* inertial = element.child("inertial");
    const bool told = inertial != nullptr && settings_.inertia() != MjcfSettings::InertiaFrom::shapes;
    if (!told) {
      summed.write(link);
      return;
    }
    const Pose place = settings_.pose_of(*inertial);
    link.mass = numbers_of(*inertial, "mass", 1, 1)[0];
    if (link.mass < 0) fail(*inertial, fmt::format("mass = {} is negative", link.mass));
    link.centre = place.position;
    Matrix3 inertia = Matrix3::Zero();
    if (inertial->find("fullinertia") != nullptr) {
      const std::vector<double> m = numbers_of(*inertial, "fullinertia", 6, 6);
      inertia << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
    } else if (inertial->find("diaginertia") != nullptr) {
      const std::vector<double> m = numbers_of(*inertial, "diaginertia", 3, 3);
      inertia = Vector3(m[0], m[1], m[2]).asDiagonal();
    }
    const Matrix3 R = place.orientation.toRotationMatrix();
    link.inertia = R * inertia * R.transpose();
  }

  LinkJoint read_joint(const Element& element, const std::string& body) {
    LinkJoint joint;
    const std::string* name = element.find("name");
    joint.name = name != nullptr ? *name : fmt::format("{} joint {}", body, ++unnamed_);
    const std::string* type = element.find("type");
    if (type != nullptr && *type == "free") {
      joint.kind = LinkJoint::Kind::floating;
      return joint;
    }
    if (type == nullptr || *type == "hinge")
      joint.kind = LinkJoint::Kind::revolute;
    else if (*type == "slide")
      joint.kind = LinkJoint::Kind::prismatic;
    else if (*type == "ball")
      joint.kind = LinkJoint::Kind::spherical;
    else
      fail(element, fmt::format("type = \"{}\"; hinge, slide, ball and free are joints", *type));
    joint.axis = Vector3::UnitZ();
    const auto vector = [&](const char* key, const Vector3& otherwise) {
      if (element.find(key) == nullptr) return otherwise;
      const std::vector<double> numbers = numbers_of(element, key, 3, 3);
      return Vector3(numbers[0], numbers[1], numbers[2]);
    };
    joint.axis = vector("axis", joint.axis);
    joint.anchor = vector("pos", Vector3::Zero());
    if (!(joint.axis.norm() > 0)) fail(element, fmt::format("joint {} has an axis of length 0", joint.name));
    joint.axis.normalize();
    read_drive(element, joint);
    return joint;
  }

  void read_drive(const Element& element, LinkJoint& joint) {
    const bool turns = joint.kind == LinkJoint::Kind::revolute;
    const auto coordinate = [&](double value) { return turns ? settings_.radians(value) : value; };
    const auto note = [&](std::string_view what) {
      robot_.left_out.push_back(fmt::format("joint {}: {}", joint.name, what));
    };
    for (const char* key : {"armature", "frictionloss"})
      if (number_of(element, key, 0) != 0) ++in_joints_[key];
    const bool limited = settings_.has_limits(element) && element.find("range") != nullptr;
    if (joint.kind == LinkJoint::Kind::spherical) {
      if (limited) note("the range of a ball joint");
      if (number_of(element, "damping", 0) != 0) note("damping of a ball joint");
      if (number_of(element, "stiffness", 0) != 0) note("stiffness of a ball joint");
      return;
    }
    if (limited) {
      const std::vector<double> range = numbers_of(element, "range", 2, 2);
      joint.limits = {coordinate(range[0]), coordinate(range[1])};
      if (range[0] > range[1])
        fail(element, fmt::format("range = \"{} {}\"; the first is the smaller one", range[0], range[1]));
    }
    joint.damping = number_of(element, "damping", 0);
    if (joint.damping < 0) fail(element, fmt::format("damping = {} is negative", joint.damping));
    if (const double k = number_of(element, "stiffness", 0); k > 0) joint.stiffness = k;
    joint.spring_rest = coordinate(number_of(element, "springref", 0));
    joint.start = coordinate(number_of(element, "ref", 0));
  }

  void read_contact(const Element& contact) {
    for (const Element& one : contact.children) {
      if (one.name != "exclude") {
        robot_.left_out.push_back(fmt::format("<contact> <{}>", one.name));
        continue;
      }
      const auto named = [&](const char* key) {
        const auto found = names_.find(required(one, key));
        if (found == names_.end()) fail(one, fmt::format("{} = \"{}\" is no body", key, *one.find(key)));
        return found->second;
      };
      robot_.no_contact.emplace_back(named("body1"), named("body2"));
    }
  }

  const ReadOptions& options_;
  const MjcfSettings settings_;
  const Element& root_;
  Robot robot_;
  std::vector<LinkJoint> joints_;
  std::map<std::string, int> names_;
  std::map<std::string, int> in_joints_, in_bodies_;  // how often what is left out occurs
  int unnamed_ = 0;
};

}  // namespace

Robot read_mjcf(const Element& root, const ReadOptions& options) {
  return MjcfReader(root, options).read();
}

}  // namespace carom::robots
