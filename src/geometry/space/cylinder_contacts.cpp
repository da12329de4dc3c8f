#include "carom/geometry/space/cylinder_contacts.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/space/crossing_curves.h"
#include "carom/geometry/space/solid_contacts.h"

namespace carom::geometry::space {
namespace {

constexpr double kFacingParts = 0.9;    // cosine up to which parts face each other
constexpr double kSamePoint = 1e-8;     // points closer than this part of the size are one
constexpr double kParallelAxes = 1e-4;  // sine up to which two axes share a line of contact

/// A cylinder at its place.
struct Can {
  const Cylinder& shape;
  const Pose& pose;
  Vector3 axis;

  Curve rim(double side) const {
    const Vector3 u = pose.orientation * Vector3(0, shape.radius, 0),
                  v = pose.orientation * Vector3(0, 0, shape.radius);
    return {Curve::Kind::circle, end(side), u, v};
  }
  Vector3 end(double side) const { return pose.position + std::copysign(shape.half_length, side) * axis; }
  bool over_end(const Vector3& point) const {
    const Vector3 r = point - pose.position;
    return (r - r.dot(axis) * axis).norm() <= shape.radius * (1 + kSamePoint);
  }
};
Can can(const Shape& shape, const Pose& pose) {
  return {std::get<Cylinder>(shape), pose, pose.orientation * Vector3::UnitX()};
}

/// Contacts of a cylinder and another shape; normals from the cylinder to the other.
class CylinderContacts {
 public:
  CylinderContacts(const Shape& cylinder, const Pose& pose, const Shape& other, const Pose& pose_other,
                   const Vector3& normal)
      : can_(can(cylinder, pose)), n_(normal), solid_(solid(other, pose_other)) {
    if (std::holds_alternative<Cylinder>(other)) other_can_.emplace(can(other, pose_other));
    rims_on_faces();
    corners_on_end();
    edges_across_side();
    lines_across_rim();
    rims_across();
    ends_of_common_line();
  }
  const std::vector<ContactPoint>& found() const { return found_; }

 private:
  using Kind = Element::Kind;

  Element corner_of_other(int corner) const { return {solid_->radius > 0 ? Kind::ball : Kind::corner, corner}; }
  Element edge_of_other(const Solid::Edge& e) const {
    return solid_->radius > 0 ? Element{Kind::tube} : edge_between(e.from, e.to);
  }

  void add(double gap, const Vector3& on_cylinder, const Vector3& on_other, const Vector3& n, const Feature& feature) {
    found_.push_back({gap, on_cylinder, on_other, n, feature});
  }

  void rims_on_faces() {
    const double size = std::max(can_.shape.radius, can_.shape.half_length);
    const auto rest = [&](const Vector3& m, const Vector3& origin, int face, auto over) {
      if (m.dot(-n_) < kFacingParts) return;
      for (const SurfacePlace& p : can_.shape.rim_points(can_.pose, -m)) {
        const double gap = m.dot(p.point - origin);
        if (over(p.point)) add(gap, p.point, p.point - gap * m, -m, {p.element, {Kind::face, face}});
      }
    };
    if (solid_ && !solid_->normals.empty()) {
      const int face = solid_->facing(-n_);
      rest(solid_->normals[face], solid_->corners[solid_->face(face)[0]], face,
           [&](const Vector3& p) { return solid_->over(face, p, kSamePoint * size); });
    }
    if (other_can_) {
      const double to_us = -n_.dot(other_can_->axis);
      rest(std::copysign(1.0, to_us) * other_can_->axis, other_can_->end(to_us), to_us > 0 ? 1 : 0,
           [&](const Vector3& p) { return other_can_->over_end(p); });
    }
  }

  void corners_on_end() {
    const double along = n_.dot(can_.axis);
    if (!solid_ || std::abs(along) < kFacingParts) return;
    const Vector3 m = std::copysign(1.0, along) * can_.axis;
    const auto rest = [&](int corner) {
      const Vector3 point = solid_->corners[corner] - solid_->radius * m;
      const double gap = m.dot(point - can_.end(along));
      if (can_.over_end(point))
        add(gap, point - gap * m, point, m, {{Kind::face, along > 0 ? 1 : 0}, corner_of_other(corner)});
    };
    if (solid_->normals.empty()) {
      for (std::size_t i = 0; i < solid_->corners.size(); ++i) rest(static_cast<int>(i));
    } else {
      for (const int corner : solid_->face(solid_->facing(-n_))) rest(corner);
    }
  }

