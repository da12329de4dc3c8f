#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/geometry/hertz.h"
#include "carom/geometry/shape.h"
#include "carom/impact/restitution_function.h"
#include "carom/model/state_formula.h"
#include "carom/model/time_function.h"

namespace carom {

using geometry::Dimension;

/// A body whose motion is known: its frame is at `position` and turned by `angle` about `axis`. Fixed bodies have
/// constant time functions.
struct Prescribed {
  std::array<TimeFunction, 3> position;       // [m]
  TimeFunction angle;                         // [rad]
  Vector3 axis = Vector3::UnitZ();            // of length 1
  Quaternion start = Quaternion::Identity();  // orientation at angle 0
};

/// A rigid body. Its frame has its origin at the centre of mass.
struct Body {
  std::string name;
  double mass = 1;  // [kg]
  Matrix3 inertia =
      Matrix3::Identity();               // [kg m^2] about the centre of mass, in the body's frame; z entry in the plane
  std::vector<geometry::Part> parts;     // its shapes; a body without any touches nothing
  int material = -1;                     // index into materials; -1: none
  double flexibility = 0;                // [m/N] how far it gives way under a contact force, >= 0
  std::optional<Prescribed> prescribed;  // moves as told, mass and inertia do not count
  Vector3 grain = Vector3::Zero();       // in the body's frame: what mu and e_t that depend on the direction are
                                         // measured along; 0: none

  bool has_grain() const { return !grain.isZero(0); }

  bool is_free() const { return !prescribed; }
};

/// Where something is attached: a point in a body's frame, or in the world.
struct Anchor {
  int body = -1;                    // -1: the world
  Vector3 point = Vector3::Zero();  // [m] in the frame of the body or of the world
};

/// A force on a body at a point of it, components in the world; and a torque.
struct Load {
  Anchor at;
  std::array<TimeFunction, 3> force;   // [N]
  std::array<TimeFunction, 3> torque;  // [N m]; in the plane the last
};

/// A force that reads the state, as a controller does: like a load, component by component; those left out are 0.
struct StateLoad {
  Anchor at;
  std::array<std::optional<StateFormula>, 3> force;   // [N]
  std::array<std::optional<StateFormula>, 3> torque;  // [N m]
};

/// A spring and damper along the line between two points: tension k (length - rest) + c d(length)/dt.
struct Spring {
  std::string name;
  Anchor a, b;
  double k = 0;     // [N/m]
  double c = 0;     // [N s/m]
  double rest = 0;  // [m]
};

/// A torsional spring and damper between two bodies about an axis fixed in the first (z in the plane):
/// torque k (angle - rest) + c d(angle)/dt.
struct TorsionSpring {
  std::string name;
  int a = -1, b = -1;               // bodies; -1: the world
  Vector3 axis = Vector3::UnitZ();  // in the frame of a, of length 1
  double k = 0;                     // [N m/rad]
  double c = 0;                     // [N m s/rad]
  double rest = 0;                  // [rad]
};

/// The ends of a revolute or prismatic joint's way: a contact without friction at each, which has the joint's name.
struct Stops {
  double low = -std::numeric_limits<double>::infinity();  // [rad] or [m] of the joint's coordinate
  double high = std::numeric_limits<double>::infinity();
  double e = 0;             // [-] restitution
  std::optional<double> k;  // force = k indentation^eta, for laws that follow the impact
  double eta = 1.5;
  double arm = 0;  // [m] from the axis, where a stop of a revolute joint acts: its gap is arm * angle. 0: the largest
                   // radius of gyration about the axis of the two bodies, which Model fills in; for prismatic joints
                   // the size that their gaps are measured by
};

/// What drives a revolute or prismatic joint with coordinate x and target r(t), at most with `most`:
///   position: kp (r - x) + kd (r' - x'),   velocity: kd (r - x'),   torque: r.
struct Motor {
  enum class Drive { position, velocity, torque };
  Drive drive = Drive::torque;
  TimeFunction target;                                    // [rad] [rad/s] [N m], or [m] [m/s] [N]
  double kp = 0, kd = 0;                                  // [N m/rad], [N m s/rad], or [N/m], [N s/m]; >= 0
  double most = std::numeric_limits<double>::infinity();  // [N m] or [N]
};

/// A joint keeps two bodies together. The anchors coincide at the start, but for `distance` and `rod`.
struct Joint {
  enum class Kind { fixed, revolute, prismatic, spherical, distance };
  friend constexpr std::array<std::string_view, 5> words_of(Kind) {
    return {"fixed", "revolute", "prismatic", "spherical", "distance"};
  }
  std::string name;
  Kind kind = Kind::revolute;
  Anchor a, b;
  Vector3 axis = Vector3::UnitZ();  // of a revolute or prismatic joint in the frame of a, of length 1; in the plane
                                    // revolute joints turn about z
  double length = 0;                // [m] of a distance joint, > 0
  Quaternion relative = Quaternion::Identity();  // orientation of b in the frame of a where it is kept
  double origin = 0;   // [rad] or [m] what is measured where its coordinate is 0, see joint_coordinate.h
  double damping = 0;  // [N m s/rad] or [N s/m] against its rate, >= 0; of revolute and prismatic joints
  std::optional<Stops> stops;
  std::optional<Motor> motor;

