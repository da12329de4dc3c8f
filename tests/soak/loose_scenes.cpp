// Scenes of bodies that nothing but contacts connects.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene_draft.h"

namespace carom::soak {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

Solid flat_and_straight(SceneDraft& draft, double size) {
  Solid solid = draft.flat_solid(size);
  while (!solid.turn.empty()) solid = draft.flat_solid(size);
  return solid;
}

std::string velocity(const SceneDraft& draft, double x, double height, double y = 0) {
  return "velocity = " + draft.at(x, height, y) + "\n";
}

/// Balls, boxes and others on a lattice that leaves each its room; `most` of them.
void scatter(SceneDraft& draft, int most, double size, double half_width, double lowest) {
  const double pitch = 2.4 * 1.8 * size;  // a capsule reaches 1.7 sizes
  const int across = std::max(1, static_cast<int>(2 * half_width / pitch));
  for (int i = 0; i < most; ++i) {
    const int column = i % across, row = i / across;
    const double x = (column - 0.5 * (across - 1)) * pitch, height = lowest + pitch * (0.6 + row);
    const double shift = 0.15 * pitch * (row % 2 == 0 ? 1 : -1);
    draft.body(fmt::format("body {}", i + 1), draft.solid(size),
               draft.at(x + (across > 1 ? shift : 0), height, draft.space() ? -0.3 * shift : 0),
               draft.turned(draft.between(-170, 170)) +
                   (draft.chance(0.3) ? draft.spin(draft.either_way(0.5, 5), draft.between(0, 2)) : ""));
  }
}

}  // namespace

double drop(SceneDraft& draft) {
  const int count = draft.count(1, 4);
  if (draft.chance(0.15)) {
    const double tilt = draft.between(2, 15) * kDegree;
    draft.plane("floor", draft.at(std::sin(tilt), std::cos(tilt)), draft.at(0, -1));
  } else {
    draft.floor();
  }
  for (int i = 0; i < count; ++i) {
    const Solid solid = draft.solid(draft.between(0.04, 0.15));
    const double height = draft.between(0.02, 0.6) + 0.32;
    std::string more = draft.turned(draft.chance(0.3) ? 0 : draft.between(-90, 90));
    more += velocity(draft, draft.chance(0.5) ? 0 : draft.either_way(0.1, 2), 0);
    if (draft.chance(0.5)) more += draft.spin(draft.either_way(0.5, 6), draft.space() ? draft.between(0, 5) : 0);
    draft.body(fmt::format("body {}", i + 1), solid, draft.at(0.8 * i, height), more);
  }
  return draft.between(0.5, 2);
}

double slide(SceneDraft& draft) {
  draft.floor();
  const int count = draft.count(1, 3);
  double x = 0;
  for (int i = 0; i < count; ++i) {
    const Solid solid = draft.flat_solid(draft.between(0.04, 0.2));
    x += solid.side;
    std::string more = i == 0 ? velocity(draft, draft.between(0.3, 4), 0, draft.chance(0.3) ? 0.4 : 0) : "";
    if (i == 0 && draft.space() && draft.chance(0.4)) more += draft.spin(0, draft.either_way(0.5, 4));
    draft.body(fmt::format("block {}", i + 1), solid, draft.at(x, solid.below), more);
    x += solid.side + draft.between(0.05, 0.3);
  }
  if (draft.chance(0.4)) draft.plane("wall", draft.at(-1, 0), draft.at(x + 0.5, 0));
  return draft.between(0.5, 2);
}

double stack(SceneDraft& draft) {
  draft.floor();
  const int count = draft.count(2, draft.event_driven() ? 6 : 9);
  const bool dropped = draft.chance(0.4), even = draft.chance(0.3);
  double top = 0, width = draft.between(0.2, 0.4);
  for (int i = 0; i < count; ++i) {
    const Solid solid = draft.box(width, draft.between(0.06, 0.15), 0.25);
    const double gap = dropped && i + 1 == count ? draft.between(0.02, 0.2) : 0;
    draft.body(fmt::format("box {}", i + 1), solid,
               draft.at(even ? 0 : draft.between(-0.02, 0.02), top + gap + solid.below));
    top += gap + solid.height();
    if (!even) width = std::max(0.1, std::round(100 * width * 0.87) / 100);
  }
  if (draft.chance(0.3)) {  // hit from the side
    const Solid ball = draft.ball(0.05);
    draft.body("ball", ball, draft.at(-0.8, 0.5 * top + 0.05),
               velocity(draft, draft.between(1, 5), draft.between(0, 1)));
  }
  return draft.between(0.5, 2);
}

