#include "geometry/curvature.h"

#include <cmath>

#include "geometry/infinity.h"
#include "geometry/surface.h"

namespace carom::geometry {
namespace {

constexpr double kOnFace = 1e-7;  // part of the size within which a point lies on a face

Curvature round(double radius, const Vector3& normal) {
  return {1 / radius, 1 / radius, normal.unitOrthogonal()};
}
Curvature flat(const Vector3& normal) {
  return {0, 0, normal.unitOrthogonal()};
}
Curvature corner(const Vector3& normal) {
  return {kInfinity, kInfinity, normal.unitOrthogonal()};
}
Curvature edge(const Vector3& along, const Vector3& normal, double least = 0) {
  return {kInfinity, least, along.cross(normal).stableNormalized()};
}

Curvature of_level(const LevelSet& level) {
  const Vector3& g = level.gradient;
  const Matrix3& H = level.hessian;
  const Vector3 n = g.stableNormalized(), t = n.unitOrthogonal(), s = n.cross(t);
  const double a = t.dot(H * t), b = t.dot(H * s), c = s.dot(H * s), middle = (a + c) / 2;
  const double half = std::hypot((a - c) / 2, b), angle = std::atan2(b, (a - c) / 2) / 2, steep = g.norm();
  return {(middle + half) / steep, std::max(0.0, (middle - half) / steep), std::cos(angle) * t + std::sin(angle) * s};
}

/// The planes of faces through a point: none or one, it is flat there; two, an edge; more, a corner.
class Faces {
 public:
  explicit Faces(const Vector3& normal) : normal_(normal) {}
  void add(const Vector3& face_normal) {
    if (count_ > 0 && face_normal.dot(first_) > 1 - 1e-12) return;
    if (count_ == 1) along_ = first_.cross(face_normal);
    if (count_ >= 2 && std::abs(along_.stableNormalized().dot(face_normal)) < 1e-9) return;  // the same edge
    if (count_ == 0) first_ = face_normal;
    ++count_;
  }
  Curvature curvature() const {
    return count_ < 2 ? flat(normal_) : count_ == 2 ? edge(along_, normal_) : corner(normal_);
  }

 private:
  Vector3 normal_, first_, along_;
  int count_ = 0;
};

struct CurvatureAt {
  const Vector3 &x, &n;  // in the frame of the shape

  Curvature operator()(const Sphere& s) const { return round(s.radius, n); }
  Curvature operator()(const Box& s) const {
    Faces faces(n);
    for (int i = 0; i < 3; ++i)
      if (std::abs(std::abs(x[i]) - s.half[i]) <= kOnFace * s.half.maxCoeff())
        faces.add(std::copysign(1.0, x[i]) * Vector3::Unit(i));
    return faces.curvature();
  }
  Curvature operator()(const Capsule& s) const {
    if (std::abs(x.x()) >= s.half_length * (1 - kOnFace)) return round(s.radius, n);
    return {1 / s.radius, 0, Vector3::UnitX().cross(n).stableNormalized()};
  }
  Curvature operator()(const Cylinder& s) const {
    const double slack = kOnFace * std::max(s.radius, s.half_length), r = std::hypot(x.y(), x.z());
    const bool side = r >= s.radius - slack, end = std::abs(x.x()) >= s.half_length - slack;
    const Vector3 around = Vector3(0, -x.z(), x.y()).stableNormalized();
    // A rim is an edge that turns with the normal's part across the axis.
    if (side && end) return edge(around, n, std::hypot(n.y(), n.z()) / s.radius);
    if (end) return flat(n);
    return {1 / s.radius, 0, around};
  }
  Curvature operator()(const Ellipsoid& s) const { return of_level(level_set(s, x)); }
  Curvature operator()(const Superellipsoid& s) const { return of_level(level_set(s, x)); }
  Curvature operator()(const HalfSpace&) const { return flat(n); }
  Curvature operator()(const Polygon& s) const {
    Faces faces(n);
    double size = 0;
    for (const auto& c : s.corners) size = std::max(size, c.norm());
    for (std::size_t i = 0; i < s.corners.size(); ++i) {
      const Eigen::Vector2d along = s.corners[(i + 1) % s.corners.size()] - s.corners[i];
      const Eigen::Vector2d out = Eigen::Vector2d(along.y(), -along.x()).stableNormalized();
      if (std::abs(out.dot(x.head<2>() - s.corners[i])) <= kOnFace * size) faces.add({out.x(), out.y(), 0});
    }
    return faces.curvature();
  }
  Curvature operator()(const Polytope& s) const {
    Faces faces(n);
    double size = 0;
    for (const Vector3& c : s.corners) size = std::max(size, (c - s.corners[0]).norm());
    for (const std::vector<int>& f : s.faces) {
      const Vector3& o = s.corners[f[0]];
      const Vector3 out = (s.corners[f[1]] - o).cross(s.corners[f[2]] - o).stableNormalized();
      if (std::abs(out.dot(x - o)) <= kOnFace * size) faces.add(out);
    }
    return faces.curvature();
  }
};

}  // namespace

Curvature curvature(const Shape& shape, const Pose& pose, const Vector3& point, const Vector3& normal) {
  const Vector3 x = pose.to_local(point), n = pose.orientation.conjugate() * normal;
  Curvature result = std::visit(CurvatureAt{x, n}, shape);
  result.direction = pose.orientation * result.direction;
  return result;
}

}  // namespace carom::geometry
