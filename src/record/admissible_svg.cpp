#include "carom/record/admissible_svg.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/analysis/kinetic_metric.h"
#include "carom/record/label_places.h"
#include "carom/record/short_names.h"
#include "carom/record/svg.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

using Point = Svg::Point;
using Polygon = std::vector<Point>;

constexpr double kCentreX = 290, kCentreY = 356;                     // of the energy circle
constexpr double kRadius = 200;                                      // of the energy circle
constexpr double kReach = 1.25;                                      // of the cones, in radii
constexpr int kArc = 720;                                            // corners of a circle
constexpr double kMarkKeyTop = 118, kMarkKeyLine = 17, kKeyGap = 9;  // of the key [pixels]
constexpr std::size_t kKeyWidth = 33;                                // characters that fit beside the circle
constexpr std::size_t kLongestContact = 26;                          // characters of a contact's name beside its arrow
constexpr double kDotSize = 1.6, kCloudDot = 2.6;                    // [pixels]
constexpr double kMarkSize = 6;                                      // of the dot of a mark [pixels]
constexpr double kNameLetter = 7.3, kNumberLetter = 9;               // how wide letters are, about [pixels]
constexpr const char* kBefore = "before";
constexpr std::size_t kFewDots = 24;
constexpr double kSameSpot = 0.01;  // marks closer than this, in radii, share a dot
constexpr double kFarthest = 3;     // of the energy circle's radius: what is farther away is not in the picture

constexpr double kParallelContacts = 1e-9;  // of 1 - |cosine|: nearer, they are one direction

constexpr std::array<const char*, 6> kMarkColours = {"#b5179e", "#e36414", "#0f6b5c", "#5a3fb8", "#8a5a00", "#c1121f"};

/// The plane of the kinetic normals n1 and n2, placed left and right of the upward axis.
struct Plane {
  explicit Plane(const analysis::AdmissibleSet& set) : problem(set.contact_problem()) {
    const Matrix A = analysis::kinetic_cosines(problem);
    if (A.rows() != 2)
      throw InputError("contacts", fmt::format("there are {}; the picture of the admissible set needs two", A.rows()));
    if (std::abs(A(0, 1)) > 1 - kParallelContacts)
      throw InputError("contacts", "are parallel; the picture of the admissible set needs two independent contacts");
    const double half = 0.5 * std::acos(A(0, 1));
    normal = {Point(-std::sin(half), std::cos(half)), Point(std::sin(half), std::cos(half))};
    reach = {Point(-std::cos(half), std::sin(half)), Point(std::cos(half), std::sin(half))};
    rows << normal[0].transpose(), normal[1].transpose();
  }

  /// A velocity relative to the moving walls, from its normal components.
  Point of(const Vector& gamma) const { return rows.inverse() * analysis::kinetic_normal_velocities(problem, gamma); }
  Point of_velocity(const Vector& u) const {
    Vector gamma = problem.impact->W.transpose() * u;
    if (problem.impact->drift.size() > 0) gamma += problem.impact->drift;
    return of(gamma(problem.row));
  }

  const ContactProblem& problem;
  std::array<Point, 2> normal;  // opening contact i means normal_i . x >= 0
  std::array<Point, 2> reach;   // contact i presses: reach_i . (x - x-) >= 0
  Eigen::Matrix2d rows;
};

/// The part of a convex polygon with n . (x - through) >= 0.
Polygon clipped(const Polygon& polygon, const Point& n, const Point& through) {
  Polygon result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double at_a = n.dot(a - through), at_b = n.dot(b - through);
    if (at_a >= 0) result.push_back(a);
    if ((at_a >= 0) != (at_b >= 0)) result.push_back(a + at_a / (at_a - at_b) * (b - a));
  }
  return result;
}

