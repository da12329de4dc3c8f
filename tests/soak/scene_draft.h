#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "carom/base/random.h"
#include "scene_generator.h"

namespace carom::soak {

/// A convex solid as it lies on a floor: its text, and how far it reaches from the origin of its coordinates.
struct Solid {
  std::string shape;            // TOML
  std::string turn;             // orientation that makes it lie so; empty: none
  double below = 0, above = 0;  // [m] down and up
  double side = 0;              // [m] to the left and to the right
  double reach = 0;             // [m] in any direction
  double height() const { return below + above; }
};

/// A scene while it is written. "Up" is y in the plane and z in space.
class SceneDraft {
 public:
  SceneDraft(std::uint64_t seed, int dimension);

  // What people choose: numbers of two digits.
  double between(double low, double high);
  double either_way(double low, double high) { return chance(0.5) ? between(low, high) : -between(low, high); }
  int count(int low, int high);
  bool chance(double probability) { return random_.uniform() < probability; }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return *(all.begin() + count(0, static_cast<int>(all.size()) - 1));
  }

  bool space() const { return scene.dimension == 3; }
  bool event_driven() const { return scene.scheme == "event-driven"; }
  const char* up() const { return space() ? "z" : "y"; }

  // Vectors of the scene: x and height, in space with y between them.
  std::string at(double x, double height, double y = 0) const;
  std::string turned(double degrees) const;  // in the plane of x and height
  std::string spin(double about_horizontal, double about_vertical = 0) const;

  Solid box(double width, double height, double depth) const;
  Solid ball(double radius) const;
  Solid solid(double size);       // of any kind, about as large
  Solid flat_solid(double size);  // that rests on a face

  void line(const std::string& text) { body_ += text + "\n"; }
  std::string body(const std::string& name, const Solid& solid, const std::string& position,
                   const std::string& more = "");

  // Walls.
  void plane(const std::string& name, const std::string& normal, const std::string& position,
             const std::string& motion = "");
  std::string shaking(const char* axis);
  void floor();  // level: fixed, shaken or moving
  void fixed_floor() { plane("floor", "", ""); }
  void tray(double half_width, const std::string& motion = "");  // a floor and walls around

  void joint(const std::string& type, const std::string& bodies, const std::string& more);

  /// The finished scene.
  RandomScene finished(double duration) const;

  RandomScene scene;
  double gravity = 9.81;

 private:
  void choose_scheme_and_law();

  Random random_;
  std::string law_, scheme_, body_;
};

// Kinds of scenes; each fills the draft and returns the duration [s].
double drop(SceneDraft& draft);
double slide(SceneDraft& draft);
double stack(SceneDraft& draft);
double slope(SceneDraft& draft);
double wedge(SceneDraft& draft);
double rolling(SceneDraft& draft);
double bowling(SceneDraft& draft);
double gas(SceneDraft& draft);
double robot(SceneDraft& draft);
double ladder(SceneDraft& draft);
double dominoes(SceneDraft& draft);
double pouring(SceneDraft& draft);
double spinning(SceneDraft& draft);
double rocking(SceneDraft& draft);
double resting(SceneDraft& draft);
double row_on_a_line(SceneDraft& draft);
double pendulum(SceneDraft& draft);
double double_pendulum(SceneDraft& draft);
double hanging_chain(SceneDraft& draft);
double slider(SceneDraft& draft);
double four_bar(SceneDraft& draft);
double cradle(SceneDraft& draft);
double motor_arm(SceneDraft& draft);
double controlled_block(SceneDraft& draft);
double earthquake(SceneDraft& draft);
double uneven_row(SceneDraft& draft);
double stones(SceneDraft& draft);

}  // namespace carom::soak
