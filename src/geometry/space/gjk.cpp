#include "carom/geometry/space/gjk.h"

#include <algorithm>
#include <cmath>

namespace carom::geometry::space {
namespace {

constexpr double kFlat = 1e-13;  // part of the product of its edges below which a tetrahedron has no inside

using Weights = std::array<double, 4>;

/// Barycentric weights of the point of the segment w_i, w_j nearest to the origin.
Weights on_segment(const std::array<Vector3, 4>& w, int i, int j) {
  const Vector3 along = w[j] - w[i];
  const double square = along.squaredNorm();
  const double t = square > 0 ? std::min(1.0, std::max(0.0, -w[i].dot(along) / square)) : 0;
  Weights result{};
  result[i] = 1 - t;
  result[j] += t;
  return result;
}

Vector3 combined(const std::array<Vector3, 4>& w, const Weights& weights) {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < 4; ++i)
    if (weights[i] != 0) sum += weights[i] * w[i];
  return sum;
}

void take_if_nearer(const std::array<Vector3, 4>& w, const Weights& weights, double& least, Weights& best) {
  const double square = combined(w, weights).squaredNorm();
  if (square < least) {
    least = square;
    best = weights;
  }
}

/// The point of the triangle's plane nearest to the origin, if it lies inside.
void take_inside_triangle(const std::array<Vector3, 4>& w, int i, int j, int k, double& least, Weights& best) {
  const Vector3 normal = (w[j] - w[i]).cross(w[k] - w[i]);
  const double square = normal.squaredNorm();
  if (!(square > 0)) return;
  const double u = normal.dot(w[j].cross(w[k])) / square, v = normal.dot(w[k].cross(w[i])) / square,
               t = normal.dot(w[i].cross(w[j])) / square;
  if (u <= 0 || v <= 0 || t <= 0) return;
  Weights weights{};
  weights[i] = u;
  weights[j] = v;
  weights[k] = t;
  take_if_nearer(w, weights, least, best);
}

/// Is the origin inside the tetrahedron?
bool inside(const std::array<Vector3, 4>& w) {
  const double whole = (w[1] - w[0]).cross(w[2] - w[0]).dot(w[3] - w[0]);
  const double edges = (w[1] - w[0]).norm() * (w[2] - w[0]).norm() * (w[3] - w[0]).norm();
  if (!(std::abs(whole) > kFlat * edges)) return false;
  const std::array<std::array<int, 4>, 4> sides = {{{1, 2, 3, 0}, {0, 2, 3, 1}, {0, 1, 3, 2}, {0, 1, 2, 3}}};
  for (const auto& [i, j, k, opposite] : sides) {
    const Vector3 normal = (w[j] - w[i]).cross(w[k] - w[i]);
    if (!(normal.dot(-w[i]) * normal.dot(w[opposite] - w[i]) >= 0)) return false;
  }
  return true;
}

}  // namespace

Vector3 Simplex::nearest() const {
  return point_b() - point_a();
}
Vector3 Simplex::point_a() const {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < size; ++i) sum += weights[i] * points[i].point_a;
  return sum;
}
Vector3 Simplex::point_b() const {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < size; ++i) sum += weights[i] * points[i].point_b;
  return sum;
}

void Simplex::reduce() {
  std::array<Vector3, 4> w;
  for (int i = 0; i < 4; ++i) w[i] = i < size ? points[i].value() : Vector3::Zero();
  if (size == 4 && inside(w)) {
    weights = {0.25, 0.25, 0.25, 0.25};
    return;
  }
  const int newest = size - 1;
  Weights best{};
  best[newest] = 1;
  double least = w[newest].squaredNorm();
  for (int i = 0; i < newest; ++i) take_if_nearer(w, on_segment(w, i, newest), least, best);
  for (int i = 0; i < newest; ++i)
    for (int j = 0; j < i; ++j) take_inside_triangle(w, j, i, newest, least, best);
  int kept = 0;
  for (int i = 0; i < size; ++i)
    if (best[i] > 0) {
      points[kept] = points[i];
      weights[kept++] = best[i];
    }
  size = kept;
}

}  // namespace carom::geometry::space
