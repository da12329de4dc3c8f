#pragma once

#include <compare>
#include <cstdint>

#include "carom/geometry/pose.h"

namespace carom::geometry {

/// What takes part in a contact on one side, told apart by how its surface bends there.
struct Element {
  enum class Kind : std::int32_t {
    corner,  // a point fixed in the body
    ball,    // the points at the shape's radius from such a point: a sphere, an end of a capsule
    edge,    // a straight line fixed in the body, between the corners `first` and `second`
    tube,    // the points at the shape's radius from the x axis: the side of a capsule or a cylinder
    rim,     // the circle at an end of a cylinder
    face,    // flat; in the plane a side
    curved,  // the surface of an ellipsoid or superellipsoid
    inside   // nothing in particular, where shapes are deep inside each other
  };
  Kind kind = Kind::curved;
  std::int32_t first = 0, second = 0;  // which one of the shape; `second` tells apart several points of the same one

  friend auto operator<=>(const Element&, const Element&) = default;
};

/// The parts of the surfaces of a and b that meet at a contact point. It stays the same while both move a little.
struct Feature {
  Element a, b;

  Feature exchanged() const { return {b, a}; }
  friend auto operator<=>(const Feature&, const Feature&) = default;
};

/// A point of a surface, and what it belongs to.
struct SurfacePlace {
  Vector3 point;
  Element element;
};

/// The edge between two corners, whichever way round.
inline Element edge_between(std::int32_t i, std::int32_t j) {
  return i < j ? Element{Element::Kind::edge, i, j} : Element{Element::Kind::edge, j, i};
}

}  // namespace carom::geometry
