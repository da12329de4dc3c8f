// Contact points of polygons, capsules and discs in the plane. A contact is a corner of one outline on a side of the
// other, with that side's normal, or two corners, with the normal along the line that joins them.

#include "carom/geometry/plane/outline_contacts.h"

#include <algorithm>
#include <cmath>

namespace carom::geometry::plane {
namespace {

constexpr double kSame = 1e-9;       // points closer than this part of the outlines' size are one
constexpr double kFacing = 0.9;      // a side takes part if its normal is that close to the contact's (cosine)
constexpr double kTouching = 1e-12;  // below this part of the size a distance has no direction

/// A contact of the corners' hulls, radii not yet taken off; normal from a to b.
struct Meet {
  double gap = 0;
  Vector2 point_a, point_b, normal;
  Feature feature;
};

double size_of(const Outline& a, const Outline& b) {
  const auto extent = [](const Outline& o) {
    double most = o.radius;
    for (const Vector2& corner : o.corners) most = std::max(most, (corner - o.corners.front()).cwiseAbs().maxCoeff());
    return most;
  };
  return std::max(extent(a), extent(b));
}

Meet mirrored(const Meet& meet) {
  return {meet.gap, meet.point_b, meet.point_a, -meet.normal, meet.feature.exchanged()};
}

Element corner_element(const Outline& outline, std::size_t i) {
  return {outline.radius > 0 ? Element::Kind::ball : Element::Kind::corner, static_cast<std::int32_t>(i)};
}

/// Corner j of b against side i of a.
Meet on_side(const Outline& a, std::size_t i, const Outline& b, std::size_t j) {
  const Vector2 normal = a.normal(i);
  const double gap = normal.dot(b.corners[j] - a.corners[i]);
  return {gap,
          b.corners[j] - gap * normal,
          b.corners[j],
          normal,
          {{Element::Kind::face, static_cast<std::int32_t>(i)}, corner_element(b, j)}};
}
/// The same with the parts exchanged: corner i of a against side j of b.
Meet on_other_side(const Outline& a, std::size_t i, const Outline& b, std::size_t j) {
  return mirrored(on_side(b, j, a, i));
}

/// Does the point lie over the side, with some slack?
bool over(const Outline& a, std::size_t side, const Vector2& point, double slack) {
  const Vector2 along = (a.corner(side + 1) - a.corner(side));
  const double length = along.norm(), place = along.dot(point - a.corner(side)) / length;
  return place >= -slack && place <= length + slack;
}

/// The side of a with the largest separation from b, and b's corner nearest to it.
struct Separation {
  double gap = -std::numeric_limits<double>::infinity();
  std::size_t side = 0, corner = 0;
};
Separation separation(const Outline& a, const Outline& b) {
  Separation best;
  for (std::size_t i = 0; i < a.sides(); ++i) {
    const Vector2 normal = a.normal(i);
    std::size_t deepest = 0;
    for (std::size_t j = 1; j < b.corners.size(); ++j)
      if (normal.dot(b.corners[j] - b.corners[deepest]) < 0) deepest = j;
    const double gap = normal.dot(b.corners[deepest] - a.corners[i]);
    if (gap > best.gap) best = {gap, i, deepest};
  }
  return best;
}

Meet corners_meet(const Outline& a, std::size_t i, const Outline& b, std::size_t j, double size) {
  const Vector2 across = b.corners[j] - a.corners[i];
  const double gap = across.norm();
  const Vector2 normal = gap > kTouching * size ? Vector2(across / gap) : Vector2::UnitX();
  return {gap, a.corners[i], b.corners[j], normal, {corner_element(a, i), corner_element(b, j)}};
}

/// The two nearest corners.
Meet nearest_corners(const Outline& a, const Outline& b, double size) {
  std::size_t best_i = 0, best_j = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < a.corners.size(); ++i)
    for (std::size_t j = 0; j < b.corners.size(); ++j)
      if (const double distance = (b.corners[j] - a.corners[i]).squaredNorm(); distance < least) {
        least = distance;
        best_i = i;
        best_j = j;
      }
  return corners_meet(a, best_i, b, best_j, size);
}

/// The nearest corner of b over a side of a that it is outside of, if it is nearer than `best`.
template <class MeetAt>
void take_nearer_side(const Outline& a, const Outline& b, MeetAt meet_at, Meet& best) {
  for (std::size_t i = 0; i < a.sides(); ++i)
    for (std::size_t j = 0; j < b.corners.size(); ++j) {
      if (!over(a, i, b.corners[j], 0)) continue;
      const Meet meet = meet_at(i, j);
      if (meet.gap >= 0 && meet.gap < best.gap) best = meet;
    }
}

/// Does the corner lie over the side that it meets?
bool in_place(const Outline& a, const Outline& b, const Meet& meet, double slack) {
  const auto [part_a, part_b] = meet.feature;
  if (part_a.kind == Element::Kind::face) return over(a, static_cast<std::size_t>(part_a.first), meet.point_b, slack);
  if (part_b.kind == Element::Kind::face) return over(b, static_cast<std::size_t>(part_b.first), meet.point_a, slack);
  return true;
}

Meet nearest(const Outline& a, const Outline& b, double size) {
  const Separation of_a = separation(a, b), of_b = separation(b, a);
  const bool has_sides = a.sides() + b.sides() > 0;
  const auto across_side = [&] {
    return of_a.gap >= of_b.gap ? on_side(a, of_a.side, b, of_a.corner) : on_other_side(a, of_b.corner, b, of_b.side);
  };
  // They overlap or touch. If only the corners of two sides touch, either side's normal will do.
  if (has_sides && std::max(of_a.gap, of_b.gap) <= kTouching * size) return across_side();
  Meet best = nearest_corners(a, b, size);
  take_nearer_side(
      a, b, [&](std::size_t i, std::size_t j) { return on_side(a, i, b, j); }, best);
  take_nearer_side(
      b, a, [&](std::size_t j, std::size_t i) { return on_other_side(a, i, b, j); }, best);
  if (!has_sides || best.feature.a.kind == Element::Kind::face || best.feature.b.kind == Element::Kind::face)
    return best;
  // Of sides of equal length on each other rounding puts the corners beside the sides: the side's normal holds.
  const Meet beside = across_side();
  return best.gap - beside.gap <= kSame * size && in_place(a, b, beside, kSame * size) ? beside : best;
}

/// The side of a whose normal is closest to n.
std::size_t facing(const Outline& a, const Vector2& n) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < a.sides(); ++i)
    if (a.normal(i).dot(n) > a.normal(best).dot(n)) best = i;
  return best;
}

