#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/geometry/surface_mesh.h"
#include "carom/record/film_strip.h"
#include "carom/record/short_names.h"
#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using Pixel = Svg::Point;

constexpr int kColumns = 4;
constexpr double kPanel = 290, kGutter = 14, kStripMargin = 26, kStripTop = 84, kCaption = 26;  // [pixels]
constexpr double kTitleLetter = 13;                                                             // [pixels] wide
constexpr double kLowest = 72, kHighest = 290;                                                  // of a panel
constexpr double kAir = 0.06;                // of a panel around what moves
constexpr std::size_t kPartsMeasured = 500;  // of more, only how far they reach
constexpr std::size_t kPartsDrawn = 4000;    // of a moment, evenly taken from more
// of the size of the scene, how far walls without an end are drawn to each side: alone or in the plane, several in
// space
constexpr double kWall = 4, kFloor = 1.1;
constexpr double kFarAway = 1e300;   // [m] behind everything
constexpr double kPoint = 0.015;     // of the size of the scene: the radius of bodies without a shape
constexpr double kNeverFlat = 0.12;  // of the longer side: panels are at least that high

constexpr std::array<const char*, 8> kFew = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                             "#56b4e9", "#d55e00", "#8a7fd6", "#a3a500"};
constexpr std::array<std::array<int, 3>, 6> kMany = {
    {{54, 88, 184}, {47, 127, 181}, {63, 167, 163}, {141, 187, 108}, {227, 178, 60}, {224, 122, 63}}};

using Rgb = std::array<double, 3>;

Rgb rgb_of(const char* hex) {
  const unsigned long value = std::stoul(hex + 1, nullptr, 16);
  return {static_cast<double>(value >> 16 & 255), static_cast<double>(value >> 8 & 255),
          static_cast<double>(value & 255)};
}

/// The colour of the i-th of n bodies: few have their own, many pass from cold to warm.
Rgb body_colour(std::size_t i, std::size_t n) {
  if (n <= kFew.size()) return rgb_of(kFew[i]);
  const double x = static_cast<double>(i) / static_cast<double>(n - 1) * (kMany.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(x), kMany.size() - 2);
  Rgb mixed;
  for (std::size_t c = 0; c < 3; ++c)
    mixed[c] = kMany[k][c] + (kMany[k + 1][c] - kMany[k][c]) * (x - static_cast<double>(k));
  return mixed;
}

std::string hex_of(const Rgb& colour, double light) {
  std::string text = "#";
  for (const double value : colour)
    text += fmt::format("{:02x}", static_cast<int>(std::clamp(std::round(value * light), 0.0, 255.0)));
  return text;
}

/// From where the scene is seen: in the plane the front, in space from the right, the front and above.
struct Camera {
  explicit Camera(Dimension dimension) {
    if (dimension != Dimension::space) return;
    toward = Vector3(0.55, -1, 0.42).normalized();
    right = Vector3::UnitZ().cross(toward).normalized();
    up = toward.cross(right);
  }
  Pixel flat(const Vector3& p) const { return {right.dot(p), up.dot(p)}; }

  Vector3 right = Vector3::UnitX(), up = Vector3::UnitY(), toward = Vector3::UnitZ();
};

/// Something of a moment: its depth decides what covers what.
struct Drawn {
  double depth = 0;  // towards the eye [m]
  std::string svg;
};

/// The rectangle that all moments fill [m], walls without an end aside.
struct FilmFrame {
  Pixel low = Pixel::Constant(std::numeric_limits<double>::infinity()), high = -low;

  void take(const Pixel& p, double reach) {
    low = low.cwiseMin((p.array() - reach).matrix());
    high = high.cwiseMax((p.array() + reach).matrix());
  }
};

