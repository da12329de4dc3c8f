#include "carom/geometry/shapes/box.h"

#include <cmath>

namespace carom::geometry {
namespace {

constexpr double kThickness = 1;  // [m] of a rectangle as a box

const std::vector<std::vector<int>> kBoxFaces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

}  // namespace

std::vector<ShapeField> Box::fields(const Form& form) {
  if (form.plate) {
    half.z() = kThickness / 2;
    return {{"size", Numbers{{&half.x(), &half.y()}, 0.5}, "its edges [width, height] [m]"}};
  }
  return {{"size", Numbers{{&half.x(), &half.y(), &half.z()}, 0.5}, "its edges [width, height, depth] [m]"}};
}

Vector3 Box::support_point(const Vector3& d) const {
  return {std::copysign(half.x(), d.x()), std::copysign(half.y(), d.y()),
          d.z() == 0 ? 0 : std::copysign(half.z(), d.z())};
}

MassProperties Box::in_space() const {
  const double volume = 8 * half.prod();
  return symmetric(volume, volume / 3 * half.cwiseAbs2());
}

MassProperties Box::in_plane() const {
  return rectangle(half.x(), half.y());
}

Curvature Box::curvature(const Vector3& x, const Vector3& n) const {
  FacesAtPoint faces(n);
  for (int i = 0; i < 3; ++i)
    if (std::abs(std::abs(x[i]) - half[i]) <= kOnFace * half.maxCoeff())
      faces.add(std::copysign(1.0, x[i]) * Vector3::Unit(i));
  return faces.curvature();
}

Vector3 Box::corner(int i) const {
  return {(i & 1) != 0 ? half.x() : -half.x(), (i & 2) != 0 ? half.y() : -half.y(),
          (i & 4) != 0 ? half.z() : -half.z()};
}

plane::Outline Box::outline(const Pose& pose) const {
  return plane::rectangle_outline(half.x(), half.y(), pose);
}

space::Solid Box::solid(const Pose& pose) const {
  static const std::vector<space::Solid::Edge> edges = space::edges_of(kBoxFaces);
  const Matrix3 R = pose.orientation.toRotationMatrix();
  space::Solid result;
  for (int i = 0; i < 8; ++i) result.corners.emplace_back(pose.position + R * corner(i));
  result.faces = &kBoxFaces;
  result.normals = {-R.col(0), R.col(0), -R.col(1), R.col(1), -R.col(2), R.col(2)};
  result.edges = edges;
  return result;
}

}  // namespace carom::geometry