  void edges_across_side() {
    if (!solid_ || std::abs(n_.dot(can_.axis)) > 0.4) return;
    const Vector3 from = can_.end(-1), u = can_.end(1) - from;
    for (const Solid::Edge& e : solid_->facing_edges(-n_)) {
      const Vector3 v = solid_->along(e), between = solid_->corners[e.from] - from;
      if (is_along(v)) continue;  // they share a line
      Vector3 across = u.cross(v);
      const double square = across.squaredNorm();
      const double s = between.cross(v).dot(across) / square, t = between.cross(u).dot(across) / square;
      across /= std::sqrt(square);
      if (across.dot(n_) < 0) across = -across;
      if (s < 0 || s > 1 || t < 0 || t > 1 || across.dot(n_) < kFacingParts) continue;
      const double gap = across.dot(between) - can_.shape.radius - solid_->radius;
      add(gap, from + s * u + can_.shape.radius * across, solid_->corners[e.from] + t * v - solid_->radius * across,
          across, {{Kind::tube}, edge_of_other(e)});
    }
  }

  /// `radius`: around the other curve.
  void add_crossing(const Curve& rim_curve, double angle, const Curve& other, double t, const Feature& feature,
                    double radius = 0) {
    const auto found = crossing(rim_curve, angle, other, t, n_);
    if (!found || found->n.dot(n_) < kFacingParts) return;
    if (other.kind == Curve::Kind::line && (found->t < 0 || found->t > 1)) return;
    add(found->gap - radius, found->point_a, found->point_b - radius * found->n, found->n, feature);
  }

  /// A line, with a radius around it, over both places where it crosses the rim of an end; the second one along it is
  /// `ahead`.
  void line_across_rim(const Curve& line, double radius, const Element& element, int ahead) {
    const double along = n_.dot(can_.axis), r = can_.shape.radius;
    const Curve rim_curve = can_.rim(along);
    const Vector3 o = line.origin - rim_curve.origin;
    const Eigen::Vector2d p(o.dot(rim_curve.u) / r, o.dot(rim_curve.v) / r);
    const Eigen::Vector2d d(line.u.dot(rim_curve.u) / r, line.u.dot(rim_curve.v) / r);
    const double square = d.squaredNorm(), middle = -p.dot(d) / square;
    const double rest = r * r - (p + middle * d).squaredNorm();
    if (!(rest > 0)) return;
    for (const double sign : {-1.0, 1.0}) {
      const double t = middle + sign * std::sqrt(rest / square);
      const Eigen::Vector2d x = p + t * d;
      add_crossing(rim_curve, std::atan2(x.y(), x.x()), line, t,
                   {{Kind::rim, along > 0 ? 1 : 0, sign > 0 ? ahead : 3 - ahead}, element}, radius);
    }
  }

  /// What crosses the rim of an end that faces it: edges of a face, a capsule, or the side of a cylinder, that lie on
  /// it.
  void lines_across_rim() {
    if (std::abs(n_.dot(can_.axis)) < kFacingParts) return;
    if (solid_ && !solid_->normals.empty())
      for (const Solid::Edge& e : solid_->facing_edges(-n_))  // counted from the lower corner
        line_across_rim({Curve::Kind::line, solid_->corners[e.from], solid_->along(e)}, 0, edge_between(e.from, e.to),
                        e.from < e.to ? 1 : 2);
    else if (solid_ && !solid_->edges.empty())
      line_across_rim({Curve::Kind::line, solid_->corners[0], solid_->corners[1] - solid_->corners[0]}, solid_->radius,
                      {Kind::tube}, 1);
    if (other_can_)
      line_across_rim({Curve::Kind::line, other_can_->end(-1), other_can_->end(1) - other_can_->end(-1)},
                      other_can_->shape.radius, {Kind::tube}, 1);
  }

  /// Rims of two ends that stand on each other.
  void rims_across() {
    const double along = n_.dot(can_.axis);
    if (!other_can_ || std::abs(along) < kFacingParts || std::abs(n_.dot(other_can_->axis)) < kFacingParts) return;
    const double to_us = -n_.dot(other_can_->axis), r = can_.shape.radius, R = other_can_->shape.radius;
    const Curve ours = can_.rim(along), theirs = other_can_->rim(to_us);
    const Vector3 o = theirs.origin - ours.origin;
    const Eigen::Vector2d d(o.dot(ours.u) / r, o.dot(ours.v) / r);
    const double D = d.norm();
    if (!(D > std::abs(R - r) && D < R + r)) return;
    const double half = std::acos(std::clamp((D * D + r * r - R * R) / (2 * D * r), -1.0, 1.0));
    for (const double sign : {-1.0, 1.0}) {
      const double angle = std::atan2(d.y(), d.x()) + sign * half;
      const Vector3 x = ours.at(angle) - theirs.origin;
      const int which = (sign > 0) == (along > 0) ? 1 : 2;  // seen along the normal, the same from either cylinder
      add_crossing(ours, angle, theirs, std::atan2(x.dot(theirs.v), x.dot(theirs.u)),
                   {{Kind::rim, along > 0 ? 1 : 0, which}, {Kind::rim, to_us > 0 ? 1 : 0, which}});
    }
  }

