#include "carom/geometry/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace carom::geometry {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

std::vector<int> ring(int first, int count, bool reversed) {
  std::vector<int> face(static_cast<std::size_t>(count));
  std::iota(face.begin(), face.end(), first);
  if (reversed) std::reverse(face.begin(), face.end());
  return face;
}

/// A surface around the x axis: circles of `around` points, one after another along it, closed by their first and last
/// as faces. point(j, angle) is on the j-th circle.
template <class Point>
SurfaceMesh around_axis(int circles, int around, Point&& point) {
  SurfaceMesh mesh;
  for (int j = 0; j < circles; ++j)
    for (int i = 0; i < around; ++i) mesh.points.push_back(point(j, kTurn * i / around));
  for (int j = 0; j + 1 < circles; ++j)
    for (int i = 0; i < around; ++i) {
      const int next = (i + 1) % around, here = j * around, there = here + around;
      mesh.faces.push_back({here + i, there + i, there + next, here + next});
    }
  mesh.faces.push_back(ring(0, around, false));
  mesh.faces.push_back(ring((circles - 1) * around, around, true));
  for (std::vector<int>& face : mesh.faces) std::reverse(face.begin(), face.end());
  return mesh;
}

/// Directions from the pole -x to the pole +x; small circles stand for the poles.
Vector3 direction(int j, int circles, double angle) {
  const double latitude = std::numbers::pi * (0.01 + 0.98 * j / (circles - 1));
  return {-std::cos(latitude), std::sin(latitude) * std::cos(angle), std::sin(latitude) * std::sin(angle)};
}

int circles_of(int fineness) {
  return std::max(4, fineness / 2 + 1);
}

SurfaceMesh in_space(const Sphere& sphere, int fineness, double, const Vector3&) {
  const int circles = circles_of(fineness);
  return around_axis(circles, fineness,
                     [&](int j, double angle) -> Vector3 { return sphere.radius * direction(j, circles, angle); });
}

/// Where a smooth shape ends along its axes: directions stretched like this lie closer where it is pointed.
template <SmoothShape S>
Vector3 half_axes(const S& shape) {
  return {1 / shape.gauge(Vector3::UnitX()), 1 / shape.gauge(Vector3::UnitY()), 1 / shape.gauge(Vector3::UnitZ())};
}

template <SmoothShape S>
SurfaceMesh in_space(const S& shape, int fineness, double, const Vector3&) {
  const int circles = circles_of(fineness);
  return around_axis(circles, fineness, [&, axes = half_axes(shape)](int j, double angle) -> Vector3 {
    const Vector3 d = axes.cwiseProduct(direction(j, circles, angle));
    return d / shape.gauge(d);
  });
}

SurfaceMesh in_space(const Capsule& capsule, int fineness, double, const Vector3&) {
  const int half = circles_of(fineness) / 2 + 1;
  return around_axis(2 * half, fineness, [&](int j, double angle) -> Vector3 {
    const bool first = j < half;
    const double latitude =
        0.5 * std::numbers::pi * (first ? 0.01 + 0.99 * j / (half - 1) : 1 + 0.99 * (j - half) / (half - 1));
    const double along = -std::cos(latitude) * capsule.radius + (first ? -1 : 1) * capsule.half_length;
    const double off = std::sin(latitude) * capsule.radius;
    return {along, off * std::cos(angle), off * std::sin(angle)};
  });
}

SurfaceMesh in_space(const Cylinder& cylinder, int fineness, double, const Vector3&) {
  return around_axis(2, fineness, [&](int j, double angle) -> Vector3 {
    return {j == 0 ? -cylinder.half_length : cylinder.half_length, cylinder.radius * std::cos(angle),
            cylinder.radius * std::sin(angle)};
  });
}

SurfaceMesh in_space(const Box& box, int, double, const Vector3&) {
  SurfaceMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.emplace_back((i & 1 ? 1 : -1) * box.half.x(), (i & 2 ? 1 : -1) * box.half.y(),
                             (i & 4 ? 1 : -1) * box.half.z());
  mesh.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return mesh;
}

SurfaceMesh in_space(const Polytope& polytope, int, double, const Vector3&) {
  return {polytope.corners, polytope.faces};
}