/// Draws moments of one scene on one scale.
class Film {
 public:
  Film(const Model& model, const std::vector<FilmMoment>& moments) : model_(model), camera_(model.dimension()) {
    for (const Body& body : model.bodies()) {
      numbers_.push_back(body.is_free() ? static_cast<int>(free_++) : -1);
      parts_ += body.parts.size();
      for (const geometry::Part& part : body.parts) endless_ += std::isfinite(geometry::reach(part.shape)) ? 0 : 1;
    }
    stride_ = std::max<std::size_t>(1, (parts_ + kPartsDrawn - 1) / kPartsDrawn);
    for (const FilmMoment& one : moments) take(one.state);
    settle();
  }

  double width() const { return panel_.x(); }
  double height() const { return panel_.y(); }
  double pixels_per_metre() const { return scale_; }
  std::size_t one_of() const { return stride_; }

  /// What a moment shows, from the back to the front, in pixels of its panel.
  std::string moment(const FilmMoment& one) const {
    std::vector<Drawn> all;
    std::size_t count = 0;
    for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) {
      const Pose pose = model_.pose(body, one.state);
      for (const geometry::Part& part : model_.bodies()[body].parts)
        if (count++ % stride_ == 0) draw(all, body, pose * part.pose, part.shape);
      if (model_.bodies()[body].parts.empty() && numbers_[body] >= 0) draw_ball(all, body, pose, kPoint * size_);
    }
    draw_links(all, one.state);
    std::stable_sort(all.begin(), all.end(), [](const Drawn& x, const Drawn& y) { return x.depth < y.depth; });
    std::string text;
    for (const Drawn& drawn : all) text += drawn.svg;
    return text + rings(one.touches);
  }

 private:
  void take(const State& state) {
    for (int body = 0; body < static_cast<int>(model_.bodies().size()); ++body) {
      const Pose pose = model_.pose(body, state);
      for (const geometry::Part& part : model_.bodies()[body].parts) {
        const double reach = geometry::reach(part.shape);
        if (!std::isfinite(reach)) continue;
        if (geometry::ball_radius(part.shape) || parts_ > kPartsMeasured)
          fill(pose.to_world(part.pose.position), reach);
        else  // from where a shape is told, it may reach farther to one side
          for (const Vector3& point :
               geometry::surface_mesh(part.shape, model_.dimension(), 12, 1, Vector3::Zero()).points)
            fill((pose * part.pose).to_world(point), 0);
      }
      if (model_.bodies()[body].is_free()) fill(pose.position, 0);
    }
    for (const Joint& joint : model_.description().joints)
      for (const Anchor& anchor : {joint.a, joint.b}) fill(model_.pose(anchor.body, state).to_world(anchor.point), 0);
  }

  void fill(const Vector3& at, double reach) {
    frame_.take(camera_.flat(at), reach);
    low_ = low_.cwiseMin((at.array() - reach).matrix());
    high_ = high_.cwiseMax((at.array() + reach).matrix());
  }

  /// Chooses the panel's height and the scale.
  void settle() {
    if (!(frame_.low.x() <= frame_.high.x())) fill(Vector3::Zero(), 1);
    Pixel span = frame_.high - frame_.low;
    const double longer = std::max(span.maxCoeff(), 1e-300);
    span = span.cwiseMax(Pixel::Constant(kNeverFlat * longer)) * (1 + 2 * kAir);
    const double tall = std::clamp(kPanel * span.y() / span.x(), kLowest, kHighest);
    panel_ = {kPanel, tall};
    scale_ = std::min(panel_.x() / span.x(), panel_.y() / span.y());
    size_ = longer;
  }

  Pixel pixel(const Vector3& p) const {
    const Pixel away = camera_.flat(p) - 0.5 * (frame_.low + frame_.high);
    return {0.5 * panel_.x() + scale_ * away.x(), 0.5 * panel_.y() - scale_ * away.y()};
  }
  Rgb colour(int body) const {
    static constexpr Rgb wall = {214, 208, 196};
    return numbers_[body] < 0 ? wall : body_colour(static_cast<std::size_t>(numbers_[body]), free_);
  }
  bool in_space() const { return model_.dimension() == Dimension::space; }

  void draw(std::vector<Drawn>& all, int body, const Pose& pose, const geometry::Shape& shape) const {
    const double depth = camera_.toward.dot(pose.position);
    if (const std::optional<double> radius = geometry::ball_radius(shape)) return draw_ball(all, body, pose, *radius);
    const bool endless = !std::isfinite(geometry::reach(shape));
    const geometry::SurfaceMesh mesh =
        geometry::surface_mesh(shape, model_.dimension(), parts_ < 200 ? 28 : 12,
                               (in_space() && endless_ > 1 ? kFloor : kWall) * size_, pose.to_local(middle()));
    if (endless && !in_space()) return all.push_back({-kFarAway, edge(mesh, pose, body)});
    for (const std::vector<int>& face : mesh.faces) {
      Vector3 centre = Vector3::Zero(), normal = Vector3::Zero();
      std::vector<Vector3> corners;
      for (const int i : face) corners.push_back(pose.to_world(mesh.points[static_cast<std::size_t>(i)]));
      for (std::size_t i = 0; i < corners.size(); ++i) {
        centre += corners[i] / static_cast<double>(corners.size());
        normal += corners[i].cross(corners[(i + 1) % corners.size()]);
      }
      if (in_space() && normal.dot(camera_.toward) <= 0 && !endless) continue;  // it looks away
      all.push_back({endless              ? -kFarAway
                     : in_space()         ? camera_.toward.dot(centre)
                     : numbers_[body] < 0 ? depth - size_
                                          : depth,
                     polygon(corners, colour(body), in_space() ? light(normal) : 1)});
    }
  }

  /// Circles around contacts, smaller where contacts lie close together.
  std::string rings(const std::vector<Vector3>& touches) const {
    constexpr double kLeast = 1.6, kMost = 5;  // [pixels]
    std::vector<Pixel> at;
    for (const Vector3& touch : touches) at.push_back(pixel(touch));
    double radius = kMost;
    for (std::size_t i = 0; i + 1 < at.size(); ++i)
      if (const double apart = (at[i + 1] - at[i]).norm(); apart > 0.5)
        radius = std::min(radius, std::max(kLeast, 0.45 * apart));
    std::string text;
    for (const Pixel& one : at)
      text += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"none\" stroke=\"#d55e00\" "
          "stroke-width=\"{:.1f}\"/>\n",
          one.x(), one.y(), radius, 0.4 * radius);
    return text;
  }

  /// The middle of what all moments fill.
  Vector3 middle() const { return 0.5 * (low_ + high_); }

  /// A half-space of the plane, from its edge to beyond the panel.
  std::string edge(const geometry::SurfaceMesh& mesh, const Pose& pose, int body) const {
    constexpr double kBeyond = 60;  // of the depth that the mesh has
    if (mesh.points.size() < 4) return "";
    const Vector3 a = pose.to_world(mesh.points[0]), b = pose.to_world(mesh.points[1]);
    const Vector3 down = kBeyond * (pose.to_world(mesh.points[3]) - a);
    return polygon({a, b, b + down, a + down}, colour(body), 1);
  }

  /// How bright a face is with this normal: the sun stands to the left, in front and above.
  static double light(const Vector3& normal) {
    const double along = normal.norm() > 0 ? normal.normalized().dot(Vector3(-0.3, -0.5, 0.81).normalized()) : 1;
    return 0.72 + 0.36 * std::max(0.0, along);
  }

  std::string polygon(const std::vector<Vector3>& corners, const Rgb& colour, double light) const {
    std::string points;
    for (const Vector3& corner : corners) {
      const Pixel at = pixel(corner).cwiseMax(-4 * kPanel).cwiseMin(5 * kPanel);
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", at.x(), at.y());
    }
    return fmt::format(
        "<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.8\" "
        "stroke-linejoin=\"round\"/>\n",
        points, hex_of(colour, light), hex_of(colour, in_space() ? light : 0.62));
  }

  void draw_ball(std::vector<Drawn>& all, int body, const Pose& pose, double radius) const {
    const Pixel at = pixel(pose.position);
    const double r = std::max(scale_ * radius, 0.6);
    std::string svg = fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.2f}\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"{:.2f}\"/>\n",
        at.x(), at.y(), r, hex_of(colour(body), 1), hex_of(colour(body), 0.62), std::min(0.9, 0.2 * r));
    if (in_space() && r > 3)
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.2f}\" fill=\"#ffffff\" fill-opacity=\"0.28\"/>\n",
                         at.x() - 0.3 * r, at.y() - 0.35 * r, 0.42 * r);
    if (!in_space() && r > 4) {  // a radius, so that turning shows
      const Pixel tip = pixel(pose.to_world(0.85 * radius * Vector3::UnitX()));
      svg += fmt::format(
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
          "stroke-width=\"{:.2f}\"/>\n",
          at.x(), at.y(), tip.x(), tip.y(), hex_of(colour(body), 0.62), std::clamp(0.12 * r, 0.6, 2.0));
    }
    all.push_back({camera_.toward.dot(pose.position), std::move(svg)});
  }

  void draw_links(std::vector<Drawn>& all, const State& state) const {
    const auto at = [&](const Anchor& anchor) { return model_.pose(anchor.body, state).to_world(anchor.point); };
    for (const Joint& joint : model_.description().joints) {
      const Vector3 a = at(joint.a), b = at(joint.b);
      const Pixel pa = pixel(a), pb = pixel(b);
      const double depth = std::max(camera_.toward.dot(a), camera_.toward.dot(b));
      if (joint.kind == Joint::Kind::distance)
        all.push_back({in_space() ? depth : depth - 0.5 * size_,
                       fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#4a4f55\" "
                                   "stroke-width=\"1.1\"/>\n",
                                   pa.x(), pa.y(), pb.x(), pb.y())});
      if (joint.kind != Joint::Kind::fixed)
        all.push_back({depth + size_, fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\" fill=\"#4a4f55\"/>\n",
                                                  pa.x(), pa.y())});
    }
    for (const Spring& spring : model_.description().springs) all.push_back(coil(at(spring.a), at(spring.b)));
  }

  /// A spring as a zigzag.
  Drawn coil(const Vector3& a, const Vector3& b) const {
    constexpr int kTurns = 9;
    constexpr double kHalfWidth = 5;  // [pixels]
    const Pixel from = pixel(a), to = pixel(b), along = to - from;
    const Pixel across = along.norm() > 0 ? Pixel(Pixel(-along.y(), along.x()) / along.norm()) : Pixel::Zero().eval();
    std::string points = fmt::format("{:.1f},{:.1f}", from.x(), from.y());
    for (int i = 0; i < 2 * kTurns; ++i) {
      const Pixel p =
          from + (0.08 + 0.84 * (i + 0.5) / (2 * kTurns)) * along + (i % 2 == 0 ? 1 : -1) * kHalfWidth * across;
      points += fmt::format(" {:.1f},{:.1f}", p.x(), p.y());
    }
    return {
        std::max(camera_.toward.dot(a), camera_.toward.dot(b)),
        fmt::format("<polyline points=\"{} {:.1f},{:.1f}\" fill=\"none\" stroke=\"#4a4f55\" stroke-width=\"1.2\"/>\n",
                    points, to.x(), to.y())};
  }

  const Model& model_;
  Camera camera_;
  std::vector<int> numbers_;  // of the bodies among the free ones, -1: not free
  std::size_t free_ = 0, parts_ = 0, endless_ = 0, stride_ = 1;
  FilmFrame frame_;
  Vector3 low_ = Vector3::Constant(kFarAway), high_ = -low_;  // [m] the same in space
  Pixel panel_ = {kPanel, kPanel};
  double scale_ = 1, size_ = 1;  // [pixels/m], [m]
};

