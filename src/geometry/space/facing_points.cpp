#include "carom/geometry/space/facing_points.h"

#include <cmath>

#include "carom/numerics/decompositions.h"
namespace carom::geometry::space {
namespace {

constexpr int kFacingSteps = 30;

/// A point of a part with its tangents, outward normal and shape operator; missing tangents are zero.
struct Place {
  Vector3 x, n = Vector3::Zero();
  Eigen::Matrix<double, 3, 2> U = Eigen::Matrix<double, 3, 2>::Zero();
  Eigen::Matrix2d S = Eigen::Matrix2d::Zero();
};

/// On the rim or the side of a cylinder.
Place place_on_cylinder(const Piece& piece, const Vector3& x, const Vector3& n_other) {
  const Body& body = *piece.body;
  const double r = std::get<Cylinder>(*body.shape).radius;
  const Vector3 axis = body.R.col(0), from = x - piece.anchor;
  const Vector3 along = from.dot(axis) * axis, out = (from - along).stableNormalized();
  Place result;
  result.U.col(0) = axis.cross(out);
  if (piece.kind == Piece::Kind::rim) {
    result.x = piece.anchor + r * out;
    result.S(0, 0) = -out.dot(n_other) / r;
    return result;
  }
  result.x = piece.anchor + along + r * out;
  result.S(0, 0) = 1 / r;
  result.U.col(1) = axis;
  return result;
}

/// The point of the part at x or nearby; n_other is the normal of the part that faces it.
Place place(const Piece& piece, const Vector3& x, const Vector3& n_other) {
  Place result;
  const Body& body = *piece.body;
  const bool planar = body.dimension == Dimension::plane;
  if (piece.kind == Piece::Kind::rim || piece.kind == Piece::Kind::side) return place_on_cylinder(piece, x, n_other);
  if (piece.kind != Piece::Kind::curved) {
    result.x = x;
    if (!piece.flats.empty()) result.U.col(0) = piece.flats[0];
    return result;
  }
  Vector3 local = body.R.transpose() * (x - body.pose.position);
  local /= of_smooth(*body.shape, [&](const auto& shape) { return shape.gauge(local); });
  const LevelSet level = of_smooth(*body.shape, [&](const auto& shape) { return shape.level_set(local); });
  result.x = body.pose.position + body.R * local;
  result.n = body.R * level.gradient.stableNormalized();
  result.U.col(0) = planar ? Vector3::UnitZ().cross(result.n) : result.n.unitOrthogonal();
  if (!planar) result.U.col(1) = result.n.cross(Vector3(result.U.col(0)));
  const Eigen::Matrix<double, 3, 2> U = body.R.transpose() * result.U;
  result.S = U.transpose() * level.hessian * U / level.gradient.norm();
  return result;
}

/// What is left of both conditions; the first is a length, so it is measured by the size.
Eigen::Vector4d conditions(const Place& a, const Place& b, double size) {
  Eigen::Vector4d f;
  f << a.U.transpose() * (b.x - a.x) / size, b.U.transpose() * a.n;
  return f;
}

/// Steps of both points along their tangents, in parts of the size.
Eigen::Vector4d newton_step(const Place& a, const Place& b, const Eigen::Vector4d& f, double size) {
  const Eigen::Matrix2d C = a.U.transpose() * b.U;
  const double gap = a.n.dot(b.x - a.x);
  Eigen::Matrix4d M = Eigen::Matrix4d::Zero();
  M.topLeftCorner<2, 2>() = a.U.transpose() * a.U + gap * a.S;
  M.topRightCorner<2, 2>() = -C;
  M.bottomLeftCorner<2, 2>() = size * C.transpose() * a.S;
  M.bottomRightCorner<2, 2>() = size * b.S;
  Eigen::Vector4d right;
  right << f.head<2>(), -f.tail<2>();
  const Eigen::Vector4d step = numerics::least_squares(M, right);
  return step.norm() > 0.5 ? Eigen::Vector4d(step * (0.5 / step.norm())) : step;
}

}  // namespace

std::optional<FacingPoints> facing_points(const Piece& a, const Piece& b, const Vector3& point_a,
                                          const Vector3& point_b) {
  const auto fits = [](const Piece& piece) {
    return piece.kind != Piece::Kind::cap && (piece.kind != Piece::Kind::corners || piece.flats.size() < 2);
  };
  if (!fits(a) || !fits(b)) return {};
  if (a.kind != Piece::Kind::curved) {
    if (b.kind != Piece::Kind::curved) return {};
    const auto other = facing_points(b, a, point_b, point_a);
    if (!other) return {};
    return FacingPoints{other->point_b, other->point_a, -other->normal};
  }
  const double size = std::max(a.body->size, b.body->size);
  Place at_a = place(a, point_a, Vector3::Zero()), at_b = place(b, point_b, at_a.n);
  Eigen::Vector4d f = conditions(at_a, at_b, size);
  for (int step = 0; step < kFacingSteps && f.norm() > 1e-16; ++step) {
    const Eigen::Vector4d d = newton_step(at_a, at_b, f, size);
    bool better = false;
    for (double part = size; part > 1e-3 * size && !better; part /= 2) {
      const Place next_a = place(a, at_a.x + at_a.U * (part * d.head<2>()), at_b.n);
      const Place next_b = place(b, at_b.x + at_b.U * (part * d.tail<2>()), next_a.n);
      const Eigen::Vector4d g = conditions(next_a, next_b, size);
      better = g.norm() < f.norm();
      if (!better) continue;
      at_a = next_a;
      at_b = next_b;
      f = g;
    }
    if (!better) break;
  }
  return FacingPoints{at_a.x, at_b.x, at_a.n};
}

}  // namespace carom::geometry::space