/// Ends of b's facing side over a's facing side.
template <class MeetAt>
void add_ends(const Outline& a, const Outline& b, const Vector2& n, double slack, MeetAt meet_at,
              std::vector<Meet>& found) {
  if (a.sides() == 0 || b.sides() == 0) return;
  const std::size_t i = facing(a, n), side = facing(b, -n);
  if (a.normal(i).dot(n) < kFacing) return;
  for (const std::size_t j : {side, (side + 1) % b.corners.size()})
    if (over(a, i, b.corners[j], slack)) found.push_back(meet_at(i, j));
}

/// Puts the nearest to the front of the ends of facing sides. It is one of these where they are in the same place: then
/// the contact keeps its feature whatever rounding does to the gaps. And of sides on each other the deepest corner may
/// be one that sticks out; an end that lies over the other side is as deep.
void put_nearest_first(const Outline& a, const Outline& b, const Meet& nearest, double slack, std::vector<Meet>& ends) {
  const auto same = [&](const Meet& m) {
    return (m.point_a - nearest.point_a).norm() <= slack && (m.point_b - nearest.point_b).norm() <= slack;
  };
  auto first = std::find_if(ends.begin(), ends.end(), same);
  if (first == ends.end() && !in_place(a, b, nearest, slack)) {
    first = std::min_element(ends.begin(), ends.end(), [](const Meet& p, const Meet& q) { return p.gap < q.gap; });
    if (first != ends.end() && first->gap > nearest.gap + slack) first = ends.end();
  }
  if (first == ends.end())
    ends.insert(ends.begin(), nearest);
  else
    std::rotate(ends.begin(), first, first + 1);
}

ContactPoint lifted(double gap, const Vector2& point_a, const Vector2& point_b, const Vector2& normal,
                    const Feature& feature) {
  const auto lift = [](const Vector2& v) { return Vector3(v.x(), v.y(), 0); };
  return {gap, lift(point_a), lift(point_b), lift(normal), feature};
}

}  // namespace

std::optional<Outline> outline(const Shape& shape, const Pose& pose) {
  return std::visit(
      [&]<class S>(const S& one) -> std::optional<Outline> {
        if constexpr (HullInPlane<S>)
          return one.outline(pose);
        else
          return {};
      },
      shape);
}

void outline_contacts(const Outline& a, const Outline& b, double margin, std::vector<ContactPoint>& points) {
  const double size = size_of(a, b), slack = kSame * size, radii = a.radius + b.radius;
  const Meet first = nearest(a, b, size);
  const Vector2 n = first.normal;
  std::vector<Meet> found;
  add_ends(
      a, b, n, slack, [&](std::size_t i, std::size_t j) { return on_side(a, i, b, j); }, found);
  add_ends(
      b, a, -n, slack, [&](std::size_t j, std::size_t i) { return on_other_side(a, i, b, j); }, found);
  put_nearest_first(a, b, first, slack, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Meet& meet = found[i];
    const bool known = std::any_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(i), [&](const Meet& m) {
      return (m.point_a - meet.point_a).norm() <= slack || (m.point_b - meet.point_b).norm() <= slack;
    });
    if (known || (i > 0 && meet.gap - radii > margin)) continue;
    points.push_back(lifted(meet.gap - radii, meet.point_a + a.radius * meet.normal,
                            meet.point_b - b.radius * meet.normal, meet.normal, meet.feature));
  }
}

}  // namespace carom::geometry::plane
