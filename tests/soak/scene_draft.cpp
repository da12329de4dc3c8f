#include "scene_draft.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::soak {
namespace {

double two_digits(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
  return std::stod(fmt::format("{:.6g}", std::round(value / unit) * unit));
}

/// As short as it can be and reads back as the same number.
std::string written(double value) {
  return fmt::format("{}", value == 0 ? 0.0 : value);
}

}  // namespace

SceneDraft::SceneDraft(std::uint64_t seed, int dimension) : random_(seed) {
  scene.seed = seed;
  scene.dimension = dimension;
  for (int i = 0; i < 8; ++i) random_.uniform();
  choose_scheme_and_law();
}

void SceneDraft::choose_scheme_and_law() {
  scene.scheme = chance(0.48) ? "event-driven" : "time-stepping";
  scene.mu = chance(0.35) || scene.dimension == 1 ? 0 : between(0.05, chance(0.3) ? 1.5 : 0.8);
  scene.e = chance(0.3) ? 0 : chance(0.1) ? 1 : between(0.05, 0.95);
  const double which = random_.uniform();
  scene.law = which < 0.55 ? "newton" : which < 0.8 ? "poisson" : which < 0.9 && event_driven() ? "lzb" : "moreau";
  if (scene.law == "moreau") scene.mu = 0;
  law_ = scene.law == "moreau" ? fmt::format("{{name = \"moreau\", e = {}}}", written(scene.e))
                               : fmt::format("\"{}\"", scene.law);
  if (!event_driven())
    scheme_ = fmt::format("{{name = \"time-stepping\", step = {}}}", one_of({"5e-4", "1e-3", "1e-3", "2e-3"}));
}

double SceneDraft::between(double low, double high) {
  return std::clamp(two_digits(low + (high - low) * random_.uniform()), low, high);
}

int SceneDraft::count(int low, int high) {
  return low + std::min(high - low, static_cast<int>((high - low + 1) * random_.uniform()));
}

std::string SceneDraft::at(double x, double height, double y) const {
  return space() ? fmt::format("[{}, {}, {}]", written(x), written(y), written(height))
                 : fmt::format("[{}, {}]", written(x), written(height));
}

std::string SceneDraft::turned(double degrees) const {
  if (degrees == 0) return "";
  return space() ? fmt::format("orientation = {{axis = [0, 1, 0], angle = {}}}\n", written(-degrees))
                 : fmt::format("angle = {}\n", written(degrees));
}

std::string SceneDraft::spin(double about_horizontal, double about_vertical) const {
  return space() ? fmt::format("angular_velocity = [0, {}, {}]\n", written(-about_horizontal), written(about_vertical))
                 : fmt::format("angular_velocity = {}\n", written(about_horizontal));
}

// ---- Solids

Solid SceneDraft::box(double width, double height, double depth) const {
  Solid solid;
  solid.shape =
      space() ? fmt::format("{{type = \"box\", size = [{}, {}, {}]}}", written(width), written(depth), written(height))
              : fmt::format("{{type = \"rectangle\", size = [{}, {}]}}", written(width), written(height));
  solid.below = solid.above = height / 2;
  solid.side = width / 2;
  solid.reach = std::sqrt(width * width + height * height + (space() ? depth * depth : 0)) / 2;
  return solid;
}

Solid SceneDraft::ball(double radius) const {
  return {fmt::format("{{type = \"{}\", radius = {}}}", space() ? "sphere" : "disc", written(radius)),
          "",
          radius,
          radius,
          radius,
          radius};
}

Solid SceneDraft::flat_solid(double size) {
  const double w = two_digits(size), h = between(0.4 * size, 1.2 * size), top = between(0.3, 0.9);
  const int which = count(0, 3);
  if (which <= 1) return box(two_digits(2 * w), two_digits(2 * h), two_digits(1.6 * size));
  Solid solid;
  solid.below = solid.above = h;
  solid.side = w;
  solid.reach = std::sqrt((space() ? 2 : 1) * w * w + h * h);
  if (which == 2 && space()) {  // a cylinder on its end
    solid.shape = fmt::format("{{type = \"cylinder\", radius = {}, length = {}}}", written(w), written(2 * h));
    solid.turn = "orientation = {axis = [0, 1, 0], angle = 90}\n";
    return solid;
  }
  const double t = two_digits(w * top);
  const auto corner = [&](double x, double height, double y) { return at(x, height, y); };
  solid.shape = space() ? "{type = \"polytope\", corners = [" : "{type = \"polygon\", corners = [";
  if (space())
    for (const double y : {-1.0, 1.0})
      solid.shape += fmt::format("{}, {}, {}, {}, ", corner(-w, -h, y * w), corner(w, -h, y * w), corner(t, h, y * t),
                                 corner(-t, h, y * t));
  else
    solid.shape +=
        fmt::format("{}, {}, {}, {}, ", corner(-w, -h, 0), corner(w, -h, 0), corner(t, h, 0), corner(-t, h, 0));
  solid.shape.resize(solid.shape.size() - 2);
  solid.shape += "]}";
  return solid;
}

