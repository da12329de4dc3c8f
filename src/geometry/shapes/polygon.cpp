#include "carom/geometry/shapes/polygon.h"

#include <Eigen/LU>
#include <cmath>
#include <string>

#include "carom/base/error.h"

namespace carom::geometry {
namespace {

using Vector2 = Eigen::Vector2d;

constexpr double kFlatCorner = 1e-12;  // corners that stand out less than this part of the extent are superfluous

/// Drops the chain's last corners while they do not stand out to the right of the way to `next`.
void turn_left(std::vector<Vector2>& chain, std::size_t first, const Vector2& next, double flat) {
  while (chain.size() >= first + 2) {
    const Vector2 &o = chain[chain.size() - 2], &p = chain.back();
    const Vector2 way = next - o, step = p - o;
    if (step.x() * way.y() - step.y() * way.x() > flat * way.norm()) break;
    chain.pop_back();
  }
  chain.push_back(next);
}

Polygon polygon_of(const std::vector<Vector3>& points) {
  const std::string given = "has " + std::to_string(points.size()) + " corners";
  if (points.size() < 3) throw InputError("", given + "; a polygon has at least 3");
  std::vector<Vector2> corners;
  corners.reserve(points.size());
  for (const Vector3& point : points) corners.emplace_back(point.head<2>());
  Polygon polygon;
  try {
    polygon = convex_polygon(corners);
  } catch (const InputError& error) {
    throw InputError("", "make no shape: " + error.rule);
  }
  if (polygon.corners.size() < corners.size())
    throw InputError("", given + ", of which only " + std::to_string(polygon.corners.size()) +
                             " are corners of a convex polygon; give a body several convex shapes instead");
  return polygon;
}

}  // namespace

std::vector<ShapeField> Polygon::fields(const Form&) {
  const auto take = [this](const std::vector<Vector3>& points) { *this = polygon_of(points); };
  return {{"corners", Corners{take}, "a list of points [x, y] [m]"}};
}

double Polygon::reach() const {
  double result = 0;
  for (const Vector2& corner : corners) result = std::max(result, corner.norm());
  return result;
}

void Polygon::scale(double factor) {
  for (Vector2& corner : corners) corner *= factor;
}

Vector3 Polygon::support_point(const Vector3& direction) const {
  const Vector2 d = direction.head<2>();
  std::size_t best = 0;
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (d.dot(corners[i] - corners[best]) > 0) best = i;
  return {corners[best].x(), corners[best].y(), 0};
}

MassProperties Polygon::in_plane() const {
  const Vector2 origin = corners.front();
  double area = 0;
  Vector2 first = Vector2::Zero();
  Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
  for (std::size_t i = 2; i < corners.size(); ++i) {
    Eigen::Matrix2d V;
    V << corners[i - 1] - origin, corners[i] - origin;
    const double triangle = V.determinant() / 2;
    const Vector2 sum = V.rowwise().sum();
    area += triangle;
    first += triangle / 3 * sum;
    second += triangle / 12 * (V * V.transpose() + sum * sum.transpose());
  }
  const Vector2 centre = first / area;
  Matrix3 P = Matrix3::Zero();
  P.topLeftCorner<2, 2>() = second - area * centre * centre.transpose();
  return from_moments(area, {origin.x() + centre.x(), origin.y() + centre.y(), 0}, P);
}

Curvature Polygon::curvature(const Vector3& x, const Vector3& n) const {
  FacesAtPoint faces(n);
  const double size = reach();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector2 along = corners[(i + 1) % corners.size()] - corners[i];
    const Vector2 out = Vector2(along.y(), -along.x()).stableNormalized();
    if (std::abs(out.dot(x.head<2>() - corners[i])) <= kOnFace * size) faces.add({out.x(), out.y(), 0});
  }
  return faces.curvature();
}

Polygon convex_polygon(const std::vector<Vector2>& points) {
  std::vector<Vector2> sorted = points;
  for (const Vector2& point : sorted)
    if (!point.allFinite()) throw InputError("points", "a coordinate is not finite");
  std::sort(sorted.begin(), sorted.end(),
            [](const Vector2& p, const Vector2& q) { return p.x() < q.x() || (p.x() == q.x() && p.y() < q.y()); });
  double extent = 0;
  for (const Vector2& point : sorted) extent = std::max(extent, (point - sorted.front()).cwiseAbs().maxCoeff());
  std::vector<Vector2> chain;
  for (const Vector2& point : sorted) turn_left(chain, 0, point, kFlatCorner * extent);
  const std::size_t upper = chain.size() - (chain.empty() ? 0 : 1);
  for (std::size_t i = sorted.size(); i-- > 1;) turn_left(chain, upper, sorted[i - 1], kFlatCorner * extent);
  if (!chain.empty()) chain.pop_back();
  if (chain.size() < 3)
    throw InputError("points", std::to_string(points.size()) + " points without area have no convex polygon");
  return {chain};
}

}  // namespace carom::geometry
