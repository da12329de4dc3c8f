// Scenes that something drives: motors, controllers, records of acceleration, conditions that end them.

#include <cmath>
#include <numbers>

#include "scene_draft.h"

namespace carom::soak {
namespace {

void maybe_stop(SceneDraft& draft, const std::string& condition) {
  if (draft.chance(0.5)) draft.line(fmt::format("\n[stop]\nreached = \"{}\"", condition));
}

std::string hinge_axis(const SceneDraft& draft) {
  return draft.space() ? "\naxis = [0, -1, 0]" : "";
}

}  // namespace

/// A lever on a motor, between stops, that may hit a ball.
double motor_arm(SceneDraft& draft) {
  const double length = draft.between(0.2, 0.6), limit = draft.between(20, 120);
  draft.body("arm", Solid{fmt::format("{{type = \"capsule\", radius = 0.015, length = {}}}", length), "", 0, 0, 0, 0},
             draft.at(length / 2, 1));
  std::string more = fmt::format("name = \"shoulder\"\nat = {}{}\nlimits = [{}, {}]\ne = {}", draft.at(0, 1),
                                 hinge_axis(draft), -limit, limit, draft.between(0, 0.8));
  const int which = draft.count(0, 3);
  const double kd = draft.between(0.05, 1);
  if (which == 0)
    more += fmt::format("\nmotor = {{position = \"{}*sin(2*pi*{}*t)\", kp = {}, kd = {}, max_torque = {}}}",
                        0.9 * limit, draft.between(0.3, 2), draft.between(2, 40), kd, draft.between(1, 20));
  if (which == 1) more += fmt::format("\nmotor = {{velocity = {}, kd = {}}}", draft.either_way(1, 8), kd);
  if (which == 2)
    more += fmt::format("\nmotor = {{torque = \"{}*cos(3*t)\"}}\ndamping = {}", draft.either_way(0.2, 4), kd);
  draft.joint("revolute", "\"world\", \"arm\"", more);
  draft.fixed_floor();
  if (draft.chance(0.5)) {
    const double radius = draft.between(0.03, 0.08);
    draft.body("ball", draft.ball(radius), draft.at(length * 0.7, 1 - 0.03 - radius - draft.between(0.01, 0.2)));
  }
  maybe_stop(draft, fmt::format("arm.{} < {}", draft.up(), 1 - draft.between(0.05, 0.3)));
  return draft.between(0.5, 2);
}

/// A block that is pulled to a place by a formula of its own state.
double controlled_block(SceneDraft& draft) {
  draft.fixed_floor();
  const Solid solid = draft.box(0.3, 0.2, 0.2);
  draft.body("block", solid, draft.at(0, solid.below));
  const double target = draft.either_way(0.2, 1);
  const std::string pull =
      fmt::format("\"{}*({} - block.x) - {}*block.vx\"", draft.between(50, 800), target, draft.between(5, 60));
  draft.line(fmt::format("\n[[force]]\nbody = \"block\"\nforce = {}",
                         draft.space() ? "[" + pull + ", 0, 0]" : "[" + pull + ", 0]"));
  draft.plane("wall", draft.at(-1, 0), draft.at(std::abs(target) + draft.between(0, 0.4) + 0.2, 0));
  if (draft.chance(0.5)) draft.line(fmt::format("\n[stop]\nat_rest = {}\nimpacts = 200", draft.between(1e-4, 1e-2)));
  return draft.between(0.5, 3);
}

/// A slender block on ground that has an acceleration.
double earthquake(SceneDraft& draft) {
  const double width = draft.between(0.1, 0.4), height = width * draft.between(1.5, 5);
  const double a = draft.between(0.5, 8), frequency = draft.between(0.5, 4), length = draft.between(0.5, 1.5);
  const std::string ground = fmt::format("\"{}*sin(2*pi*{}*t)*step({} - t)\"", a, frequency,
                                         std::round(length * frequency) / frequency + 1e-3);
  draft.plane("ground", "", "", "acceleration = " + (draft.space() ? "[" + ground + ", 0, 0]" : "[" + ground + ", 0]"));
  draft.body("block", draft.box(width, height, width), draft.at(0, height / 2));
  maybe_stop(draft, "block.tilt > 1.4");
  return draft.between(1, 3);
}

/// A row of balls of which some differ.
double uneven_row(SceneDraft& draft) {
  draft.fixed_floor();
  const double radius = draft.between(0.02, 0.08);
  const int count = draft.count(3, 7);
  draft.line(
      fmt::format("\n[[chain]]\nname = \"ball\"\ncount = {}\nshape = {}\ndensity = 2000\nposition = {}\ngap = {}\n"
                  "first = {{velocity = {}}}\nmember = {{{} = {{density = {}}}}}",
                  count, draft.ball(radius).shape, draft.at(0, radius), draft.between(0.001, 0.05),
                  draft.at(draft.between(0.2, 3), 0), draft.count(2, count), draft.between(100, 9000)));
  maybe_stop(draft, fmt::format("[ball {}].speed > {}", count, draft.between(0.1, 1)));
  return draft.between(0.3, 1.5);
}

/// Stones of several balls, and thin rods.
double stones(SceneDraft& draft) {
  draft.tray(draft.between(0.4, 0.8));
  const int count = draft.count(2, 6);
  for (int i = 0; i < count; ++i) {
    const double r = draft.between(0.03, 0.07), d = r * draft.between(0.5, 1.5);
    Solid solid;
    if (draft.chance(0.25))
      solid.shape = fmt::format("{{type = \"rod\", length = {}, radius = {}}}", 4 * r, 0.1 * r);
    else if (draft.space())
      solid.shape = fmt::format("{{type = \"clump\", spheres = [[0, 0, 0, {}], [{}, 0, 0, {}], [0, {}, 0, {}]]}}", r, d,
                                0.8 * r, d, 0.6 * r);
    else
      solid.shape = fmt::format("{{type = \"clump\", spheres = [[0, 0, {}], [{}, 0, {}], [0, {}, {}]]}}", r, d, 0.8 * r,
                                d, 0.6 * r);
    draft.body(fmt::format("stone {}", i + 1), solid, draft.at((i % 2 == 0 ? -0.15 : 0.15), 0.2 + 0.3 * i),
               draft.turned(draft.between(-170, 170)));
  }
  return draft.between(0.5, 1.5);
}

}  // namespace carom::soak