Polygon circle(double radius) {
  Polygon result;
  for (int i = 0; i < kArc; ++i) {
    const double angle = 2 * std::numbers::pi * i / kArc;
    result.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return result;
}

/// Writes shapes given in the units of the plane, of which `unit` are drawn kRadius long.
class Drawing {
 public:
  Drawing(double unit, double height) : unit_(unit), svg_(Svg::kWidth, height) {}

  void polygon(const Polygon& points, const char* style) {
    Polygon pixels;
    for (const Point& point : points) pixels.push_back(pixel(point));
    svg_.polygon(pixels, style);
  }
  void ring(double radius, const char* style) { svg_.circle({kCentreX, kCentreY}, kRadius * radius / unit_, style); }
  void line(const Point& a, const Point& b, const char* style) { svg_.line(pixel(a), pixel(b), style); }
  void dot(const Point& p, double size, const char* style) { svg_.circle(pixel(p), size, style); }
  void arrow(const Point& a, const Point& b, const char* colour) {
    const Point along = (b - a).normalized(), across(-along.y(), along.x());
    const double head = 0.05 * unit_;
    line(a, b - 0.5 * head * along, fmt::format("stroke=\"{}\" stroke-width=\"2\"", colour).c_str());
    polygon({b, b - head * along + 0.4 * head * across, b - head * along - 0.4 * head * across},
            fmt::format("fill=\"{}\"", colour).c_str());
  }
  void label(const LabelPlaces::Place& place, const std::string& text, const std::string& style) {
    svg_.text(place.at, text, style + (place.ends_at_point ? " text-anchor=\"end\"" : ""));
  }
  void label_at(double px, double py, const std::string& text, const char* style) { svg_.text({px, py}, text, style); }
  void raw(const std::string& text) { svg_.raw(text); }
  std::string finish() const { return svg_.finish(); }
  Point pixel(const Point& p) const { return {kCentreX + kRadius * p.x() / unit_, kCentreY - kRadius * p.y() / unit_}; }

 private:
  double unit_;
  Svg svg_;
};

/// A place in the plane with all that stands there.
struct Spot {
  Point at;
  std::string label;
};

std::vector<Spot> merged(const Plane& plane, const std::vector<Mark>& marks, double same) {
  std::vector<Spot> spots;
  for (const Mark& mark : marks) {
    const Point at = plane.of_velocity(mark.u_plus);
    const auto there =
        std::find_if(spots.begin(), spots.end(), [&](const Spot& spot) { return (spot.at - at).norm() <= same; });
    if (there == spots.end())
      spots.push_back({at, mark.label});
    else
      there->label += ", " + mark.label;
  }
  return spots;
}

/// How much of the plane is shown, in radii: the energy circle, and all marks and dots that are not too far away.
double shown_radii(const Plane& plane, const std::vector<Spot>& spots, const std::vector<Dots>& cloud, double radius) {
  double most = kReach;
  const auto take = [&](const Point& at) {
    if (const double away = at.norm() / radius; away <= kFarthest) most = std::max(most, away);
  };
  for (const Spot& spot : spots) take(spot.at);
  for (const Dots& dots : cloud)
    for (const Vector& sample : dots.u_plus) take(plane.of_velocity(sample));
  return most;
}

std::string mark_style(std::size_t mark) {
  return fmt::format("fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"1.5\"", kMarkColours[mark % kMarkColours.size()]);
}

struct KeyEntry {
  std::string swatch;  // SVG around the origin
  std::string text;
};

/// A text in lines that fit into the key, broken behind words, and within words that are too long themselves.
std::vector<std::string> key_lines(const std::string& text) {
  std::vector<std::string> lines = {""};
  std::string word;
  const auto place = [&] {
    if (!lines.back().empty() && width(lines.back() + word) > kKeyWidth) lines.emplace_back();
    lines.back() += word;
    word.clear();
  };
  for (const char c : text) {
    if (c == ' ' && lines.back().empty() && word.empty()) continue;
    if ((c & 0xc0) != 0x80 && width(word) == kKeyWidth) place();
    word += c;
    if (c == ' ') place();
  }
  place();
  return lines;
}

double key_height(const std::vector<KeyEntry>& keys) {
  double height = kMarkKeyTop;
  for (const KeyEntry& key : keys) height += kKeyGap + kMarkKeyLine * static_cast<double>(key_lines(key.text).size());
  return height;
}

void draw_key(Drawing& drawing, const std::vector<KeyEntry>& keys) {
  double y = kMarkKeyTop;
  for (const KeyEntry& key : keys) {
    drawing.raw(fmt::format("<g transform=\"translate(606 {})\">{}</g>\n", y - 5, key.swatch));
    for (const std::string& line : key_lines(key.text)) {
      drawing.label_at(626, y, line, "fill=\"#333333\" font-size=\"13\"");
      y += kMarkKeyLine;
    }
    y += kKeyGap;
  }
}

/// What the picture's colours and marks mean.
std::vector<KeyEntry> key_of(const std::vector<Spot>& spots, const std::vector<Dots>& cloud, double farthest) {
  std::vector<KeyEntry> keys = {
      {"<rect x=\"-8\" y=\"-7\" width=\"16\" height=\"14\" fill=\"#dbe9f6\"/>", "opens both contacts"},
      {"<rect x=\"-8\" y=\"-7\" width=\"16\" height=\"14\" fill=\"#f4a259\" fill-opacity=\"0.3\"/>",
       "reached by pressing"},
      {"<circle r=\"7\" fill=\"none\" stroke=\"#222222\" stroke-width=\"1.5\"/>", "same kinetic energy"},
      {"<circle r=\"7\" fill=\"none\" stroke=\"#222222\" stroke-dasharray=\"3 3\"/>", "least kinetic energy"},
      {"<rect x=\"-8\" y=\"-7\" width=\"16\" height=\"14\" fill=\"#2a9d8f\" fill-opacity=\"0.55\" stroke=\"#1d6f65\"/>",
       "admissible"},
      {"<line x1=\"-8\" x2=\"8\" stroke=\"#b5179e\" stroke-width=\"3\"/>", "Moreau's law, e = 0 to 1"},
      {"<circle r=\"5\" fill=\"#ffffff\" stroke=\"#b5179e\" stroke-width=\"2.5\"/>", "maximal dissipation"}};
  for (const Dots& dots : cloud)
    keys.push_back({fmt::format("<circle r=\"{}\" fill=\"{}\"/>", kDotSize + 1, dots.colour), dots.label});
  for (std::size_t i = 0; i < spots.size(); ++i)
    keys.push_back(
        {fmt::format("<circle r=\"6\" {}/>", mark_style(i)),
         fmt::format("{}: {}{}", i + 1, spots[i].label, spots[i].at.norm() > farthest ? ", far outside" : "")});
  return keys;
}

/// The picture, with dots of a size [pixels].
std::string plane_picture(const analysis::AdmissibleSet& set, const std::vector<Mark>& marks,
                          const std::vector<Dots>& cloud, double dot_size, const std::string& title) {
  const Plane plane(set);
  const ContactProblem& problem = plane.problem;
  const Point origin = Point::Zero();
  const Point before = plane.of(problem.gamma_minus(problem.row));
  const double radius = before.norm();
  if (!(radius > 0)) throw InputError("u", "moves neither contact; there is no impact to show");
  const std::vector<Spot> spots = merged(plane, marks, kSameSpot * radius);
  const double shown = shown_radii(plane, spots, cloud, radius) * radius;
  const Polygon everything = circle(shown);

  Polygon opening = everything, reachable = everything, admissible = circle(radius);
  for (int i = 0; i < 2; ++i) {
    opening = clipped(opening, plane.normal[i], origin);
    reachable = clipped(reachable, plane.reach[i], before);
    admissible = clipped(clipped(admissible, plane.normal[i], origin), plane.reach[i], before);
  }

  const std::vector<KeyEntry> keys = key_of(spots, cloud, shown);
  Drawing drawing(shown / kReach, std::max(Svg::kHeight, key_height(keys)));
  drawing.label_at(32, 40, title, "fill=\"#111111\" font-size=\"20\" font-weight=\"bold\"");
  drawing.label_at(32, 62,
                   fmt::format("plane of the kinetic normals; kinetic angle {:.1f}°",
                               analysis::kinetic_angles(problem)(0, 1) * 180 / std::numbers::pi),
                   "fill=\"#555555\"");
  if (opening.size() > 2) drawing.polygon(opening, "fill=\"#dbe9f6\"");
  if (reachable.size() > 2) drawing.polygon(reachable, "fill=\"#f4a259\" fill-opacity=\"0.22\"");
  if (admissible.size() > 2)
    drawing.polygon(admissible, "fill=\"#2a9d8f\" fill-opacity=\"0.55\" stroke=\"#1d6f65\" stroke-width=\"1.5\"");
  drawing.ring(radius, "fill=\"none\" stroke=\"#222222\" stroke-width=\"1.5\"");

  const Point v = set.possible() ? plane.of_velocity(set.max_dissipation()) : origin;
  if (set.possible() && v.norm() > 1e-6 * radius)
    drawing.ring(v.norm(), "fill=\"none\" stroke=\"#222222\" stroke-width=\"1\" stroke-dasharray=\"4 4\"");
  const auto draw_dots = [&](const Dots& dots, double size, const char* style) {
    for (const Vector& sample : dots.u_plus)
      if (const Point at = plane.of_velocity(sample); at.norm() <= shown)
        drawing.dot(at, size, fmt::format("fill=\"{}\" {}", dots.colour, style).c_str());
  };
  for (const Dots& dots : cloud)
    if (dots.u_plus.size() > kFewDots) draw_dots(dots, dot_size, "fill-opacity=\"0.55\"");
  for (const Dots& dots : cloud)  // few ones would be lost among many
    if (dots.u_plus.size() <= kFewDots) draw_dots(dots, 1.6 * dot_size, "stroke=\"#ffffff\"");
  const std::vector<std::string> names =
      short_names({problem.contacts()[0].name, problem.contacts()[1].name}, kLongestContact);
  for (std::size_t i = 0; i < 2; ++i) drawing.arrow(origin, 0.45 * radius * plane.normal[i], "#3a6ea5");
  if (set.possible()) {
    drawing.line(v, 2 * v - before, "stroke=\"#b5179e\" stroke-width=\"3\"");
    drawing.dot(v, 5, "fill=\"#ffffff\" stroke=\"#b5179e\" stroke-width=\"2.5\"");
  }
  drawing.dot(before, 6, "fill=\"#222222\"");
  LabelPlaces places;
  places.avoid(drawing.pixel(before), kMarkSize);
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (spots[i].at.norm() > shown) continue;
    drawing.dot(spots[i].at, kMarkSize, mark_style(i).c_str());
    places.avoid(drawing.pixel(spots[i].at), kMarkSize + 1);
  }
  // texts cover no marks
  for (std::size_t i = 0; i < 2; ++i)
    drawing.label(places.beside(drawing.pixel(0.45 * radius * plane.normal[i]), names[i], kNameLetter, 10, i == 0),
                  names[i], "fill=\"#3a6ea5\"");
  drawing.label(places.beside(drawing.pixel(before), kBefore, kNameLetter, 12, before.x() < 0), kBefore,
                "fill=\"#222222\"");
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (spots[i].at.norm() > shown) continue;
    const std::string number = std::to_string(i + 1);
    drawing.label(places.beside(drawing.pixel(spots[i].at), number, kNumberLetter, 9), number,
                  fmt::format("fill=\"{}\" font-weight=\"bold\"", kMarkColours[i % kMarkColours.size()]));
  }
  draw_key(drawing, keys);
  return drawing.finish();
}

}  // namespace

std::string admissible_svg(const analysis::AdmissibleSet& set, const std::vector<Mark>& marks,
                           const std::vector<Vector>& samples) {
  std::vector<Dots> dots;
  if (!samples.empty()) dots.push_back({fmt::format("{} samples", samples.size()), "#0b4f47", samples});
  return plane_picture(set, marks, dots, kDotSize, "Admissible velocities after the impact");
}

bool has_plane(const analysis::AdmissibleSet& set) {
  const ContactProblem& problem = set.contact_problem();
  return problem.size() == 2 && std::abs(analysis::kinetic_cosines(problem)(0, 1)) <= 1 - kParallelContacts &&
         problem.gamma_minus(problem.row).squaredNorm() > 0;
}

std::string cloud_svg(const analysis::AdmissibleSet& set, const std::vector<Mark>& marks,
                      const std::vector<Dots>& cloud) {
  return plane_picture(set, marks, cloud, kCloudDot, "What may happen, in what mechanics allows");
}

}  // namespace carom::record
