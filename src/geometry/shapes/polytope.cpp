#include "carom/geometry/shapes/polytope.h"

#include <Eigen/LU>
#include <cmath>
#include <string>

#include "carom/base/error.h"

namespace carom::geometry {
namespace {

Polytope polytope_of(const std::vector<Vector3>& points) {
  if (points.size() < 4)
    throw InputError("", "has " + std::to_string(points.size()) + " corners; a polytope has at least 4");
  try {
    return convex_polytope(points);
  } catch (const InputError& error) {
    throw InputError("", "make no shape: " + error.rule);
  }
}

}  // namespace

std::vector<ShapeField> Polytope::fields(const Form&) {
  const auto take = [this](const std::vector<Vector3>& points) { *this = polytope_of(points); };
  const auto take_mesh = [this](std::string_view text, std::size_t piece) {
    ObjSolid solid = read_obj(text, piece);
    *this = std::move(solid.solid);
    return solid.pieces;
  };
  return {{"corners", Corners{take}, "a list of points [x, y, z] [m], or \"file\""},
          {"file", MeshFile{take_mesh, "corners"}, "a mesh beside the scene, in the OBJ format"}};
}

double Polytope::reach() const {
  double result = 0;
  for (const Vector3& corner : corners) result = std::max(result, corner.norm());
  return result;
}

void Polytope::scale(double factor) {
  for (Vector3& corner : corners) corner *= factor;
}

Vector3 Polytope::support_point(const Vector3& direction) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (direction.dot(corners[i] - corners[best]) > 0) best = i;
  return corners[best];
}

MassProperties Polytope::in_space() const {
  // Tetrahedra from an inner point to the triangles of the faces.
  Vector3 origin = Vector3::Zero();
  for (const Vector3& corner : corners) origin += corner / static_cast<double>(corners.size());
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (const std::vector<int>& face : faces)
    for (std::size_t i = 2; i < face.size(); ++i) {
      Matrix3 V;
      V << corners[face[0]] - origin, corners[face[i - 1]] - origin, corners[face[i]] - origin;
      const double tetrahedron = V.determinant() / 6;
      const Vector3 sum = V.rowwise().sum();
      volume += tetrahedron;
      first += tetrahedron / 4 * sum;
      second += tetrahedron / 20 * (V * V.transpose() + sum * sum.transpose());
    }
  const Vector3 centre = first / volume;
  return from_moments(volume, origin + centre, second - volume * centre * centre.transpose());
}

Curvature Polytope::curvature(const Vector3& x, const Vector3& n) const {
  FacesAtPoint at(n);
  double size = 0;
  for (const Vector3& c : corners) size = std::max(size, (c - corners[0]).norm());
  for (const std::vector<int>& f : faces) {
    const Vector3& o = corners[f[0]];
    const Vector3 out = (corners[f[1]] - o).cross(corners[f[2]] - o).stableNormalized();
    if (std::abs(out.dot(x - o)) <= kOnFace * size) at.add(out);
  }
  return at.curvature();
}

space::Solid Polytope::solid(const Pose& pose) const {
  space::Solid result;
  for (const Vector3& corner : corners) result.corners.push_back(pose.to_world(corner));
  result.faces = &faces;
  for (const std::vector<int>& face : faces) result.normals.push_back(space::normal_of(result.corners, face));
  result.edges = space::edges_of(faces);
  return result;
}

Polygon Polytope::section() const {
  std::vector<Eigen::Vector2d> points;
  for (const std::vector<int>& face : faces)
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Vector3& a = corners[face[i]];
      const Vector3& b = corners[face[(i + 1) % face.size()]];
      if (a.z() == 0) points.emplace_back(a.x(), a.y());
      if (a.z() * b.z() < 0) points.emplace_back((a + a.z() / (a.z() - b.z()) * (b - a)).head<2>());
    }
  return convex_polygon(points);
}

}  // namespace carom::geometry
