#include "carom/geometry/contact_points.h"

#include <cmath>

#include "carom/base/error.h"
#include "carom/geometry/half_space_contacts.h"
#include "carom/geometry/infinity.h"
#include "carom/geometry/plane/outline_contacts.h"
#include "carom/geometry/space/curved_contacts.h"
#include "carom/geometry/space/cylinder_contacts.h"
#include "carom/geometry/space/solid_contacts.h"

namespace carom::geometry {
namespace {

ContactPoint exchanged(const ContactPoint& point) {
  return {point.gap, point.point_b, point.point_a, -point.normal, point.feature.exchanged()};
}

/// The part of the x axis that a shape covers.
struct Interval {
  double low = -kInfinity, high = kInfinity;
};
Interval interval(const Shape& shape, const Pose& pose) {
  if (const HalfSpace* half_space = std::get_if<HalfSpace>(&shape)) {
    const double along = (pose.orientation * half_space->normal).x();
    if (along > 0) return {-kInfinity, pose.position.x()};
    if (along < 0) return {pose.position.x(), kInfinity};
    throw InputError("shape", "the normal of a half-space on the line points along the line");
  }
  const Vector3 axis = pose.orientation.conjugate() * Vector3::UnitX();
  return {pose.position.x() + axis.dot(support_point(shape, -axis)),
          pose.position.x() + axis.dot(support_point(shape, axis))};
}

ContactPoint on_line(const Interval& a, const Interval& b) {
  const double right = b.low - a.high, left = a.low - b.high;  // b to the right of a, to the left
  const bool to_right = right >= left;
  const double x_a = to_right ? a.high : a.low, x_b = to_right ? b.low : b.high;
  return {to_right ? right : left,
          Vector3(x_a, 0, 0),
          Vector3(x_b, 0, 0),
          Vector3(to_right ? 1 : -1, 0, 0),
          {{Element::Kind::corner, to_right ? 1 : 0}, {Element::Kind::corner, to_right ? 0 : 1}}};
}

/// Two balls, by far the most frequent pair. Concentric ones get the x axis for a normal.
ContactPoint of_balls(const Sphere& a, const Vector3& centre_a, const Sphere& b, const Vector3& centre_b) {
  const Vector3 d = centre_b - centre_a;
  const double distance = d.norm();
  const Vector3 n = distance > 0 ? Vector3(d / distance) : Vector3::UnitX();
  return {distance - a.radius - b.radius,
          centre_a + a.radius * n,
          centre_b - b.radius * n,
          n,
          {{Element::Kind::ball}, {Element::Kind::ball}}};
}

void in_plane(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
              std::vector<ContactPoint>& points) {
  const auto outline_a = plane::outline(a, pose_a), outline_b = plane::outline(b, pose_b);
  if (outline_a && outline_b) return plane::outline_contacts(*outline_a, *outline_b, margin, points);
  points.push_back(space::curved_contact(a, pose_a, b, pose_b, Dimension::plane));
}

void in_space(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
              std::vector<ContactPoint>& points) {
  const auto solid_a = space::solid(a, pose_a), solid_b = space::solid(b, pose_b);
  if (solid_a && solid_b) return space::solid_contacts(*solid_a, *solid_b, margin, points);
  const ContactPoint nearest = space::curved_contact(a, pose_a, b, pose_b, Dimension::space);
  if (std::holds_alternative<Cylinder>(a) || std::holds_alternative<Cylinder>(b))
    return space::cylinder_contacts(a, pose_a, b, pose_b, nearest, margin, points);
  points.push_back(nearest);
}

}  // namespace

void contact_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                    Dimension dimension, std::vector<ContactPoint>& points) {
  if (dimension == Dimension::line) {
    points.push_back(on_line(interval(a, pose_a), interval(b, pose_b)));
  } else if (const HalfSpace* below = std::get_if<HalfSpace>(&a)) {
    half_space_contacts(*below, pose_a, b, pose_b, margin, dimension, points);
  } else if (const HalfSpace* above = std::get_if<HalfSpace>(&b)) {
    const std::size_t first = points.size();
    half_space_contacts(*above, pose_b, a, pose_a, margin, dimension, points);
    for (std::size_t i = first; i < points.size(); ++i) points[i] = exchanged(points[i]);
  } else if (std::holds_alternative<Sphere>(a) && std::holds_alternative<Sphere>(b)) {
    points.push_back(of_balls(std::get<Sphere>(a), pose_a.position, std::get<Sphere>(b), pose_b.position));
  } else if (dimension == Dimension::plane) {
    in_plane(a, pose_a, b, pose_b, margin, points);
  } else {
    in_space(a, pose_a, b, pose_b, margin, points);
  }
}

ContactPoint nearest_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            Dimension dimension) {
  std::vector<ContactPoint> points;
  contact_points(a, pose_a, b, pose_b, -kInfinity, dimension, points);
  return points.at(0);
}

}  // namespace carom::geometry