  bool is_driven() const { return motor || damping != 0; }
};

/// What bodies are made of. A pair of materials gets the smaller e and the smaller mu, Hertz's k from both E and nu,
/// and eta = 3/2 with it.
struct Material {
  std::string name;
  std::optional<double> e, mu, mu_s;               // [-] left out: what the other material says
  SharedRestitution e_of;                          // where e depends on the impact; `e` then is the largest value
  std::optional<double> mu_2;                      // [-] across the grain, with mu along it; none: mu
  std::optional<double> mu_r, mu_t;                // [-] resistance to rolling and to spin, the same
  std::optional<geometry::Elasticity> elasticity;  // for Hertz's stiffness; E is infinite if it is rigid
  std::optional<double> pressure;                  // [Pa] inside balls, > 0, which is what makes them stiff

  bool is_rigid() const { return elasticity && elasticity->E == std::numeric_limits<double>::infinity(); }
};

/// What holds where two bodies touch: what is given here replaces what their materials say.
struct PairRule {
  enum class Between { bodies, materials, all };
  Between between = Between::all;
  int a = -1, b = -1;  // bodies or materials, in any order
  std::optional<double> e, mu, k, eta, e_t;
  std::optional<double> mu_2, e_t_2;   // across the grain, with mu and e_t along it; none: the same
  SharedRestitution e_of;              // where e depends on the impact; `e` then is the largest value
  bool e_in_series = false;            // 1/e = 1/e_a + 1/e_b of the two materials, instead of the smaller one
  std::optional<double> E0, preload;   // [J] or [N] in contacts that are pressed at the start
  std::optional<double> c, mu_s, k_t;  // of contact forces: damping, friction that holds, tangential stiffness
  std::optional<double> mu_r, mu_t;    // [-] resistance to rolling and to spin
  std::optional<double> flexibility;   // [m/N] of both bodies together
  std::optional<bool> touches;         // false: these bodies pass through each other
};

/// A mechanical system as its author describes it; plain data.
struct Description {
  Dimension dimension = Dimension::plane;
  Vector3 gravity = Vector3::Zero();  // [m/s^2]
  Vector3 periodic =
      Vector3::Zero();  // [m] after which space repeats itself along x, y, z, see periodic.h; 0: it does not
  std::vector<Body> bodies;
  std::vector<Material> materials;
  std::vector<PairRule> pairs;  // later ones win; more special ones (bodies, materials, all) win over general ones
  std::vector<Load> loads;
  std::vector<StateLoad> state_loads;
  std::vector<Spring> springs;
  std::vector<TorsionSpring> torsion_springs;
  std::vector<Joint> joints;
};

/// Where the bodies of a description are at the start.
struct Placement {
  std::vector<Pose> poses;                  // (bodies) those of prescribed bodies do not count
  std::vector<Vector3> velocities;          // [m/s] of the centres of mass
  std::vector<Vector3> angular_velocities;  // [rad/s] in the world's frame
};

}  // namespace carom
