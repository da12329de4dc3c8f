#include "carom/geometry/contact_motion.h"

#include <array>
#include <cmath>

#include "carom/geometry/infinity.h"
#include "carom/numerics/decompositions.h"

namespace carom::geometry {
namespace {

constexpr double kUndetermined = 1e-12;  // part of the largest pivot below which a direction is not determined

double radius_of(const Shape& shape) {
  return std::visit([](const auto& one) { return one.round_radius(); }, shape);
}

Vector3 corner_of(const Shape& shape, int i) {
  return std::visit(
      [&]<class S>(const S& one) -> Vector3 {
        if constexpr (HullInSpace<S>)
          return one.corner(i);
        else
          return Vector3::Zero();
      },
      shape);
}

/// Of one side with outward normal n.
Curvature curvature_of(const Element& element, const Shape& shape, const Pose& pose, const Vector3& point,
                       const Vector3& n) {
  switch (element.kind) {
    case Element::Kind::corner:
      return {kInfinity, kInfinity, n.unitOrthogonal()};
    case Element::Kind::ball:
      return {1 / radius_of(shape), 1 / radius_of(shape), n.unitOrthogonal()};
    case Element::Kind::edge: {
      const Vector3 along = corner_of(shape, element.second) - corner_of(shape, element.first);
      return {kInfinity, 0, (pose.orientation * along).cross(n).stableNormalized()};
    }
    case Element::Kind::tube:
      return {1 / radius_of(shape), 0, (pose.orientation * Vector3::UnitX()).cross(n).stableNormalized()};
    case Element::Kind::rim: {
      // Its tangent is across n: with the radius m to the point, t' = -m |x'| / r, hence n' . t = n . m |x'| / r.
      const Vector3 local = pose.to_local(point);
      const Vector3 m = pose.orientation * Vector3(0, local.y(), local.z()).stableNormalized();
      const Vector3 t = (pose.orientation * Vector3::UnitX()).cross(m);
      return {kInfinity, n.dot(m) / radius_of(shape), t.cross(n).stableNormalized()};
    }
    case Element::Kind::curved:
      return curvature(shape, pose, point, n);
    default:
      return {0, 0, n.unitOrthogonal()};
  }
}

/// The equations of a contact in D tangents for (xi_a / L, xi_b / L, n').
template <int D>
struct MotionEquations {
  using Tangent = Eigen::Matrix<double, D, 1>;
  using Tangents = Eigen::Matrix<double, 3, D>;
  Eigen::Matrix<double, 3 * D, 3 * D> A = Eigen::Matrix<double, 3 * D, 3 * D>::Zero();
  Eigen::Matrix<double, 3 * D, 1> rhs = Eigen::Matrix<double, 3 * D, 1>::Zero();

  /// k xi . e = side (n' - turning) . e for the body whose xi begins at column `first`; side = -1 for b.
  void bend(int row, int first, double kL, const Tangent& e, double side, const Tangent& turning) {
    if (std::isinf(kL)) {
      A.row(row).template segment<D>(first) = e.transpose();
      return;
    }
    const double weight = 1 / std::hypot(1, kL);
    A.row(row).template segment<D>(first) = weight * kL * e.transpose();
    A.row(row).template tail<D>() = -side * weight * e.transpose();
    rhs[row] = -side * weight * e.dot(turning);
  }

  void close(double g_over_L, const Tangent& slip_over_L) {
    const double weight = 1 / std::hypot(1, g_over_L);
    const auto I = Eigen::Matrix<double, D, D>::Identity();
    A.template block<D, D>(2 * D, 0) = -weight * I;
    A.template block<D, D>(2 * D, D) = weight * I;
    A.template block<D, D>(2 * D, 2 * D) = -weight * g_over_L * I;
    rhs.template tail<D>() = -weight * slip_over_L;
  }