  bool is_along(const Vector3& line) const { return line.cross(can_.axis).norm() <= kParallelAxes * line.norm(); }

  /// With a parallel cylinder, capsule or edge.
  void ends_of_common_line() {
    if (std::abs(n_.dot(can_.axis)) > kParallelAxes) return;
    if (other_can_) {
      const Element tube{Kind::tube}, start{Kind::ball, 0}, end{Kind::ball, 1};
      ends_with({other_can_->end(-1), other_can_->end(1), other_can_->shape.radius, tube, start, end});
    }
    if (!solid_) return;
    for (const Solid::Edge& e : solid_->facing_edges(-n_))
      ends_with({solid_->corners[e.from], solid_->corners[e.to], solid_->radius, edge_of_other(e),
                 corner_of_other(e.from), corner_of_other(e.to)});
  }

  /// A line of the other shape, with a radius around it.
  struct Line {
    Vector3 from, to;
    double radius;
    Element along, start, end;

    bool has_foot(const Vector3& point, Vector3& foot) const {
      const double s = (to - from).dot(point - from) / (to - from).squaredNorm();
      foot = from + s * (to - from);
      return s >= -kSamePoint && s <= 1 + kSamePoint;
    }
  };

  void ends_with(const Line& line) {
    if (!is_along(line.to - line.from)) return;
    const Line own{can_.end(-1), can_.end(1), can_.shape.radius, {Kind::tube}, {Kind::ball, 0}, {Kind::ball, 1}};
    const auto beside = [&](const Vector3& on_can, const Vector3& on_other, const Feature& feature) {
      const Vector3 across = on_other - on_can;
      const double distance = across.norm();
      if (distance <= kSamePoint * can_.shape.radius || across.dot(n_) < kFacingParts * distance) return;
      const Vector3 n = across / distance;
      add(distance - own.radius - line.radius, on_can + own.radius * n, on_other - line.radius * n, n, feature);
    };
    Vector3 x;
    if (line.has_foot(own.from, x)) beside(own.from, x, {own.start, line.along});
    if (line.has_foot(own.to, x)) beside(own.to, x, {own.end, line.along});
    if (own.has_foot(line.from, x)) beside(x, line.from, {own.along, line.start});
    if (own.has_foot(line.to, x)) beside(x, line.to, {own.along, line.end});
  }

  Can can_;
  Vector3 n_;
  std::optional<Solid> solid_;
  std::optional<Can> other_can_;
  std::vector<ContactPoint> found_;
};

bool in_same_place(const ContactPoint& p, const ContactPoint& q, double slack) {
  return (p.point_a - q.point_a).norm() <= slack && (p.point_b - q.point_b).norm() <= slack;
}

/// Before the gaps are compared, so that the feature kept does not depend on rounding.
void keep_first_of_each_place(double slack, std::vector<ContactPoint>& found) {
  std::vector<ContactPoint> kept;
  for (const ContactPoint& p : found)
    if (std::none_of(kept.begin(), kept.end(), [&](const ContactPoint& q) { return in_same_place(p, q, slack); }))
      kept.push_back(p);
  found = std::move(kept);
}

}  // namespace

void cylinder_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       const ContactPoint& nearest, double margin, std::vector<ContactPoint>& points) {
  std::vector<ContactPoint> found;
  if (std::holds_alternative<Cylinder>(a)) found = CylinderContacts(a, pose_a, b, pose_b, nearest.normal).found();
  if (std::holds_alternative<Cylinder>(b)) {
    const CylinderContacts of_b(b, pose_b, a, pose_a, -nearest.normal);
    for (const ContactPoint& p : of_b.found())
      found.push_back({p.gap, p.point_b, p.point_a, -p.normal, p.feature.exchanged()});
  }
  const double slack = kSamePoint * std::min(reach(a), reach(b));
  keep_first_of_each_place(slack, found);
  const auto least = std::min_element(found.begin(), found.end(),
                                      [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; });
  // The nearest point itself is one of those found, unless it belongs to a rim and an edge or the like.
  if (least == found.end() || std::abs(least->gap - nearest.gap) > slack)
    found.insert(found.begin(), nearest);
  else
    std::iter_swap(found.begin(), least);
  const ContactPoint first = found.front();
  for (const ContactPoint& p : found)
    if (&p == &found.front() || (p.gap <= margin && !in_same_place(p, first, slack))) points.push_back(p);
}

}  // namespace carom::geometry::space
