#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/scene/field.h"
#include "carom/scene/quantities.h"
#include "carom/scene/scene.h"

namespace carom::scene {

/// A scene while it is read: what the readers of its sections share.
struct Draft {
  Draft(Scene& scene_, std::size_t most_bodies_) : scene(scene_), most_bodies(most_bodies_) {}

  /// Bodies of one name: one body, or the bodies of a chain or grid.
  struct Group {
    int first = 0, last = 0;
  };

  Scene& scene;
  std::size_t most_bodies;
  std::map<std::string, Group, std::less<>> groups;   // by name
  std::map<std::string, int, std::less<>> materials;  // by name
  std::vector<std::optional<double>> densities;       // (materials) [kg/m^3]
  std::vector<char> points;                           // (bodies) point masses
  std::vector<std::array<bool, 3>> no_inertia;        // (bodies) axes about which they may not turn
  std::vector<Vector3> centres;                       // (bodies) centre of mass in the frame in which it was written

  Dimension dimension() const { return scene.description.dimension; }
  std::size_t bodies() const { return scene.description.bodies.size(); }
  const Pose& pose(int body) const;  // at the start; body -1: the world
};

/// A body that is read but not yet placed.
struct MadeBody {
  Body body;
  Vector3 centre = Vector3::Zero();  // of mass, in the frame in which it was written
  double volume = 0;                 // [m^3] of its shapes
  bool is_point = false;             // without shape and inertia
  std::array<bool, 3> no_inertia{};  // about these axes
};

/// Where a body starts: the frame in which it was written.
struct Start {
  Pose pose;
  Vector3 velocity = Vector3::Zero(), angular_velocity = Vector3::Zero();  // of the centre of mass
};

/// Appends a body. `name` must be new.
void add_body(Draft& draft, const Field& origin, MadeBody made, const Start& start);

/// Notes a name of one or several bodies; it must be new.
void add_group(Draft& draft, const Field& place, const std::string& name, Draft::Group group);

/// The name that a table gives, or "body 7" for the seventh.
std::string read_name(const Draft& draft, const Field& table);

/// The body or bodies, or the world (-1), that a string names; the error names the nearest.
Draft::Group read_group(const Draft& draft, const Field& field);
int read_body_name(const Draft& draft, const Field& field);
int read_material_name(const Draft& draft, const Field& field);

/// The tables of [[key]]; none if the scene has none.
std::vector<Field> tables_of(const Field& root, std::string_view key);

}  // namespace carom::scene