double slope(SceneDraft& draft) {
  const double degrees = draft.between(3, 40), a = degrees * kDegree;
  draft.plane("slope", draft.at(-std::sin(a), std::cos(a)), "");
  const int count = draft.count(1, 3);
  double s = 0;
  for (int i = 0; i < count; ++i) {
    const bool round = draft.chance(0.4);
    const Solid solid =
        round ? draft.ball(draft.between(0.03, 0.1)) : flat_and_straight(draft, draft.between(0.03, 0.1));
    s += solid.side;
    const double up = solid.below + (draft.chance(0.2) ? draft.between(0.01, 0.1) : 0);
    std::string more = draft.turned(degrees);
    if (draft.chance(0.4)) {
      const double v = draft.between(0.1, 2);
      more += velocity(draft, v * std::cos(a), v * std::sin(a));
    }
    draft.body(fmt::format("body {}", i + 1), solid,
               draft.at(s * std::cos(a) - up * std::sin(a), s * std::sin(a) + up * std::cos(a)), more);
    s += solid.side + draft.between(0.05, 0.3);
  }
  if (draft.chance(0.4)) draft.plane("stop", draft.at(1, 0), draft.at(-0.6, 0));
  return draft.between(0.5, 1.5);
}

double wedge(SceneDraft& draft) {
  const double a = draft.between(20, 65) * kDegree, b = draft.chance(0.5) ? a : draft.between(20, 65) * kDegree;
  draft.plane("left", draft.at(std::sin(a), std::cos(a)), "");
  draft.plane("right", draft.at(-std::sin(b), std::cos(b)), "", draft.chance(0.2) ? draft.shaking("x") : "");
  const double steep = std::max(a, b);
  double height = 0;
  const int count = draft.count(1, 3);
  for (int i = 0; i < count; ++i) {
    const Solid solid =
        draft.chance(0.5) ? draft.ball(draft.between(0.04, 0.15)) : draft.solid(draft.between(0.04, 0.12));
    const bool lies = i == 0 && draft.chance(0.3) && solid.side == solid.reach && solid.below == solid.reach;
    height += solid.reach / std::cos(steep) + (lies ? 0 : draft.between(0.02, 0.4));
    draft.body(fmt::format("body {}", i + 1), solid, draft.at(0, height),
               draft.turned(lies ? 0 : draft.between(-80, 80)));
    height += solid.reach;
  }
  return draft.between(0.5, 2);
}

double rolling(SceneDraft& draft) {
  draft.floor();
  const int count = draft.count(1, 4);
  double x = 0;
  for (int i = 0; i < count; ++i) {
    const double r = draft.between(0.03, 0.15), v = draft.between(0.2, 3),
                 slip = draft.chance(0.5) ? 1 : draft.between(-1, 2);
    x += r;
    const bool moves = i == 0 || draft.chance(0.4);
    draft.body(fmt::format("ball {}", i + 1), draft.ball(r), draft.at(x, r),
               moves ? velocity(draft, v, 0, draft.chance(0.3) ? 0.3 : 0) + draft.spin(-slip * v / r) : "");
    x += r + draft.between(0.02, 0.5);
  }
  if (draft.chance(0.6)) draft.plane("wall", draft.at(-1, 0), draft.at(x + 0.5, 0));
  return draft.between(0.5, 3);
}

double bowling(SceneDraft& draft) {
  draft.fixed_floor();
  const double r = draft.between(0.08, 0.12), v = draft.between(2, 6);
  draft.body("ball", draft.ball(r), draft.at(-0.6, r),
             velocity(draft, v, 0) + draft.spin(draft.chance(0.5) ? -v / r : 0));
  const int rows = draft.count(1, draft.event_driven() || !draft.space() ? 2 : 3);
  for (int row = 0, pin = 0; row < rows; ++row)
    for (int i = 0; i <= (draft.space() ? row : 0); ++i) {
      Solid solid = draft.box(0.08, 0.3, 0.08);
      if (draft.space() && draft.scene.seed % 2 == 0) {
        solid.shape = "{type = \"cylinder\", radius = 0.04, length = 0.3}";
        solid.turn = "orientation = {axis = [0, 1, 0], angle = 90}\n";
      }
      draft.body(fmt::format("pin {}", ++pin), solid, draft.at(0.25 * row, 0.15, 0.25 * (i - 0.5 * row)));
    }
  return draft.between(0.5, 1.5);
}