Solid SceneDraft::solid(double size) {
  const int which = count(0, 5);
  if (which <= 1) return flat_solid(size);
  if (which == 2) return ball(two_digits(size));
  const double radius = between(0.3 * size, 0.7 * size), length = between(0.8 * size, 2 * size);
  Solid solid;
  solid.below = solid.above = radius;
  solid.side = length / 2;
  if (which == 3) {
    solid.shape = fmt::format("{{type = \"cylinder\", radius = {}, length = {}}}", written(radius), written(length));
    solid.reach = std::hypot(radius, length / 2);
  } else if (which == 4 || chance(0.6)) {
    solid.shape = fmt::format("{{type = \"capsule\", radius = {}, length = {}}}", written(radius), written(length));
    solid.side += radius;
    solid.reach = solid.side;
  } else {
    const double other = between(0.5 * size, size);
    solid.shape = space()
                      ? fmt::format("{{type = \"ellipsoid\", axes = [{}, {}, {}]}}", written(length / 2),
                                    written(other), written(radius))
                      : fmt::format("{{type = \"ellipse\", axes = [{}, {}]}}", written(length / 2), written(radius));
    solid.reach = std::max({length / 2, other, radius});
  }
  return solid;
}

// ---- Text

std::string SceneDraft::body(const std::string& name, const Solid& solid, const std::string& position,
                             const std::string& more) {
  const bool turns = more.find("orientation") != std::string::npos || more.find("angle =") != std::string::npos;
  line(fmt::format("\n[[body]]\nname = \"{}\"\nshape = {}\ndensity = {}\nposition = {}", name, solid.shape,
                   one_of({500, 1000, 1000, 2700, 7800}), position));
  body_ += turns ? "" : solid.turn;
  body_ += more;
  return name;
}

void SceneDraft::plane(const std::string& name, const std::string& normal, const std::string& position,
                       const std::string& motion) {
  line(fmt::format("\n[[wall]]\nname = \"{}\"", name));
  line(normal.empty() ? "shape = \"plane\"" : fmt::format("shape = {{type = \"plane\", normal = {}}}", normal));
  if (!position.empty()) line("position = " + position);
  if (!motion.empty()) line(motion);
}

std::string SceneDraft::shaking(const char* axis) {
  return fmt::format("motion = {{{} = \"{}*sin(2*pi*{}*t)\"}}", axis, written(between(0.001, 0.01)),
                     written(between(1, 8)));
}

void SceneDraft::floor() {
  const int which = count(0, 9);
  if (which <= 5) return fixed_floor();
  if (which <= 7) return plane("floor", "", "", shaking(up()));
  if (which == 8) return plane("floor", "", "", shaking("x"));
  plane("floor", "", "", fmt::format("velocity = {}", at(either_way(0.1, 1), chance(0.5) ? 0 : between(-0.2, 0.2))));
}

void SceneDraft::tray(double half_width, const std::string& motion) {
  line("\n[[wall]]\nname = \"tray\"\nshapes = [\n  {type = \"plane\"},");
  for (const double side : {1.0, -1.0}) {
    line(fmt::format("  {{type = \"plane\", normal = {}, position = {}}},", at(side, 0), at(-side * half_width, 0)));
    if (space())
      line(fmt::format("  {{type = \"plane\", normal = {}, position = {}}},", at(0, 0, side),
                       at(0, 0, -side * half_width)));
  }
  line("]");
  if (!motion.empty()) line(motion);
}

void SceneDraft::joint(const std::string& type, const std::string& bodies, const std::string& more) {
  line(fmt::format("\n[[joint]]\ntype = \"{}\"\nbodies = [{}]\n{}", type, bodies, more));
}

RandomScene SceneDraft::finished(double duration) const {
  RandomScene result = scene;
  result.toml = fmt::format("# seed {}: {}\n", scene.seed, scene.kind);
  if (scene.dimension != 2) result.toml += fmt::format("dimension = {}\n", scene.dimension);
  result.toml += fmt::format("gravity = {}\nduration = {}\nlaw = {}\n", written(gravity), written(duration), law_);
  if (!scheme_.empty()) result.toml += "scheme = " + scheme_ + "\n";
  result.toml += fmt::format("contact = {{e = {}, mu = {}}}\n", written(scene.e), written(scene.mu));
  result.toml += body_;
  return result;
}

}  // namespace carom::soak