  ContactMotion solution(const Tangents& T, double L) const {
    const Eigen::Matrix<double, 3 * D, 1> x = numerics::least_squares(A, rhs, kUndetermined);
    return {L * (T * x.template head<D>()), L * (T * x.template segment<D>(D)), T * x.template tail<D>()};
  }
};

ContactMotion motion_in_space(const ContactPoint& contact, const ContactCurvatures& K, const MaterialMotion& motion,
                              double L) {
  const Vector3& n = contact.normal;
  Eigen::Matrix<double, 3, 2> T;
  T.col(0) = n.unitOrthogonal();
  T.col(1) = n.cross(T.col(0));
  MotionEquations<2> equations;
  const auto add = [&](const Curvature& k, int first, double side, const Vector3& w) {
    const Eigen::Vector2d turning = T.transpose() * w.cross(n);
    const Eigen::Vector2d e = (T.transpose() * k.direction).normalized();
    equations.bend(first, first, k.most * L, e, side, turning);
    equations.bend(first + 1, first, k.least * L, {-e.y(), e.x()}, side, turning);
  };
  add(K.a, 0, 1, motion.w_a);
  add(K.b, 2, -1, motion.w_b);
  equations.close(contact.gap / L, T.transpose() * (motion.v_b - motion.v_a) / L);
  return equations.solution(T, L);
}

/// Surfaces in the plane are those of cylinders along z.
ContactMotion motion_in_plane(const ContactPoint& contact, const ContactCurvatures& K, const MaterialMotion& motion,
                              double L) {
  const Vector3& n = contact.normal;
  const Vector3 t(-n.y(), n.x(), 0);
  using Scalar = Eigen::Matrix<double, 1, 1>;
  MotionEquations<1> equations;
  const auto add = [&](const Curvature& k, int first, double side, const Vector3& w) {
    const double along = k.direction.dot(t);
    const double bend = std::isinf(k.most) ? k.most : k.least + (k.most - k.least) * along * along;
    equations.bend(first, first, bend * L, Scalar(1), side, Scalar(t.dot(w.cross(n))));
  };
  add(K.a, 0, 1, motion.w_a);
  add(K.b, 1, -1, motion.w_b);
  equations.close(contact.gap / L, Scalar(t.dot(motion.v_b - motion.v_a) / L));
  return equations.solution(t, L);
}

bool is_flat(const Curvature& k) {
  return k.most == 0 && k.least == 0;
}
/// A corner or a ball.
bool bends_alike(const Curvature& k) {
  return k.most == k.least && k.most > 0;
}

/// A corner or a ball of b on a face of a: the normal is the face's.
ContactMotion motion_on_face(double gap, const Vector3& n, double bend, const MaterialMotion& motion) {
  ContactMotion result;
  result.n_rate = motion.w_a.cross(n);
  if (std::isfinite(bend)) result.xi_b = (motion.w_b - motion.w_a).cross(n) / bend;
  const Vector3 v = motion.v_b - motion.v_a;
  result.xi_a = v - n.dot(v) * n + result.xi_b - gap * result.n_rate;
  return result;
}

}  // namespace

ContactCurvatures contact_curvatures(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                     const ContactPoint& contact) {
  return {curvature_of(contact.feature.a, a, pose_a, contact.point_a, contact.normal),
          curvature_of(contact.feature.b, b, pose_b, contact.point_b, -contact.normal)};
}

ContactMotion contact_motion(const ContactPoint& contact, const ContactCurvatures& K, const MaterialMotion& motion,
                             double length, Dimension dimension) {
  if (dimension == Dimension::line || !std::isfinite(contact.gap)) return {};
  if (is_flat(K.a) && bends_alike(K.b)) return motion_on_face(contact.gap, contact.normal, K.b.most, motion);
  if (is_flat(K.b) && bends_alike(K.a)) {
    const ContactMotion mirrored =
        motion_on_face(contact.gap, -contact.normal, K.a.most, {motion.v_b, motion.w_b, motion.v_a, motion.w_a});
    return {mirrored.xi_b, mirrored.xi_a, -mirrored.n_rate};
  }
  return dimension == Dimension::plane ? motion_in_plane(contact, K, motion, length)
                                       : motion_in_space(contact, K, motion, length);
}

}  // namespace carom::geometry
