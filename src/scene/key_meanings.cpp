#include "carom/scene/key_meanings.h"

#include <span>
#include <vector>

#include "carom/scene/joint_reader.h"
#include "carom/scene/material_reader.h"
#include "carom/scene/shape_reader.h"

namespace carom::scene {
namespace {

struct Meaning {
  std::string_view key, meaning;
};

constexpr Meaning kOfScene[] = {
    {"title", "its name"},
    {"about", "one sentence of explanation"},
    {"dimension", "1: along a line, 2: in the plane, 3: in space"},
    {"gravity", "downwards, or a vector [m/s^2]"},
    {"duration", "how long it runs [s]"},
    {"law", "the law of impact"},
    {"scheme", "how it moves between impacts"},
};
constexpr Meaning kOfBody[] = {
    {"name", "in messages and results"},
    {"shape", "what it touches with"},
    {"shapes", "several that move together"},
    {"material", "one of the scene's materials"},
    {"mass", "mass of the body [kg]"},
    {"density", "mass per volume [kg/m^3]"},
    {"centre_of_mass", "where it is in the coordinates of the shapes [m]"},
    {"inertia", "moment of inertia about the centre of mass [kg m^2]"},
    {"position", "where the origin of its shapes is [m]"},
    {"angle", "how it is turned [degrees]"},
    {"orientation", "how it is turned: an axis and an angle, or a quaternion w, x, y, z"},
    {"velocity", "of the centre of mass, at the start [m/s]"},
    {"angular_velocity", "at the start [rad/s]"},
    {"fixed", "it stands, and needs no mass"},
    {"flexibility", "how far it gives way under a force [m/N]"},
    {"grain", "a direction on it: friction along and across it may differ, mu = [along, across]"},
};
constexpr Meaning kOfWall[] = {
    {"velocity", "time functions, along the axes of the world [m/s]"},
    {"angular_velocity", "a time function [rad/s]"},
    {"acceleration", "time functions, from rest [m/s^2]"},
    {"motion", "time functions that are added to its place"},
};
constexpr Meaning kOfMotion[] = {
    {"x", "a time function [m]"},           {"y", "a time function [m]"},     {"z", "a time function [m]"},
    {"angle", "a time function [degrees]"}, {"axis", "about which it turns"},
};
constexpr Meaning kOfChain[] = {
    {"name", "what its bodies are called, with a number"},
    {"count", "how many"},
    {"position", "of the first [m]"},
    {"direction", "from one to the next"},
    {"gap", "between the surfaces of neighbours [m]"},
    {"spacing", "from one origin to the next [m]"},
    {"first", "in what the first differs"},
    {"last", "in what the last differs"},
    {"member", "in what single ones differ"},
    {"ratio", "each is that much larger than the one before"},
    {"string", "length of the string that each hangs on [m]"},
    {"lift", "how many are lifted, and how far"},
    {"hinge", "point of the body about which each turns [m]"},
};
constexpr Meaning kOfLift[] = {{"count", "how many are lifted"}, {"angle", "how far they are lifted [degrees]"}};
constexpr Meaning kOfGrid[] = {
    {"name", "what its bodies are called, with a number"},
    {"count", "how many along each axis"},
    {"spacing", "from one to the next [m]"},
    {"lattice", "square or hexagonal"},
    {"position", "of the first [m]"},
    {"member", "in what single ones differ"},
    {"jitter", "displaced at random by at most so much [m]"},
    {"speed", "of each, in a random direction [m/s]"},
    {"seed", "of what is random"},
};
constexpr Meaning kOfShape[] = {
    {"type", "what shape it is"},
    {"name", "of the shape"},
    {"position", "in the body [m]"},
    {"angle", "how it is turned in the body [degrees]"},
    {"orientation", "how it is turned in the body"},
    {"density", "mass per volume [kg/m^3]"},
    {"thickness", "of a plate, for its mass [m]"},
    {"spheres", "centre and radius of each [m]"},
    {"file", "beside the scene"},
};
constexpr Meaning kOfJoint[] = {
    {"name", "in results"},
    {"type", "what it keeps"},
    {"bodies", "the two that it connects"},
    {"body", "the one that it connects with the world"},
    {"at", "where it is at the start [m]"},
    {"axis", "its direction in the world at the start"},
    {"points", "where it is attached at the start [m]"},
    {"length", "the distance that it keeps [m]"},
    {"e", "restitution at its stops: 0 nothing comes back, 1 everything"},
    {"k", "stiffness of its stops [N/m^eta]"},
    {"eta", "exponent of the force of its stops"},
    {"arm", "how far from the axis its stops act [m]"},
    {"motor", "what drives it"},
};
/// Of joints that turn, and of those that slide.
constexpr Meaning kOfTurning[] = {
    {"start", "its angle at the start [degrees]"},
    {"limits", "its stops, lowest and highest [degrees]"},
    {"damping", "against its rate [N m s/rad]"},
};
constexpr Meaning kOfSliding[] = {
    {"start", "its coordinate at the start [m]"},
    {"limits", "its stops, lowest and highest [m]"},
    {"damping", "against its rate [N s/m]"},
};
constexpr Meaning kOfTurningMotor[] = {
    {"position", "angle that it keeps [degrees]"},
    {"velocity", "rate that it keeps [rad/s]"},
    {"kp", "torque over what is missing of the angle [N m/rad]"},
    {"kd", "torque over what is missing of the rate [N m s/rad]"},
    {"torque", "what it drives with [N m]"},
    {"max_torque", "at most so much [N m]"},
};
constexpr Meaning kOfSlidingMotor[] = {
    {"position", "coordinate that it keeps [m]"},
    {"velocity", "rate that it keeps [m/s]"},
    {"kp", "force over what is missing of the coordinate [N/m]"},
    {"kd", "force over what is missing of the rate [N s/m]"},
    {"force", "what it drives with [N]"},
    {"max_force", "at most so much [N]"},
};
constexpr Meaning kOfForce[] = {
    {"body", "on which it acts"},
    {"force", "along the axes of the world [N]"},
    {"torque", "about the axes of the world [N m]"},
    {"at", "point of the body where it acts [m]"},
};
constexpr Meaning kOfRecord[] = {
    {"interval", "between recorded states [s]"},
    {"formats", "of the files"},
    {"report", "false: no report.html"},
};
constexpr Meaning kOfStop[] = {
    {"impacts", "after so many"},
    {"at_rest", "when nothing was faster for a while [m/s]"},
};
constexpr Meaning kOfStart[] = {
    {"run", "folder of an earlier run"},
    {"t", "the moment of it [s]"},
    {"clock", "where time starts"},
};

std::string_view meaning_among(std::span<const Meaning> list, std::string_view key) {
  for (const Meaning& one : list)
    if (one.key == key) return one.meaning;
  return {};
}

/// The steps of a path without their numbers: body, shape, radius.
std::vector<std::string_view> steps_of(std::string_view path) {
  std::vector<std::string_view> steps;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view step = path.substr(0, dot);
    steps.push_back(step.substr(0, step.find('[')));
    path = dot == path.npos ? std::string_view() : path.substr(dot + 1);
  }
  return steps;
}

std::string_view joint_meaning(std::string_view table, std::string_view key, std::string_view type) {
  const bool slides = type == "prismatic";
  if (table == "motor") return slides ? meaning_among(kOfSlidingMotor, key) : meaning_among(kOfTurningMotor, key);
  const std::string_view own = slides ? meaning_among(kOfSliding, key) : meaning_among(kOfTurning, key);
  return own.empty() ? meaning_among(kOfJoint, key) : own;
}

/// Of a key of a body, a wall, a chain or a grid; `table` is the innermost one that it stands in.
std::string_view body_meaning(std::string_view kind, std::string_view table, std::string_view key,
                              std::string_view type) {
  if (table == "shape" || table == "shapes") {
    const std::string_view own = meaning_of_shape_key(type, key);
    return own.empty() ? meaning_among(kOfShape, key) : own;
  }
  if (table == "lift") return meaning_among(kOfLift, key);
  if (table == "motion") return meaning_among(kOfMotion, key);
  if (table == "orientation")
    return key == "angle" ? meaning_among(kOfBody, key) : std::string_view("about which it is turned");
  if (table == kind) {
    const std::string_view own = kind == "chain"  ? meaning_among(kOfChain, key)
                                 : kind == "grid" ? meaning_among(kOfGrid, key)
                                 : kind == "wall" ? meaning_among(kOfWall, key)
                                                  : std::string_view();
    if (!own.empty()) return own;
  }
  return meaning_among(kOfBody, key);
}

}  // namespace

std::string_view meaning_of_key(std::string_view path, std::string_view type) {
  const std::vector<std::string_view> steps = steps_of(path);
  if (steps.empty()) return {};
  const std::string_view kind = steps.front(), key = steps.back();
  if (steps.size() == 1) return meaning_among(kOfScene, key);
  const std::string_view table = steps[steps.size() - 2];
  if (kind == "materials") return steps.size() == 3 ? meaning_of_material_key(key) : std::string_view();
  if (kind == "contact" || kind == "pair") return steps.size() == 2 ? meaning_of_contact_key(key) : std::string_view();
  if (kind == "spring") return meaning_of_spring_key(key);
  if (kind == "torsion") return meaning_of_torsion_key(key);
  if (kind == "joint") return joint_meaning(table, key, type);
  if (kind == "force") return meaning_among(kOfForce, key);
  if (kind == "record") return meaning_among(kOfRecord, key);
  if (kind == "stop") return meaning_among(kOfStop, key);
  if (kind == "start") return meaning_among(kOfStart, key);
  if (kind == "body" || kind == "wall" || kind == "chain" || kind == "grid")
    return body_meaning(kind, table, key, type);
  return {};
}

}  // namespace carom::scene