SurfaceMesh in_space(const Polygon& polygon, int, double, const Vector3&) {  // lives in the plane only
  SurfaceMesh mesh;
  for (const auto& corner : polygon.corners) mesh.points.emplace_back(corner.x(), corner.y(), 0);
  mesh.faces = {ring(0, static_cast<int>(mesh.points.size()), false)};
  return mesh;
}

Vector3 nearest_in_plane(const HalfSpace& half, const Vector3& near) {
  return near - half.normal.dot(near) * half.normal;
}

SurfaceMesh in_space(const HalfSpace& half, int, double extent, const Vector3& near) {
  Eigen::Index least = 0;
  half.normal.cwiseAbs().minCoeff(&least);
  const Vector3 u = half.normal.cross(Vector3::Unit(least)).normalized(), v = half.normal.cross(u);
  const Vector3 at = nearest_in_plane(half, near);
  return {{at - extent * u - extent * v, at + extent * u - extent * v, at + extent * u + extent * v,
           at - extent * u + extent * v},
          {{0, 1, 2, 3}}};
}

// ---- In the plane

template <class Point>
SurfaceMesh closed_line(int count, Point&& point) {
  SurfaceMesh mesh;
  for (int i = 0; i < count; ++i) mesh.points.push_back(point(kTurn * i / count));
  mesh.faces = {ring(0, count, false)};
  return mesh;
}

SurfaceMesh rectangle(double x, double y) {
  return {{{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}}, {{0, 1, 2, 3}}};
}

SurfaceMesh in_plane(const Sphere& sphere, int fineness, double, const Vector3&) {
  return closed_line(fineness, [&](double angle) {
    return Vector3(sphere.radius * std::cos(angle), sphere.radius * std::sin(angle), 0);
  });
}

template <SmoothShape S>
SurfaceMesh in_plane(const S& shape, int fineness, double, const Vector3&) {
  return closed_line(fineness, [&, axes = half_axes(shape)](double angle) -> Vector3 {
    const Vector3 d(axes.x() * std::cos(angle), axes.y() * std::sin(angle), 0);
    return d / shape.gauge(d);
  });
}

SurfaceMesh in_plane(const Capsule& capsule, int fineness, double, const Vector3&) {
  SurfaceMesh mesh;
  const int half = fineness / 2 + 1;
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i < half; ++i) {
      const double angle = 0.5 * kTurn * (static_cast<double>(i) / (half - 1) - 0.5 + side);
      mesh.points.emplace_back((side == 0 ? 1 : -1) * capsule.half_length + capsule.radius * std::cos(angle),
                               capsule.radius * std::sin(angle), 0);
    }
  mesh.faces = {ring(0, 2 * half, false)};
  return mesh;
}

SurfaceMesh in_plane(const Cylinder& cylinder, int, double, const Vector3&) {
  return rectangle(cylinder.half_length, cylinder.radius);
}
SurfaceMesh in_plane(const Box& box, int, double, const Vector3&) {
  return rectangle(box.half.x(), box.half.y());
}
SurfaceMesh in_plane(const Polytope& polytope, int fineness, double extent, const Vector3& near) {
  return in_space(polytope.section(), fineness, extent, near);
}
SurfaceMesh in_plane(const Polygon& polygon, int fineness, double extent, const Vector3& near) {
  return in_space(polygon, fineness, extent, near);
}

/// A strip below the line, so that it is seen.
SurfaceMesh in_plane(const HalfSpace& half, int, double extent, const Vector3& near) {
  const Vector3 along(-half.normal.y(), half.normal.x(), 0), below = -0.05 * extent * half.normal;
  const Vector3 at = nearest_in_plane(half, near);
  return {{at - extent * along, at + extent * along, at + extent * along + below, at - extent * along + below},
          {{3, 2, 1, 0}}};
}

}  // namespace

SurfaceMesh surface_mesh(const Shape& shape, Dimension dimension, int fineness, double extent, const Vector3& near) {
  fineness = std::max(fineness, 6);
  return std::visit(
      [&](const auto& one) {
        return dimension == Dimension::space ? in_space(one, fineness, extent, near)
                                             : in_plane(one, fineness, extent, near);
      },
      shape);
}

}  // namespace carom::geometry
