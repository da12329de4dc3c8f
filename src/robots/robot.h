#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/geometry/pose.h"
#include "carom/numerics/linear_algebra.h"

namespace carom::robots {

/// A shape that collides, in the frame of its link. Cylinders and capsules are along their z.
struct LinkShape {
  enum class Kind { box, sphere, cylinder, capsule, ellipsoid, hull, plane };
  Kind kind = Kind::sphere;
  std::string name;
  Pose pose;
  Vector3 size = Vector3::Zero();  // [m] full edges of a box, half axes of an ellipsoid
  double radius = 0, length = 0;   // [m] length of the straight part
  std::vector<Vector3> corners;    // of a hull
  std::optional<double> mu;        // [-] friction
};

/// A rigid part of a robot. No mass: it is a frame only.
struct Link {
  std::string name;
  double mass = 0;                    // [kg]
  Vector3 centre = Vector3::Zero();   // [m] of mass, in the link's frame
  Matrix3 inertia = Matrix3::Zero();  // [kg m^2] about the centre, in the axes of the link
  std::vector<LinkShape> shapes;
  bool fixed = false;  // stands in the world
};

/// What connects a link with the one that carries it.
struct LinkJoint {
  enum class Kind { fixed, revolute, prismatic, spherical, floating };
  std::string name;
  Kind kind = Kind::fixed;
  int parent = -1, child = -1;                      // links; parent -1: the world
  Pose place;                                       // of the child's frame in the parent's, where the coordinate is 0
  Vector3 axis = Vector3::UnitX();                  // in the child's frame, of length 1
  Vector3 anchor = Vector3::Zero();                 // [m] in the child's frame
  std::optional<std::pair<double, double>> limits;  // [rad] or [m]
  double damping = 0;                               // [N m s/rad] or [N s/m]
  std::optional<double> stiffness;                  // of a spring in it, [N m/rad] or [N/m]
  double spring_rest = 0;                           // [rad] or [m]
  double start = 0;                                 // coordinate at the start
};

/// A robot as its file says it: a tree of links. Every link but the roots has one joint; children come after parents.
struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<LinkJoint> joints;                // (links) of each link with its parent
  std::vector<std::pair<int, int>> no_contact;  // links that the file keeps from touching
  Vector3 gravity = Vector3(0, 0, -9.81);       // [m/s^2]
  std::vector<std::string> left_out;            // what could not be carried over, in words
};

/// What a reader needs besides the text.
struct ReadOptions {
  std::string folder;                           // of the file, from which names of meshes count
  std::string root;                             // the folder that these may not leave
  std::map<std::string, std::string> packages;  // folders that package://name/ stands for
};

}  // namespace carom::robots
