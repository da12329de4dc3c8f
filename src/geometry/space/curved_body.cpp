#include "carom/geometry/space/curved_body.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/plane/outline_contacts.h"
#include "carom/geometry/space/solid_contacts.h"

namespace carom::geometry::space {
namespace {

constexpr double kFloor = 1e-9;  // sine between a normal and an axis below which a rim has no farthest point

Piece hull_piece(const Body& body, std::vector<int> corners) {
  std::sort(corners.begin(), corners.end());
  Piece piece{Piece::Kind::corners, &body, body.corners[corners[0]], {}, corners};
  for (std::size_t i = 1; i < corners.size(); ++i)
    piece.flats.push_back((body.corners[corners[i]] - body.corners[corners[0]]).stableNormalized());
  return piece;
}

std::vector<Piece> cylinder_pieces(const Body& body, const Vector3& n) {
  const Cylinder& cylinder = std::get<Cylinder>(*body.shape);
  const Vector3 axis = body.R.col(0);
  const double end = std::copysign(cylinder.half_length, n.dot(axis));
  const Vector3 centre = body.pose.position + end * axis;
  std::vector<Piece> result{{Piece::Kind::rim, &body, centre, {}, {end > 0 ? 1 : 0}}};
  if (std::abs(n.dot(axis)) < 0.5) result.push_back({Piece::Kind::side, &body, body.pose.position, {axis}, {0}});
  if (std::abs(n.dot(axis)) > 0.5)
    result.push_back({Piece::Kind::cap, &body, centre, {body.R.col(1), body.R.col(2)}, {end > 0 ? 1 : 0}});
  return result;
}

}  // namespace

Body body(const Shape& shape, const Pose& pose, Dimension dimension) {
  Body result{&shape, pose, pose.orientation.toRotationMatrix(), {}, {}, 0, 0, dimension};
  const int axes = dimension == Dimension::plane ? 2 : 3;
  for (int i = 0; i < axes; ++i) {
    result.directions.emplace_back(result.R.col(i));
    result.directions.emplace_back(-result.R.col(i));
  }
  if (dimension == Dimension::plane) {
    if (const auto outline = plane::outline(shape, pose)) {
      for (const auto& corner : outline->corners) result.corners.emplace_back(corner.x(), corner.y(), 0);
      for (std::size_t i = 0; i < outline->sides(); ++i) {
        const Eigen::Vector2d n = outline->normal(i);
        result.directions.emplace_back(n.x(), n.y(), 0);
      }
      result.radius = outline->radius;
    }
  } else if (auto solid_of = solid(shape, pose)) {
    result.corners = std::move(solid_of->corners);
    if (!solid_of->normals.empty()) result.directions = std::move(solid_of->normals);
    result.radius = solid_of->radius;
  }
  for (int i = 0; i < axes; ++i) {
    const Vector3 n = result.R.col(i);
    result.size = std::max(result.size, n.dot(result.support(n) - result.support(-n)) / 2);
  }
  result.size = std::max(result.size, result.radius);
  return result;
}

Vector3 Body::support(const Vector3& n, int* corner) const {
  if (corners.empty()) return pose.position + R * support_point(*shape, R.transpose() * n);
  std::size_t best = 0;
  double most = n.dot(corners[0]);
  for (std::size_t i = 1; i < corners.size(); ++i)
    if (const double reached = n.dot(corners[i]); reached > most) {
      most = reached;
      best = i;
    }
  if (corner != nullptr) *corner = static_cast<int>(best);
  return corners[best];
}

Vector3 Piece::x(const Vector3& n) const {
  switch (kind) {
    case Kind::curved:
      return body->support(n);
    case Kind::rim: {
      const Vector3 axis = body->R.col(0), across = n - n.dot(axis) * axis;
      return anchor + std::get<Cylinder>(*body->shape).radius * across.stableNormalized();
    }
    case Kind::side:
      return anchor + std::get<Cylinder>(*body->shape).radius * n;
    default:
      return anchor;
  }
}

Matrix3 Piece::dx(const Vector3& n) const {
  if (kind == Kind::side) return std::get<Cylinder>(*body->shape).radius * (Matrix3::Identity() - n * n.transpose());
  if (kind == Kind::rim) {
    const Vector3 axis = body->R.col(0), around = axis.cross(n);
    const double across = around.norm();
    const double r = std::get<Cylinder>(*body->shape).radius;
    return across > kFloor ? Matrix3(r / (across * across * across) * around * around.transpose()) : Matrix3::Zero();
  }
  if (kind != Kind::curved) return Matrix3::Zero();
  const Vector3 local = body->R.transpose() * n;
  const Matrix3 slopes = of_smooth(*body->shape, [&](const auto& shape) { return shape.support_slopes(local); });
  return body->R * slopes * body->R.transpose();
}

double Piece::radius() const {
  return body->radius;
}

Element Piece::element(const Vector3& n) const {
  if (kind == Kind::curved) return {Element::Kind::curved};
  if (kind == Kind::side) return {Element::Kind::tube};
  if (kind == Kind::rim) return {Element::Kind::rim, corners[0]};
  if (kind == Kind::cap) return {Element::Kind::face, corners[0]};
  if (corners.size() == 1) return {radius() > 0 ? Element::Kind::ball : Element::Kind::corner, corners[0]};
  if (corners.size() == 2) {
    if (body->dimension == Dimension::plane) return {Element::Kind::face, corners[0], corners[1]};
    return radius() > 0 ? Element{Element::Kind::tube} : edge_between(corners[0], corners[1]);
  }
  const auto face = std::max_element(body->directions.begin(), body->directions.end(),
                                     [&](const Vector3& d, const Vector3& e) { return d.dot(n) < e.dot(n); });
  return {Element::Kind::face, static_cast<std::int32_t>(face - body->directions.begin())};
}

std::vector<Piece> pieces(const Body& body, const Vector3& n, const std::vector<int>& touched) {
  if (body.corners.empty()) {
    if (std::holds_alternative<Cylinder>(*body.shape)) return cylinder_pieces(body, n);
    return {{Piece::Kind::curved, &body, {}, {}, {}}};
  }
  std::vector<Piece> result;
  for (std::size_t i = 0; i < touched.size(); ++i) {
    result.push_back(hull_piece(body, {touched[i]}));
    for (std::size_t j = 0; j < i; ++j) result.push_back(hull_piece(body, {touched[j], touched[i]}));
  }
  if (touched.size() == 3 && body.dimension == Dimension::space) result.push_back(hull_piece(body, touched));
  return result;
}

}  // namespace carom::geometry::space