double gas(SceneDraft& draft) {
  draft.gravity = draft.chance(0.7) ? 0 : 9.81;
  const int n = draft.space() ? draft.count(2, 3) : draft.count(2, 5);
  const double radius = draft.between(0.015, 0.04);
  const std::string counts = draft.space() ? fmt::format("[{0}, {0}, {1}]", n, n) : fmt::format("[{0}, {0}]", n);
  const double low = -0.1 * (n - 1);
  draft.line(
      fmt::format("\n[[grid]]\nname = \"ball\"\ncount = {}\nspacing = 0.2\nposition = {}\nshape = {}\nmass = {}\n"
                  "speed = {}\nseed = {}",
                  counts, draft.at(low, 0.2, low), draft.ball(radius).shape, draft.between(0.01, 1),
                  draft.between(0.3, 3), draft.count(1, 1000)));
  draft.tray(0.1 * n + 0.1, draft.chance(0.2) ? draft.shaking("x") : "");
  draft.plane("lid", draft.at(0, -1), draft.at(0, 0.2 * n + 0.3));
  return draft.between(0.5, draft.gravity == 0 ? 4 : 1.5);
}

double robot(SceneDraft& draft) {
  draft.floor();
  const double a = draft.between(0.12, 0.3), b = draft.between(0.1, 0.2), leg = draft.between(0.15, 0.4), r = 0.02;
  const double short_leg = draft.chance(0.5) ? draft.between(0.005, 0.03) : 0;
  std::string feet;
  for (const double x : {a, -a})
    for (const double y : draft.space() ? std::vector<double>{b, -b} : std::vector<double>{0})
      feet += fmt::format("  {}, position = {}}},\n", draft.ball(r).shape.substr(0, draft.ball(r).shape.size() - 1),
                          draft.at(x, -leg + (x > 0 && y <= 0 ? short_leg : 0), y));
  draft.line(fmt::format("\n[[body]]\nname = \"trunk\"\nmass = {}\nshapes = [\n  {},\n{}]", draft.between(2, 15),
                         draft.box(2 * a, 0.1, 2 * b).shape, feet));
  draft.line("position = " + draft.at(0, leg + r + (draft.chance(0.3) ? 0 : draft.between(0.01, 0.3))));
  draft.line(velocity(draft, draft.chance(0.3) ? 0 : draft.either_way(0.1, 1.5), 0, draft.chance(0.3) ? 0.2 : 0));
  return draft.between(0.5, 2);
}

double ladder(SceneDraft& draft) {
  draft.fixed_floor();
  draft.plane("wall", draft.at(1, 0), "");
  const double half = draft.between(0.3, 1.5), degrees = draft.between(35, 75), a = degrees * kDegree, r = 0.02;
  const Solid rail{
      fmt::format("{{type = \"capsule\", radius = {}, length = {}}}", r, 2 * half), "", r, r, half + r, half + r};
  draft.body("ladder", rail, draft.at(r + half * std::cos(a), r + half * std::sin(a)), draft.turned(-degrees));
  if (draft.chance(0.3)) {
    const double x = draft.between(0.2, 0.8);
    draft.body("ball", draft.ball(0.06),
               draft.at(r + 2 * half * std::cos(a) * x, 3 * r + 2 * half * std::sin(a) * (1 - x) + 0.12 / std::cos(a)));
  }
  return draft.between(0.5, 1.5);
}

