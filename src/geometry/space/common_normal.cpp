#include "carom/geometry/space/common_normal.h"

#include <cmath>

#include "carom/numerics/decompositions.h"
#include "carom/numerics/linear_algebra.h"

namespace carom::geometry::space {
namespace {

constexpr double kDependent = 1e-10;  // sine
constexpr double kExact = 1e-16;      // part of the size
constexpr double kRounding = 1e-13;   // of s, where the points depend much on the normal
constexpr int kNormalSteps = 100;
constexpr double kShorter = 0.1;  // of a step: a shorter one cannot bring g below 9/10 of what it was
constexpr double kPromise = 2;    // times g . d: no step along d gains more, as far as s is quadratic

using UpTo3Columns = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3>;

/// An orthonormal basis of the directions across all flat ones, as columns.
UpTo3Columns across_flats(const Piece& a, const Piece& b, Dimension dimension) {
  std::vector<Vector3> basis;
  const auto add = [&](Vector3 v) {
    for (int pass = 0; pass < 2; ++pass)
      for (const Vector3& e : basis) v -= e.dot(v) * e;
    if (v.norm() > kDependent) basis.push_back(v.normalized());
  };
  if (dimension == Dimension::plane) add(Vector3::UnitZ());
  for (const Vector3& flat : a.flats) add(flat);
  for (const Vector3& flat : b.flats) add(flat);
  const std::size_t flats = basis.size();
  if (flats == 3) return {};
  if (flats == 0) return Matrix3::Identity();
  if (flats == 2) return basis[0].cross(basis[1]);
  UpTo3Columns result(3, 2);
  result.col(0) = basis[0].unitOrthogonal();
  result.col(1) = basis[0].cross(Vector3(result.col(0)));
  return result;
}

/// Unit tangents at n within the allowed directions.
UpTo3Columns tangents(const UpTo3Columns& allowed, const Vector3& n) {
  UpTo3Columns T(3, allowed.cols() - 1);
  if (allowed.cols() == 3) {
    T.col(0) = n.unitOrthogonal();
    T.col(1) = n.cross(Vector3(T.col(0)));
  } else if (allowed.cols() == 2) {
    T.col(0) = allowed.col(0) * allowed.col(1).dot(n) - allowed.col(1) * allowed.col(0).dot(n);
  }
  return T;
}

/// Newton's step of an ascent of s, along the tangents: -H d = g with -H = dx + s, made positive where it is not.
Eigen::Vector2d newton_step(const Eigen::Matrix2d& minus_H, const Eigen::Vector2d& g) {
  const auto [values, vectors] = numerics::symmetric_spectrum(minus_H);
  const double most = std::max(std::abs(values[0]), std::abs(values[1]));
  if (!(most > 0)) return Eigen::Vector2d::Zero();
  Eigen::Vector2d along = vectors.transpose() * g;
  for (int i = 0; i < 2; ++i) along[i] /= std::max(std::abs(values[i]), 1e-14 * most);
  const Eigen::Vector2d step = vectors * along;
  return step.norm() > 0.5 ? Eigen::Vector2d(step * (0.5 / step.norm())) : step;
}

}  // namespace

CommonNormal common_normal(const Piece& a, const Piece& b, const Vector3& start, Dimension dimension) {
  const UpTo3Columns allowed = across_flats(a, b, dimension);
  if (allowed.cols() == 0) return {};
  Vector3 n = allowed * (allowed.transpose() * start);
  if (n.norm() < 0.1) return {};
  n.normalize();
  if (allowed.cols() == 1) return {n, 0, true};
  const double size = std::max(a.body->size, b.body->size);
  const auto across = [&](const Vector3& m) { return Vector3(b.x(-m) - a.x(m)); };
  const auto in_plane = [&](const UpTo3Columns& T, const Vector3& r) {
    Eigen::Vector2d g = Eigen::Vector2d::Zero();
    g.head(T.cols()) = T.transpose() * r;
    return g;
  };
  Vector3 r = across(n);
  UpTo3Columns T = tangents(allowed, n);
  Eigen::Vector2d g = in_plane(T, r);
  for (int step = 0; step < kNormalSteps && g.norm() > kExact * size; ++step) {
    Eigen::Matrix2d minus_H = Eigen::Matrix2d::Identity();
    minus_H.topLeftCorner(T.cols(), T.cols()) = T.transpose() * (a.dx(n) + b.dx(-n)) * T;
    for (Index i = 0; i < T.cols(); ++i) minus_H(i, i) += n.dot(r);
    const Eigen::Vector2d d = newton_step(minus_H, g);
    const double rounding = kRounding * (size + r.norm());
    bool better = false;
    for (double part = 1; part > 1e-10 && !better; part /= 2) {
      if (part < kShorter && kPromise * part * g.dot(d) <= rounding) break;
      const Vector3 m = (n + T * (part * d.head(T.cols()))).normalized(), r_m = across(m);
      const UpTo3Columns T_m = tangents(allowed, m);
      const Eigen::Vector2d g_m = in_plane(T_m, r_m);
      const double gain = m.dot(r_m) - n.dot(r);
      better = g_m.norm() < 0.9 * g.norm() ? gain > -rounding : gain > rounding;
      if (better) {
        n = m;
        r = r_m;
        T = T_m;
        g = g_m;
      }
    }
    if (!better) break;
  }
  return {n, g.norm(), true};
}

}  // namespace carom::geometry::space
