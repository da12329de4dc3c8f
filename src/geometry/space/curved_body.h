#pragma once

#include <cassert>
#include <type_traits>
#include <vector>

#include "carom/geometry/feature.h"
#include "carom/geometry/shape.h"

namespace carom::geometry::space {

/// A bounded shape in the world for pairs with a curved one. Polytopes, capsules and balls are the points within
/// `radius` of the hull of `corners`; curved shapes have no corners. In the plane the shape is its section z = 0.
struct Body {
  const Shape* shape = nullptr;
  Pose pose;
  Matrix3 R;
  std::vector<Vector3> corners;
  std::vector<Vector3> directions;  // outward normals to try first: of the faces, or along the axes
  double radius = 0;
  double size = 0;  // [m] half the largest extent
  Dimension dimension = Dimension::space;

  /// The farthest point along n, without the radius; `corner` receives its number.
  Vector3 support(const Vector3& n, int* corner = nullptr) const;
};
Body body(const Shape& shape, const Pose& pose, Dimension dimension);

/// A part of a body's surface near a normal. Its farthest point along n is x(n), up to the flat directions along which
/// all points are equally far; dx/dn is symmetric, positive semidefinite and zero along n.
struct Piece {
  enum class Kind { corners, curved, rim, side, cap };
  Kind kind = Kind::corners;
  const Body* body = nullptr;
  Vector3 anchor = Vector3::Zero();  // a corner, or the centre of a rim
  std::vector<Vector3> flats;        // unit vectors, not parallel
  std::vector<int> corners;          // ascending

  Vector3 x(const Vector3& n) const;
  Matrix3 dx(const Vector3& n) const;
  double radius() const;  // beyond the part that x covers
  Element element(const Vector3& n) const;
};

/// use(shape) of a shape that is a SmoothShape.
template <class Use>
auto of_smooth(const Shape& shape, Use&& use) {
  return std::visit(
      [&]<class S>(const S& one) -> std::invoke_result_t<Use, const Ellipsoid&> {
        if constexpr (SmoothShape<S>) return use(one);
        assert(false && "a smooth shape");
        return {};
      },
      shape);
}

/// The parts that may be nearest along n. `touched` are the corners that a distance algorithm found.
std::vector<Piece> pieces(const Body& body, const Vector3& n, const std::vector<int>& touched);

}  // namespace carom::geometry::space
