// Scenes of mechanisms.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene_draft.h"

namespace carom::soak {
namespace {

struct Point {
  double x = 0, height = 0;
};

Point along(const Point& from, double length, double degrees) {
  const double a = degrees * std::numbers::pi / 180;
  return {from.x + length * std::cos(a), from.height + length * std::sin(a)};
}

/// A rod from one point to another.
void rod(SceneDraft& draft, const std::string& name, const Point& from, const Point& to, double radius,
         const std::string& more = "") {
  const double dx = to.x - from.x, dh = to.height - from.height;
  const Solid bar{
      fmt::format("{{type = \"capsule\", radius = {}, length = {}}}", radius, std::hypot(dx, dh)), "", 0, 0, 0, 0};
  draft.body(name, bar, draft.at((from.x + to.x) / 2, (from.height + to.height) / 2),
             draft.turned(std::atan2(dh, dx) * 180 / std::numbers::pi) + more);
}

void hinge(SceneDraft& draft, const std::string& a, const std::string& b, const Point& at, bool ball_joint = false) {
  draft.joint(draft.space() && ball_joint ? "spherical" : "revolute", fmt::format("\"{}\", \"{}\"", a, b),
              "at = " + draft.at(at.x, at.height) + (draft.space() && !ball_joint ? "\naxis = [0, 1, 0]" : ""));
}

void wall_on_the_left(SceneDraft& draft, double low, double high) {
  draft.plane("left", draft.at(1, 0), draft.at(-draft.between(low, high), 0),
              draft.chance(0.2) ? draft.shaking("x") : "");
}

}  // namespace

double pendulum(SceneDraft& draft) {
  const double length = draft.between(0.2, 1), angle = draft.between(-85, 60);
  if (draft.chance(0.4)) {
    const Point bob = along({}, length, angle);
    draft.body("bob", draft.ball(draft.between(0.02, 0.06)), draft.at(bob.x, bob.height));
    draft.line("\n[[joint]]\ntype = \"pendulum\"\nbody = \"bob\"\nat = " + draft.at(0, 0));
    wall_on_the_left(draft, 0.07, 0.5 * length);
  } else {
    const Point tip = along({}, length, angle);
    const double w = draft.chance(0.5) ? 0 : draft.either_way(0.3, 3);
    rod(draft, "rod", {}, tip, 0.01,
        w == 0 ? "" : "velocity = " + draft.at(-w * tip.height / 2, w * tip.x / 2) + "\n" + draft.spin(w));
    hinge(draft, "world", "rod", {}, draft.chance(0.3));
    wall_on_the_left(draft, 0.05, 0.5 * length);
  }
  return draft.between(0.5, 3);
}

double double_pendulum(SceneDraft& draft) {
  const double upper = draft.between(0.1, 0.5), lower = draft.between(0.1, 0.5);
  const Point knee = along({}, upper, draft.between(-80, 30)), tip = along(knee, lower, draft.between(-80, 30));
  rod(draft, "upper", {}, knee, 0.01);
  rod(draft, "lower", knee, tip, 0.01);
  const bool ball_joints = draft.chance(0.3);
  hinge(draft, "world", "upper", {}, ball_joints);
  hinge(draft, "upper", "lower", knee, ball_joints);
  wall_on_the_left(draft, 0.05, 0.4);
  if (draft.chance(0.5))
    draft.plane("right", draft.at(-1, 0), draft.at(std::max(knee.x, tip.x) + draft.between(0.05, 0.3), 0));
  return draft.between(0.5, 3);
}

double hanging_chain(SceneDraft& draft) {
  const int links = draft.count(3, 8);
  const double length = draft.between(0.08, 0.2);
  const bool straight = draft.chance(0.5);
  double angle = draft.between(-80, 10);
  Point from;
  for (int i = 0; i < links; ++i) {
    const Point to = along(from, length, angle);
    rod(draft, fmt::format("link {}", i + 1), from, to, 0.01);
    hinge(draft, i == 0 ? "world" : fmt::format("link {}", i), fmt::format("link {}", i + 1), from, true);
    from = to;
    if (!straight) angle = std::clamp(angle + draft.either_way(2, 20), -85.0, 30.0);
  }
  // Links that do not share a joint would touch each other in a tangle that tests nothing but patience.
  for (int i = 1; i <= links; ++i)
    for (int j = i + 2; j <= links; ++j)
      draft.line(fmt::format("\n[[pair]]\nbodies = [\"link {}\", \"link {}\"]\ntouches = false", i, j));
  if (draft.chance(0.6)) wall_on_the_left(draft, 0.05, 0.3);
  return draft.between(0.5, 2);
}

double slider(SceneDraft& draft) {
  const bool vertical = draft.chance(0.4);
  const double v = draft.between(0.2, 2), gap = draft.between(0.05, 0.3);
  draft.body("slider", draft.box(0.06, 0.06, 0.06), draft.at(0, 0),
             "velocity = " + draft.at(vertical ? 0 : v, vertical ? v : 0) + "\n");
  draft.joint("prismatic", "\"world\", \"slider\"", "axis = " + draft.at(vertical ? 0 : 1, vertical ? 1 : 0));
  const Solid stop = draft.box(0.04, 0.04, 0.1);
  for (const double side : {-1.0, 1.0}) {
    const double far = side * (0.05 + gap);
    draft.line(fmt::format("\n[[wall]]\nname = \"{} stop\"\nshape = {}\nposition = {}", side < 0 ? "lower" : "upper",
                           stop.shape, draft.at(vertical ? 0 : far, vertical ? far : 0)));
  }
  if (draft.chance(0.5)) {
    draft.line(fmt::format("\n[[spring]]\nbodies = [\"world\", \"slider\"]\npoints = [{}, {}]\nk = {}\nc = {}",
                           draft.at(vertical ? 0 : -1, vertical ? -1 : 0), draft.at(0, 0), draft.between(10, 500),
                           draft.chance(0.5) ? 0 : draft.between(0.1, 2)));
  }
  if (draft.chance(0.3))
    draft.line(fmt::format("\n[[force]]\nbody = \"slider\"\nforce = {}", draft.at(vertical ? 0 : 2, vertical ? 2 : 0)));
  return draft.between(0.5, 3);
}

double four_bar(SceneDraft& draft) {
  const double crank = draft.between(0.08, 0.15), rocker = draft.between(0.2, 0.35), base = draft.between(0.25, 0.4);
  const Point a, b{0, crank}, c{base, rocker}, d{base, 0};
  rod(draft, "crank", a, b, 0.01);
  rod(draft, "coupler", b, c, 0.01);
  rod(draft, "rocker", d, c, 0.01);
  hinge(draft, "world", "crank", a);
  hinge(draft, "crank", "coupler", b);
  hinge(draft, "coupler", "rocker", c);
  hinge(draft, "world", "rocker", d);
  const std::string torque = fmt::format("{}*sin({}*pi*t)", draft.either_way(0.02, 0.2), draft.count(1, 6));
  draft.line(fmt::format("\n[[force]]\nbody = \"crank\"\ntorque = {}",
                         draft.space() ? fmt::format("[0, \"-({})\", 0]", torque) : fmt::format("\"{}\"", torque)));
  if (draft.chance(0.3)) draft.gravity = 0;
  draft.line(fmt::format("\n[[wall]]\nname = \"stop\"\nshape = {}\nposition = {}", draft.ball(0.02).shape,
                         draft.at(base + 0.03 + draft.between(0.005, 0.05), 0.8 * rocker)));
  return draft.between(0.5, 3);
}

double cradle(SceneDraft& draft) {
  const double radius = draft.between(0.01, 0.04);
  const int count = draft.count(2, 6);
  draft.line(
      fmt::format("\n[[chain]]\nname = \"ball\"\ncount = {}\nshape = {}\ndensity = 7800\nstring = {}\n"
                  "lift = {{count = {}, angle = {}}}",
                  count, draft.ball(radius).shape, draft.between(0.2, 0.5), draft.count(1, std::min(2, count - 1)),
                  draft.between(5, 60)));
  if (draft.chance(0.3)) draft.line(fmt::format("gap = {}", draft.between(0.0005, 0.005)));
  return draft.between(0.5, 4);
}

}  // namespace carom::soak
