#include "carom/numerics/cone_contradiction.h"

#include <algorithm>
#include <cmath>

namespace carom::numerics {
namespace {

constexpr int kContradictionSteps = 20000;
constexpr int kStepsPerProof = 100;
constexpr int kPowerIterations = 20;
constexpr double kCurvatureMargin = 1.2;
constexpr double kNothingLeft = 1e-10;  // of q: what is left then is a solution of the inequalities but for rounding
constexpr double kOutside = 1e-9;       // of z, relative: how far -A z may lie outside the dual cones
constexpr double kContrary = 1e-6;      // of the terms of q . z: how far it must lie below zero

/// The nearest point of Coulomb's cone.
void project_onto(const FrictionCone& cone, Vector& x) {
  double& normal = x[cone.row];
  auto tangential = x.segment(cone.row + 1, cone.tangents);
  const double length = tangential.norm();
  if (length <= cone.mu * normal) return;
  if (cone.mu * length <= -normal) {
    normal = 0;
    tangential.setZero();
    return;
  }
  const double onto = (normal + cone.mu * length) / (1 + cone.mu * cone.mu);
  tangential *= cone.mu * onto / length;
  normal = onto;
}

double largest_eigenvalue(const Matrix& A) {
  Vector v = Vector::LinSpaced(A.cols(), 1, 2);  // no symmetry of the contacts
  double value = 0;
  for (int step = 0; step < kPowerIterations; ++step) {
    v.normalize();
    v = A * v;
    value = v.norm();
    if (!(value > 0)) return A.trace();
  }
  return std::min(kCurvatureMargin * value, A.trace());
}

}  // namespace

std::optional<Vector> cone_contradiction(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                                         const Vector& terms) {
  // In unknowns of unit normal diagonal; a contact that nothing moves is left out.
  const Index m = static_cast<Index>(cones.size());
  Vector scale = Vector::Zero(q.size()), b(m), size(m);
  for (Index i = 0; i < m; ++i) {
    const FrictionCone& cone = cones[i];
    const double diagonal = A.coeff(cone.row, cone.row), root = diagonal > 0 ? 1 / std::sqrt(diagonal) : 0;
    scale.segment(cone.row, 1 + cone.tangents).setConstant(root);
    b[i] = root * q[cone.row];
    size[i] = root * std::max(terms[cone.row], std::abs(q[cone.row]));
  }
  Matrix N(m, q.size());  // rows of the normals
  for (Index i = 0; i < m; ++i) N.row(i) = scale[cones[i].row] * A.col(cones[i].row).cwiseProduct(scale).transpose();
  const double curvature = largest_eigenvalue(N * N.transpose()), wanted = kNothingLeft * b.norm();
  if (!(curvature > 0) || !(wanted > 0)) return std::nullopt;

  // min |(N x + b)_-|^2 over the cones by accelerated projected gradients; at a minimum above zero what is left is z.
  Vector x = Vector::Zero(q.size()), ahead = x, z(m);
  double momentum = 1;
  for (int step = 1; step <= kContradictionSteps; ++step) {
    z = -(N * ahead + b).cwiseMin(0);
    if (z.norm() <= wanted) return std::nullopt;
    const Vector slope = -(N.transpose() * z);
    if (step % kStepsPerProof == 0) {
      double outside = 0;
      for (const FrictionCone& cone : cones)
        outside = std::max(outside, cone.mu * slope.segment(cone.row + 1, cone.tangents).norm() - slope[cone.row]);
      if (outside <= kOutside * z.norm() && b.dot(z) < -kContrary * size.dot(z)) {
        for (Index i = 0; i < m; ++i) z[i] *= scale[cones[i].row];
        return z / z.maxCoeff();
      }
    }
    Vector next = ahead - slope / curvature;
    for (const FrictionCone& cone : cones) project_onto(cone, next);
    if ((ahead - next).dot(next - x) > 0) momentum = 1;
    const double more = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    ahead = next + (momentum - 1) / more * (next - x);
    momentum = more;
    x = std::move(next);
  }
  return std::nullopt;
}

}  // namespace carom::numerics