/// A time with four digits, in a run that lasts until `end` [s]: short ones are told in ms or µs.
std::string moment_text(double t, double end) {
  const Unit unit = end < 0.1 ? readable_unit(end, "s") : Unit{"s", 1};
  const double value = t / unit.factor;
  return fmt::format("{} {}", value < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value), unit.name);
}

/// One column less where that leaves fewer places of the last row empty.
int columns_of(int count) {
  const auto empty = [&](int columns) { return (columns - count % columns) % columns; };
  return count <= kColumns ? std::max(count, 1) : empty(kColumns - 1) < empty(kColumns) ? kColumns - 1 : kColumns;
}

/// A round length that is drawn some eighty pixels long.
double round_length(double pixels_per_metre) {
  const double wish = 80 / pixels_per_metre, power = std::pow(10, std::floor(std::log10(wish)));
  return power * (wish >= 5 * power ? 5 : wish >= 2 * power ? 2 : 1);
}

}  // namespace

std::string film_svg(const std::string& title, const Model& model, const std::vector<FilmMoment>& moments) {
  const Film film(model, moments);
  const int count = static_cast<int>(moments.size()), columns = columns_of(count);
  const int rows = (count + columns - 1) / columns;
  const double row = film.height() + kCaption + kGutter;
  const double width = std::max(2 * kStripMargin + columns * (film.width() + kGutter) - kGutter, 520.0);
  Svg svg(width, kStripTop + rows * row + 34);
  svg.text({kStripMargin, 38}, short_name(title, static_cast<std::size_t>((width - 2 * kStripMargin) / kTitleLetter)),
           "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  const std::string thinned =
      film.one_of() > 1 ? fmt::format("; one of {} shapes is drawn", film.one_of()) : std::string();
  svg.text({kStripMargin, 60},
           model.dimension() == Dimension::space ? "seen from the front, the right and above" + thinned
                                                 : "seen from the front" + thinned,
           "fill=\"#555555\" font-size=\"13\"");
  svg.raw(fmt::format("<defs><clipPath id=\"panel\"><rect width=\"{0}\" height=\"{1}\" rx=\"6\"/></clipPath></defs>\n",
                      film.width(), film.height()));
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const double x =
        kStripMargin + static_cast<double>(i % static_cast<std::size_t>(columns)) * (film.width() + kGutter);
    const double y = kStripTop + static_cast<double>(i / static_cast<std::size_t>(columns)) * row;
    svg.raw(
        fmt::format("<g transform=\"translate({:.1f} {:.1f})\"><g clip-path=\"url(#panel)\"><rect width=\"{}\" "
                    "height=\"{}\" fill=\"#f6f4ef\"/>\n{}</g></g>\n",
                    x, y, film.width(), film.height(), film.moment(moments[i])));
    svg.text({x + 2, y + film.height() + 17},
             fmt::format("t = {}{}{}", moment_text(moments[i].state.t, moments.back().state.t),
                         moments[i].what.empty() ? "" : ", ", moments[i].what),
             "fill=\"#333333\" font-size=\"13\"");
  }
  const double length = round_length(film.pixels_per_metre()), drawn = length * film.pixels_per_metre();
  const double y = kStripTop + rows * row + 12;
  svg.line({kStripMargin, y}, {kStripMargin + drawn, y}, "stroke=\"#333333\" stroke-width=\"2\"");
  const Unit unit = readable_unit(length, "m");
  svg.text({kStripMargin + drawn + 8, y + 5}, fmt::format("{} {}", number(length / unit.factor), unit.name),
           "fill=\"#333333\" font-size=\"13\"");
  return svg.finish();
}

}  // namespace carom::record