double dominoes(SceneDraft& draft) {
  draft.fixed_floor();
  const double a = draft.between(0.003, 0.01), b = draft.between(0.02, 0.05), w = draft.between(4, 15);
  draft.line(
      fmt::format("\n[[chain]]\nname = \"domino\"\ncount = {}\nshape = {}\ndensity = {}\nposition = {}\ngap = {}",
                  draft.count(2, draft.event_driven() ? 6 : 15), draft.box(2 * a, 2 * b, b).shape,
                  draft.one_of({600, 1000, 2000}), draft.at(0, b), draft.between(0.3, 1.2) * b));
  const std::string turn = draft.space() ? fmt::format("[0, {}, 0]", w) : fmt::format("{}", -w);
  draft.line(fmt::format("first = {{angular_velocity = {}, velocity = {}}}", turn, draft.at(w * b, w * a)));
  return draft.between(0.5, 1);
}

double pouring(SceneDraft& draft) {
  const double size = draft.between(0.02, 0.04);
  const double half_width = draft.between(0.12, 0.3);
  draft.tray(half_width, draft.chance(0.25) ? draft.shaking(draft.chance(0.5) ? "x" : draft.up()) : "");
  scatter(draft, draft.count(4, draft.event_driven() ? 10 : 30), size, half_width - 0.05, 0);
  return draft.between(0.5, 1.5);
}

double spinning(SceneDraft& draft) {
  draft.fixed_floor();
  const Solid solid =
      draft.chance(0.3) ? draft.ball(draft.between(0.05, 0.2)) : draft.flat_solid(draft.between(0.05, 0.25));
  const bool rests = draft.chance(0.7);
  std::string more = draft.space() ? draft.spin(0, draft.either_way(0.5, 8)) : draft.spin(draft.either_way(0.5, 8));
  if (draft.chance(0.5)) more += velocity(draft, draft.either_way(0.1, 2), 0);
  const bool lifted = !rests || (!draft.space() && solid.side != solid.reach);
  draft.body("top", solid, draft.at(0, lifted ? solid.reach + draft.between(0.01, 0.1) : solid.below), more);
  return draft.between(0.5, 2);
}

double rocking(SceneDraft& draft) {
  draft.floor();
  const double width = draft.between(0.1, 0.6), height = width * draft.between(1.5, 4), tilt = draft.between(1, 12);
  const double a = tilt * kDegree;
  const Solid block = draft.box(width, height, 0.3);
  // On its left lower corner, leaning to the left.
  draft.body(
      "block", block,
      draft.at(width / 2 * std::cos(a) - height / 2 * std::sin(a), width / 2 * std::sin(a) + height / 2 * std::cos(a)),
      draft.turned(tilt));
  return draft.between(0.5, 3);
}

double resting(SceneDraft& draft) {
  draft.plane("floor", "", "", draft.shaking(draft.chance(0.5) ? "x" : draft.up()));
  const int count = draft.count(1, 4);
  for (int i = 0; i < count; ++i) {
    const Solid solid =
        draft.chance(0.3) ? draft.ball(draft.between(0.04, 0.15)) : draft.flat_solid(draft.between(0.04, 0.15));
    draft.body(fmt::format("body {}", i + 1), solid, draft.at(0.5 * i, solid.below));
  }
  return draft.between(0.5, 2);
}

double row_on_a_line(SceneDraft& draft) {
  draft.gravity = draft.chance(0.5) ? 0 : 9.81;
  const int count = draft.count(1, 8);
  double x = draft.chance(0.5) ? 0 : draft.between(0.05, 0.5);
  draft.line("\n[[wall]]\nname = \"floor\"\nshape = \"plane\"");
  if (draft.chance(0.4)) draft.line(draft.shaking("x"));
  for (int i = 0; i < count; ++i) {
    const double r = draft.between(0.01, 0.05), v = draft.chance(0.4) ? 0 : draft.either_way(0.1, 2);
    x += r;
    draft.line(
        fmt::format("\n[[body]]\nname = \"ball {}\"\nshape = {{type = \"sphere\", radius = {}}}\nmass = {}\n"
                    "position = {}\nvelocity = {}",
                    i + 1, r, draft.between(0.1, 2), x, v));
    x += r + (draft.chance(0.4) ? 0 : draft.between(0.01, 0.3));
  }
  if (draft.chance(0.5))
    draft.line(
        fmt::format("\n[[wall]]\nname = \"lid\"\nshape = {{type = \"plane\", normal = [-1]}}\nposition = {}", x + 0.1));
  return draft.between(0.5, 3);
}

}  // namespace carom::soak
