#include "carom/geometry/distance.h"

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/geometry/space/solid_contacts.h"
#include "carom/numerics/linear_program.h"

namespace carom::geometry {

ContactKinematics contact_kinematics(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                     Dimension dimension) {
  ContactKinematics result;
  result.contact = nearest_points(a, pose_a, b, pose_b, dimension);
  const Vector3& n = result.contact.normal;
  result.w << -n, -(result.contact.point_a - pose_a.position).cross(n), n,
      (result.contact.point_b - pose_b.position).cross(n);
  return result;
}

double minimum_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Dimension dimension) {
  return std::max(0.0, nearest_points(a, pose_a, b, pose_b, dimension).gap);
}

Polyhedron polyhedron(const Shape& shape, const Pose& pose) {
  if (const HalfSpace* half_space = std::get_if<HalfSpace>(&shape)) {
    const Vector3 n = pose.orientation * half_space->normal;
    return {n.transpose(), Vector::Constant(1, n.dot(pose.position))};
  }
  const auto solid = space::solid(shape, pose);
  if (!solid || solid->normals.empty())
    throw InputError("shape", "only boxes, polytopes and half-spaces have flat faces");
  const auto count = static_cast<Index>(solid->normals.size());
  Polyhedron result{Matrix(count, 3), Vector(count)};
  for (Index i = 0; i < count; ++i) {
    result.A.row(i) = solid->normals[i].transpose();
    result.b[i] = solid->normals[i].dot(solid->corners[solid->face(i)[0]]);
  }
  return result;
}

double interference_distance(const Polyhedron& a, const Polyhedron& b) {
  // max d over p, d with A p + d/2 <= b. Its dual: min b'y over A'y = 0, sum y / 2 = 1, y >= 0.
  const Index m = a.b.size() + b.b.size();
  Matrix A(4, m);
  A.topRows(3) << a.A.transpose(), b.A.transpose();
  A.row(3).setConstant(0.5);
  Vector cost(m);
  cost << a.b, b.b;
  const numerics::LinearProgramSolution dual = numerics::solve_linear_program(cost, A, Vector::Unit(4, 3));
  return dual.status == numerics::LinearProgramStatus::solved ? dual.value : std::numeric_limits<double>::infinity();
}

double interference_distance(const Sphere& a, const Vector3& centre_a, const Sphere& b, const Vector3& centre_b) {
  return std::min(a.radius + b.radius - (centre_b - centre_a).norm(), 2 * std::min(a.radius, b.radius));
}

}  // namespace carom::geometry
